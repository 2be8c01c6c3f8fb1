import Database
import Listings
import Testing

/// A list whose rows are written, of any engine.
protocol WrittenList: Sendable {
    var source: TableSource { get }

    func reopened() throws -> Self
}

extension WrittenList {
    var schema: ListSchema { source.schema }

    func makeWriter() throws -> any ListWriter { try #require(try source.makeWriter()) }

    func column(_ id: String) throws -> Int { try #require(schema.index(of: id)) }

    func change(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> RowChange {
        var byPosition: [Int: CellValue] = [:]
        for (name, value) in values { byPosition[try column(name)] = value }
        return RowChange(verb, id: id, values: byPosition, conditions: conditions)
    }

    /// Performs changes; answers with what became of each.
    func write(
        _ changes: [RowChange],
        manner: WriteBatch.Manner = .allOrNothing
    ) throws -> [Result<ChangedRow, RowRefusal>] {
        try makeWriter().write(changes, of: self, manner: manner)
    }

    func write(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> ChangedRow {
        try write([change(verb, id, values, when: conditions)])[0].get()
    }

    func refusal(
        _ verb: RowChange.Verb,
        _ id: String?,
        _ values: [String: CellValue] = [:],
        when conditions: [RowCondition] = []
    ) throws -> RowRefusal? {
        let change = try change(verb, id, values, when: conditions)
        do {
            _ = try write([change])
            return nil
        } catch WriteError.refused(let refusals) {
            return refusals[0]
        }
    }

    func respond(
        to receipt: WriteReceipt,
        name: String = "Cy",
        text: String = "first\0\u{FF}"
    ) throws -> WriteResponse {
        var page = Page(list: "people", schema: schema)
        let batch = WriteBatch([try change(.insert, nil, ["name": .text(name)])], receipt: receipt)
        return try makeWriter().write(batch, into: &page) { _, _ in Array(text.utf8) }
    }

    func rows() throws -> [[String]] {
        var page = Page(list: "people", schema: schema)
        try source.makeReader().read(ListQuery(shape: .flow(limit: 500)), into: &page)
        return (0..<page.rowCount).map { row in
            [page.id(ofRow: row)]
                + schema.columns.indices.filter { $0 != schema.idColumn }
                .map { page.value(row: row, column: $0).plainText }
        }
    }

    func version() throws -> ListVersion { try source.makeReader().version() }
}

extension ListWriter {
    /// Performs changes; answers with what became of each.
    func write(
        _ changes: [RowChange],
        of list: some WrittenList,
        manner: WriteBatch.Manner = .allOrNothing
    ) throws -> [Result<ChangedRow, RowRefusal>] {
        var page = Page(list: "people", schema: list.schema)
        var all: [Result<ChangedRow, RowRefusal>] = []
        _ = try write(WriteBatch(changes, manner: manner), into: &page) { _, results in
            all = results
            return []
        }
        return all
    }

    func write(_ change: RowChange, of list: some WrittenList) throws -> ChangedRow {
        try write([change], of: list)[0].get()
    }
}
