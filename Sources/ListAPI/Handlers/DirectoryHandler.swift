import HTTP
import Listings
import Rendering

enum DirectoryHandler {
    static func respond(to call: inout Call, suffix: PageFormat?) throws {
        let choice = try call.choose(among: [.json, .html], suffix: suffix)
        var parameters = ListParameters(call.request, accepted: .accepted(at: .directory))
        let search = parameters.readSearch(ofAllLists: true)
        // A form without words searches for nothing.
        if parameters.errors.map(\.code) == ["missing-value"] {
            return call.response.redirect(to: call.addresses.directory)
        }
        try call.refuseErrors(of: parameters)
        let deadline = ContinuousClock.now + Self.readingTime
        var entries: [ListDirectory.Entry] = []
        for name in call.shownNames {
            let endpoint = call.visibleEndpoint(name)
            let definition = call.service.lists[name]?.definition
            var entry = ListDirectory.Entry(
                name: name,
                title: definition?.title ?? name,
                count: nil,
                address: call.addresses.list(name)
            )
            entry.description = definition?.about.description
            entry.isUnavailable = endpoint == nil
            if let endpoint, ContinuousClock.now < deadline {
                read(endpoint, search, into: &entry, in: &call)
            }
            entries.append(entry)
        }
        var directory = ListDirectory(
            title: call.service.options.title,
            entries: entries,
            address: suffix.map(call.addresses.directory) ?? call.addresses.directory,
            alternates: [PageFormat.json, .html].filter { $0 != choice.format }
                .map { Alternate($0, address: call.addresses.directory($0)) }
        )
        directory.documentation = call.addresses.documentation()
        directory.search = search
        if call.mayCreate, let creation = call.service.options.creation {
            directory.creation = creation.keepsTypes ? .ofTypedColumns : .ofColumns
        }
        directory.suggestsSources = call.service.options.access == nil
        if call.service.options.access == nil || call.caller?.mayOperate == true {
            directory.failures = (call.service.options.lists?.current.failures ?? []).map {
                ListDirectory.Failure(source: $0.name, reason: $0.reason)
            }
        }
        DocumentFields.add(for: choice, to: &call.response)
        // RFC 8631.
        call.response.addField(
            .link,
            "<\(call.addresses.description)>; rel=\"service-desc\"; type=\"application/json\""
        )
        call.render(choice.format) { $0.render(directory, to: &$1) }
    }

    /// The time after which no further list is read, so that many lists do not delay the page.
    private static let readingTime: Duration = .seconds(1)
    private static let shownMatches = 3

    /// A list that cannot be read now has no count; the others do.
    private static func read(
        _ endpoint: ServedList,
        _ search: TextSearch?,
        into entry: inout ListDirectory.Entry,
        in call: inout Call
    ) {
        do throws(SourceError) {
            if let search { try find(search, in: endpoint, into: &entry, call.addresses) }
            entry.count = try endpoint.total()
        } catch {
            switch error {
            case .outOfTime, .indexing: break
            case .redefined: call.noticeRedefinition()
            default: entry.isUnavailable = true
            }
        }
    }

    private static func find(
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
            let title = endpoint.page.title(ofRow: row)
            return ListDirectory.Match(
                title: title,
                address: addresses.row(id, of: endpoint.definition.name),
                snippet: snippet(of: search, ofRow: row, titled: title, on: endpoint.page)
            )
        }
    }

    /// Returns the words of a search in the first cell with any that the title does not show.
    private static func snippet(
        of search: TextSearch,
        ofRow row: Int,
        titled title: String,
        on page: borrowing Page
    ) -> Snippet? {
        for column in page.shownColumns where page.schema.searchable.contains(column) {
            guard let cell = page.cell(row: row, column: column) else { continue }
            let text = page.cells.value(cell).plainText
            if !title.contains(text), let snippet = Snippet(of: search, in: text) { return snippet }
        }
        return nil
    }
}
