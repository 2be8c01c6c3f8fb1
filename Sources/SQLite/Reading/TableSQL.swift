import Database
import Listings

/// The columns of a list in the SQL of its table.
struct TableSQL {
    private let table: TableDescription
    private let schema: ListSchema

    init(_ table: TableDescription, schema: ListSchema) {
        self.table = table
        self.schema = schema
    }

    /// The step of an order that the key of a section is.
    func term(for grouping: Grouping) -> OrderTerm {
        OrderTerm(
            expression(for: grouping),
            nulls: table.columns[grouping.column].isNullable ? .last : nil
        )
    }

    /// The steps of an order that a sort key is: several where it is an id of several columns.
    func terms(_ key: SortKey) -> [OrderTerm] {
        switch key.field {
        case .id:
            table.quotedKey.map { OrderTerm($0 + keyCollation, key.direction, nulls: nil) }
        case .column(let column):
            [
                OrderTerm(
                    expression(forColumn: column),
                    key.direction,
                    nulls: table.columns[column].isNullable ? key.nulls : nil
                )
            ]
        }
    }

    /// The value of a column as it is compared.
    func expression(forColumn column: Int) -> String {
        let name = table.quotedColumns[column]
        guard table.isStored else { return name + " COLLATE BINARY" }
        return schema.columns[column].type.isText ? name + " COLLATE roster" : name
    }

    private func expression(for grouping: Grouping) -> String {
        switch grouping.part {
        case .value: expression(forColumn: grouping.column)
        case .initial: initial(ofColumn: grouping.column) + " COLLATE roster"
        }
    }

    private func initial(ofColumn column: Int) -> String {
        "roster_initial(\(table.quotedColumns[column]))"
    }

    /// Texts of ids are ordered by bytes, whatever a foreign table declares.
    private var keyCollation: String { table.isStored ? "" : " COLLATE BINARY" }

    /// What is selected of a row: see ``RecordLayout``.
    func selection(grouping: Grouping?) -> String {
        var parts = table.quotedKey
        parts.append(table.quotedRevision ?? "NULL")
        parts += table.quotedColumns
        if let grouping, grouping.part == .initial {
            parts.append(initial(ofColumn: grouping.column))
        }
        return parts.joined(separator: ", ")
    }

    /// The condition of the row that has an id, its parts bound at 1 and so on.
    ///
    /// A foreign key may be unique in an order of its own, in which a larger or smaller letter is
    /// the same: the index finds the row, the bytes decide.
    var identity: String {
        table.quotedKey.enumerated().map { index, name in
            let plain = "\(name) = ?\(index + 1)"
            return table.isStored ? plain : plain + " AND \(name) COLLATE BINARY = ?\(index + 1)"
        }.joined(separator: " AND ")
    }
}
