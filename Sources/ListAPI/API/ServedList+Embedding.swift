import Listings
import Rendering

extension ServedList {
    /// Reads the rows of other lists that belong in the rows of a page.
    ///
    /// One query reads each list.
    ///
    /// - Parameters:
    ///   - lists: The lists.
    ///   - page: The page.
    ///   - addresses: The addresses of the service.
    /// - Returns: The rows inside each row of the page.
    /// - Throws: The error of another list.
    func embedded(
        _ lists: [EmbeddedList],
        inRowsOf page: borrowing Page,
        _ addresses: Address
    ) throws(SourceError) -> [[EmbeddedRows]] {
        var embedded: [[EmbeddedRows]] = Array(repeating: [], count: page.rowCount)
        for list in lists {
            let keys = (0..<page.rowCount).map { list.key(ofRow: $0, of: page) }
            let found = try rows(of: list, for: Set(keys).subtracting([""]).sorted(), addresses)
            for (row, key) in keys.enumerated() {
                embedded[row].append(
                    EmbeddedRows(
                        name: list.name,
                        isMany: list.isMany,
                        rows: found.rows[key] ?? [],
                        hasMore: !key.isEmpty && found.hasMore(key)
                    )
                )
            }
        }
        return embedded
    }

    /// The rows of a list by the keys that they have.
    private struct Found {
        var rows: [String: [EmbeddedRow]] = [:]
        /// The key of the last row; nil if all rows were read.
        var last: String?

        /// Whether rows with a key may not have been read.
        func hasMore(_ key: String) -> Bool {
            last.map { $0 == key || rows[key] == nil } ?? false
        }
    }

    private func rows(
        of list: EmbeddedList,
        for keys: [String],
        _ addresses: Address
    ) throws(SourceError) -> Found {
        guard !keys.isEmpty, let other = try related(list.list),
            let filter = list.filter(keys, in: other.schema)
        else { return Found() }
        let limit = list.isMany ? Embedding.maximumRows : keys.count
        var query = ListQuery(shape: .flow(limit: limit))
        query.mergesSections = true
        query.counting = .off
        query.filters = [filter]
        // The rows of one key follow one another.
        if list.isMany, case .column = filter.field { query.sort = [SortKey(filter.field)] }
        var page = Page(list: list.list, schema: other.schema)
        try other.reader.read(ScopedQuery(query, in: list.scope), into: &page)
        let inside = try other.embedded(list.lists, inRowsOf: page, addresses)
        let columns =
            list.columns.map { $0.compactMap(other.schema.index) }
            ?? Array(other.schema.columns.indices)
        var found = Found()
        for row in 0..<page.rowCount {
            let id = page.id(ofRow: row)
            let key = list.otherKey(ofRow: row, of: page)
            let cells = columns.map { column in
                (
                    column: other.schema.columns[column].id,
                    value: page.value(row: row, column: column)
                )
            }
            found.rows[key, default: []].append(
                EmbeddedRow(
                    id: id,
                    address: addresses.row(id, of: list.list),
                    cells: cells,
                    embedded: inside[row]
                )
            )
            if list.isMany, page.next != nil { found.last = key }
        }
        return found
    }
}

extension EmbeddedList {
    /// The key of a row of the list around the embedded rows; empty if it has none.
    fileprivate func key(ofRow row: Int, of page: borrowing Page) -> String {
        isMany ? relation.value(ofRow: row, of: page) : relation.reference(ofRow: row, of: page)
    }

    /// The key of an embedded row.
    fileprivate func otherKey(ofRow row: Int, of page: borrowing Page) -> String {
        isMany ? relation.reference(ofRow: row, of: page) : relation.value(ofRow: row, of: page)
    }

    /// The condition for the rows with some keys; nil if none can have them.
    fileprivate func filter(_ keys: [String], in schema: ListSchema) -> Filter? {
        guard isMany else { return relation.filter(keys, in: schema) }
        return ListRelation(
            list: relation.target,
            column: relation.column,
            target: relation.list,
            key: relation.column
        ).filter(keys, in: schema)
    }
}

extension ListRelation {
    /// The value of the foreign key in a row; empty if it has none.
    fileprivate func reference(ofRow row: Int, of page: borrowing Page) -> String {
        guard let column = page.schema.index(of: column) else { return "" }
        return page.value(row: row, column: column).plainText
    }
}
