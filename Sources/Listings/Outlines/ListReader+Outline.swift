extension ListReader {
    /// Fills a page with the one row that has an id, wherever it stands: also below others.
    ///
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SourceError``; the page is then not to be used.
    public func findRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        if try readRow(id, grouping: grouping, into: &page) { return true }
        guard hasOutline, let ids = RowPath(id)?.ids else { return false }
        let search = OutlineSearch(way: ids.dropFirst(), children: nil, signature: 0)
        return try find(search, from: ids[0], grouping: grouping, into: &page)
    }

    /// Fills a page with rows below a row, in the section that the topmost row stands in.
    ///
    /// Only the events of the rows on the way and of the row itself are asked, and only the models
    /// of the page are read.
    ///
    /// - Parameters:
    ///   - query: Names the row (``ListQuery/parent``) and where the page begins.
    ///   - grouping: How the list is cut into sections.
    ///   - page: Emptied and filled.
    /// - Throws: ``SourceError/unknownRow(_:)``, or as ``read(_:into:)``.
    public func readChildren(
        _ query: ListQuery,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) {
        guard let parent = query.parent else { return try read(query, into: &page) }
        let search = OutlineSearch(
            way: [],
            children: query,
            signature: query.signature(of: page.list, schema: page.schema)
        )
        if try find(search, from: parent, grouping: grouping, into: &page) { return }
        var below = search
        guard let ids = RowPath(parent)?.ids else { throw .unknownRow(parent) }
        below.way = ids.dropFirst()
        guard try find(below, from: ids[0], grouping: grouping, into: &page) else {
            throw .unknownRow(parent)
        }
    }

    private func find(
        _ search: OutlineSearch,
        from id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        page.search = search
        defer { page.search = nil }
        _ = try readRow(id, grouping: grouping, into: &page)
        if let error = page.search?.error { throw error }
        return page.search?.isFound == true
    }
}
