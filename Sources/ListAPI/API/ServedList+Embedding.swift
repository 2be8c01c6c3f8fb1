import Listings
import Rendering

extension ServedList {
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

    private struct Found {
        var rows: [CellValue: [EmbeddedRow]] = [:]
        /// The value of the last row; nil if all rows were read.
        var last: CellValue?

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
        var sort: [SortKey] = []
        // The rows of one key follow one another.
        if list.isMany, case .column = filter.field { sort = [SortKey(filter.field)] }
        let page = try other.rows(filter, sortedBy: sort, limit: limit, in: list.scope)
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
    fileprivate func reference(ofRow row: Int, of page: borrowing Page) -> [CellValue] {
        guard let column = page.schema.index(of: column) else { return [] }
        let value = page.value(row: row, column: column)
        return value.isNull ? [] : [value]
    }

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
