extension ListReader {
    /// Fills a page with the row that has an id, which may be a child row.
    ///
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SourceError``; the page must not be used then.
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

    /// Fills a page with the children of a row, in the section of its topmost row.
    ///
    /// Only the events of the row and its ancestors are called, and only the models of the page are
    /// read.
    ///
    /// - Parameters:
    ///   - query: The query with the row (``ListQuery/parent``) and the start of the page.
    ///   - grouping: The grouping of the list into sections.
    ///   - page: The page, which is emptied and filled.
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
