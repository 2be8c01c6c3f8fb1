import Listings
import Rendering

extension ServedList {
    /// Reads the rows of other lists that belong in the rows of a page.
    ///
    /// One query reads each list.
    func embedded(
        _ lists: [EmbeddedList],
        inRowsOf page: borrowing Page,
        _ addresses: Address
    ) throws(SourceError) -> [[EmbeddedRows]] {
        var embedded: [[EmbeddedRows]] = Array(repeating: [], count: page.rowCount)
        for list in lists {
            guard let other = try owner?.open(list.list) else { continue }
            let referring = list.isMany ? other.schema : schema
            let values = (0..<page.rowCount).map { row in
                list.isMany
                    ? list.relation.named(by: row, of: page, in: referring)
                    : list.relation.reference(ofRow: row, of: page)
            }
            let all = Set(values.joined())
            let found = try rows(of: list, in: other, referring, for: all, addresses)
            for (row, values) in values.enumerated() {
                embedded[row].append(
                    EmbeddedRows(
                        name: list.name,
                        isMany: list.isMany,
                        rows: values.flatMap { found.rows[$0] ?? [] },
                        hasMore: found.hasMore(values)
                    )
                )
            }
        }
        return embedded
    }

    /// The rows of a list by the values of the foreign key.
    private struct Found {
        var rows: [CellValue: [EmbeddedRow]] = [:]
        /// The value of the last row; nil if all rows were read.
        var last: CellValue?

        /// Whether rows with one of some values may not have been read.
        func hasMore(_ values: [CellValue]) -> Bool {
            last.map { values.contains($0) || values.contains { rows[$0] == nil } } ?? false
        }
    }

    private func rows(
        of list: EmbeddedList,
        in other: ServedList,
        _ referring: ListSchema,
        for values: Set<CellValue>,
        _ addresses: Address
    ) throws(SourceError) -> Found {
        guard !values.isEmpty, let filter = list.filter(values, in: other.schema) else {
            return Found()
        }
        let limit = list.isMany ? Embedding.maximumRows : filter.operands.count
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
            let keys =
                list.isMany
                ? list.relation.reference(ofRow: row, of: page)
                : list.relation.named(by: row, of: page, in: referring)
            let cells = columns.map { column in
                (
                    column: other.schema.columns[column].id,
                    value: page.value(row: row, column: column)
                )
            }
            let shown = EmbeddedRow(
                id: id,
                address: addresses.row(id, of: list.list),
                cells: cells,
                embedded: inside[row]
            )
            for key in keys { found.rows[key, default: []].append(shown) }
            if list.isMany, page.next != nil { found.last = keys.last }
        }
        return found
    }
}

extension EmbeddedList {
    /// The condition for the rows with some values of the foreign key; nil if none can have them.
    fileprivate func filter(_ values: Set<CellValue>, in schema: ListSchema) -> Filter? {
        guard isMany else { return relation.filter(values, in: schema) }
        return schema.index(of: relation.column).map { Filter(column: $0, .among, Array(values)) }
    }
}

extension ListRelation {
    /// The value of the foreign key in a row; none if it is null.
    fileprivate func reference(ofRow row: Int, of page: borrowing Page) -> [CellValue] {
        guard let column = page.schema.index(of: column) else { return [] }
        let value = page.value(row: row, column: column)
        return value.isNull ? [] : [value]
    }

    /// The values of the foreign key that name a row of the list that it refers to.
    fileprivate func named(
        by row: Int,
        of page: borrowing Page,
        in schema: ListSchema
    ) -> [CellValue] {
        guard let column = schema.index(of: column) else { return [] }
        let key = value(ofRow: row, of: page)
        return key.isEmpty ? [] : schema.columns[column].keys(for: key)
    }
}
