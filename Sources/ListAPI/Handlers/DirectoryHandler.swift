import HTTP
import Listings
import Rendering

/// Responds with the directory of all lists.
struct DirectoryHandler {
    let state: ServiceState

    /// Responds with the directory of all lists.
    func respond(
        to request: borrowing HTTPRequest,
        suffix: PageFormat?,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let choice = try context.choose(among: [.json, .html], suffix: suffix, request)
        try context.refuseParameters(request, suffix: suffix)
        var entries: [ListDirectory.Entry] = []
        for name in context.shownNames {
            let endpoint = state.endpoints[name]
            if let caller = context.caller { endpoint?.view = caller.view(of: name) }
            entries.append(
                ListDirectory.Entry(
                    name: name,
                    title: endpoint?.definition.title ?? state.closedLists[name]?.title ?? name,
                    // A list that cannot be read now has no count; the others do.
                    count: try endpoint.flatMap { try total(of: $0, in: &context) },
                    address: context.addresses.list(name)
                )
            )
        }
        var directory = ListDirectory(
            title: state.options.title,
            entries: entries,
            address: suffix.map(context.addresses.directory) ?? context.addresses.directory,
            alternates: [PageFormat.json, .html].filter { $0 != choice.format }
                .map { Alternate($0, address: context.addresses.directory($0)) }
        )
        directory.documentation = context.addresses.documentation()
        DocumentFields.add(for: choice, to: &response)
        // RFC 8631.
        response.addField(
            .link,
            "<\(context.addresses.description)>; rel=\"service-desc\"; type=\"application/json\""
        )
        context.render(choice.format, into: &response) { $0.render(directory, to: &$1) }
    }

    private func total(
        of endpoint: ServedList,
        in context: inout RequestContext
    ) throws(SourceError) -> Count? {
        do throws(SourceError) {
            return try endpoint.total()
        } catch .offloaded {
            throw .offloaded
        } catch {
            if error == .redefined { context.noticeRedefinition() }
            return nil
        }
    }
}
