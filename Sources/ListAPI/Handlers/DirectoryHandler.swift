import HTTP
import Listings
import Rendering

/// Responds with the directory of all lists.
struct DirectoryHandler {
    let service: Service

    /// Responds with the directory of all lists.
    func respond(
        to request: borrowing HTTPRequest,
        suffix: PageFormat?,
        in context: inout RequestContext,
        with response: inout HTTPResponse
    ) throws {
        let choice = try context.choose(among: [.json, .html], suffix: suffix, request)
        var parameters = ListParameters(request, accepted: .accepted(at: .directory))
        let search = parameters.readSearch(ofAllLists: true)
        // A form without words searches for nothing.
        if parameters.errors.map(\.code) == ["missing-value"] {
            response.status = .seeOther
            return response.addField(.location, context.addresses.directory)
        }
        try context.refuseErrors(of: parameters, request)
        let deadline = ContinuousClock.now + Self.readingTime
        var entries: [ListDirectory.Entry] = []
        for name in context.shownNames {
            let endpoint = context.visibleEndpoint(name)
            let definition = service.lists[name]?.definition
            var entry = ListDirectory.Entry(
                name: name,
                title: definition?.title ?? name,
                count: nil,
                address: context.addresses.list(name)
            )
            entry.description = definition?.about.description
            entry.isUnavailable = endpoint == nil
            if let endpoint, ContinuousClock.now < deadline {
                read(endpoint, search, into: &entry, in: &context)
            }
            entries.append(entry)
        }
        var directory = ListDirectory(
            title: service.options.title,
            entries: entries,
            address: suffix.map(context.addresses.directory) ?? context.addresses.directory,
            alternates: [PageFormat.json, .html].filter { $0 != choice.format }
                .map { Alternate($0, address: context.addresses.directory($0)) }
        )
        directory.documentation = context.addresses.documentation()
        directory.search = search
        directory.suggestsSources = service.options.access == nil
        DocumentFields.add(for: choice, to: &response)
        // RFC 8631.
        response.addField(
            .link,
            "<\(context.addresses.description)>; rel=\"service-desc\"; type=\"application/json\""
        )
        context.render(choice.format, into: &response) { $0.render(directory, to: &$1) }
    }

    /// The time after which no further list is read, so that many lists do not delay the page.
    private static let readingTime: Duration = .seconds(1)
    /// The maximum number of rows that a search shows of each list.
    private static let shownMatches = 3

    /// Counts the rows of a list and finds those that match a search.
    ///
    /// A list that cannot be read now has no count; the others do.
    private func read(
        _ endpoint: ServedList,
        _ search: TextSearch?,
        into entry: inout ListDirectory.Entry,
        in context: inout RequestContext
    ) {
        do throws(SourceError) {
            if let search { try find(search, in: endpoint, into: &entry, context.addresses) }
            entry.count = try endpoint.total()
        } catch {
            switch error {
            case .outOfTime, .indexing: break
            case .redefined: context.noticeRedefinition()
            default: entry.isUnavailable = true
            }
        }
    }

    /// Finds the first rows of a list that match; none in a list without texts.
    private func find(
        _ search: TextSearch,
        in endpoint: ServedList,
        into entry: inout ListDirectory.Entry,
        _ addresses: Address
    ) throws(SourceError) {
        guard !endpoint.schema.searchable.isEmpty else {
            entry.matches = []
            return
        }
        var query = ListQuery(shape: .flow(limit: Self.shownMatches))
        query.sort = endpoint.schema.defaultSort
        query.search = search
        query.counting = .off
        try endpoint.read(ScopedQuery(query, in: endpoint.view.scope))
        entry.hasMoreMatches = endpoint.page.next != nil
        entry.matches = (0..<endpoint.page.rowCount).map { row in
            let id = endpoint.page.id(ofRow: row)
            return ListDirectory.Match(
                title: endpoint.page.title(ofRow: row),
                address: addresses.row(id, of: endpoint.definition.name)
            )
        }
    }
}
