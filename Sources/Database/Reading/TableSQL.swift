package import Listings

package struct TableSQL {
    private let table: TableDescription
    private let schema: ListSchema
    private let dialect: any Dialect

    package init(_ table: TableDescription, schema: ListSchema, dialect: any Dialect) {
        self.table = table
        self.schema = schema
        self.dialect = dialect
    }

    package func term(for grouping: Grouping) -> OrderTerm {
        OrderTerm(
            comparand(for: grouping),
            nulls: table.columns[grouping.column].isNullable ? .last : nil,
            nativeNulls: dialect.nativeNulls
        )
    }

    /// A composite id has several steps.
    package func terms(_ key: SortKey) -> [OrderTerm] {
        switch key.field {
        case .id:
            table.key.indices.map { part in
                OrderTerm(
                    dialect.comparand(keyPart: part, of: table),
                    key.direction,
                    nulls: nil,
                    nativeNulls: dialect.nativeNulls
                )
            }
        case .column(let column):
            [
                OrderTerm(
                    comparand(forColumn: column),
                    key.direction,
                    nulls: table.columns[column].isNullable ? key.nulls : nil,
                    nativeNulls: dialect.nativeNulls,
                    absence: absence(of: column)
                )
            ]
        }
    }

    private func absence(of column: Int) -> String? {
        guard let join = table.columns[column].join, let joined = table.joined(by: column) else {
            return nil
        }
        let value = TableSQL(joined, schema: schema, dialect: dialect).comparand(forColumn: column)
        return "NOT EXISTS (SELECT 1 FROM \(join.source) WHERE \(join.keyCondition)"
            + " AND \(value.expression) IS NOT NULL)"
    }

    package func comparand(forColumn column: Int) -> Operand {
        dialect.comparand(column: column, of: table, as: schema.columns[column].type)
    }

    private func comparand(for grouping: Grouping) -> Operand {
        switch grouping.part {
        case .value: comparand(forColumn: grouping.column)
        case .initial: dialect.comparand(initialOf: grouping.column, of: table)
        }
    }

    package func selection(grouping: Grouping?) -> String {
        var parts = table.quotedKey
        parts.append(table.quotedRevision ?? "NULL")
        parts += table.columns.indices.map { column in
            let value = dialect.selection(column: column, of: table)
            // In ORDER BY, the name of the column must not mean the selected expression.
            let isPlain = value == table.quotedColumns[column] && !table.columns[column].isDerived
            return isPlain ? value : "\(value) AS \"roster:\(column)\""
        }
        if let grouping, grouping.part == .initial {
            parts.append(dialect.initial(of: grouping.column, of: table))
        }
        return parts.joined(separator: ", ")
    }

    /// The parts of the id are bound from placeholder 1 on.
    package var identity: String {
        table.key.indices.map { dialect.identity(keyPart: $0, of: table, placeholder: $0 + 1) }
            .joined(separator: " AND ")
    }
}
