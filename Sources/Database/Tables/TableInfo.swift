package import Listings

/// The rules of a database for writes to a table that another program made.
package struct TableInfo: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let hasDefault: Bool
        /// The expression of the default; nil unless statements repeat it.
        package let defaultSQL: String?
        /// Whether the database makes every value itself.
        package let isMade: Bool
        package let takesValues: Bool
        /// Whether the column is never null and not part of the key.
        package let isFilled: Bool
        /// Whether all values have the column's type, although the database would store others.
        package let isUniform: Bool

        package init(
            hasDefault: Bool,
            defaultSQL: String? = nil,
            isMade: Bool,
            takesValues: Bool,
            isFilled: Bool,
            isUniform: Bool = false
        ) {
            self.hasDefault = hasDefault
            self.defaultSQL = defaultSQL
            self.isMade = isMade
            self.takesValues = takesValues
            self.isFilled = isFilled
            self.isUniform = isUniform
        }
    }

    package let columns: [Column]
    package let key: [Column]
    /// Partitioned tables cannot, and a trigger may write the row again.
    package let returnsRevisions: Bool

    package init(columns: [Column], key: [Column], returnsRevisions: Bool) {
        self.columns = columns
        self.key = key
        self.returnsRevisions = returnsRevisions
    }

    package var required: [Int] {
        columns.indices.filter { position in
            let column = columns[position]
            return column.isFilled && !column.hasDefault && column.takesValues
        }
    }

    package func rules(
        _ schema: ListSchema,
        requiring others: [String],
        keyColumns: [Int]
    ) -> RowRules {
        var rules = RowRules(
            schema,
            required: others + required.map { schema.columns[$0].id },
            keyColumns: keyColumns,
            madeColumns: columns.indices.filter { columns[$0].isMade }
        )
        rules.requireTypes(columns.indices.filter { columns[$0].isUniform })
        return rules
    }

    package func choosing(_ positions: [Int]) -> TableInfo {
        TableInfo(
            columns: positions.map { columns[$0] },
            key: key,
            returnsRevisions: returnsRevisions
        )
    }
}

/// A table that another program made, as its writers see it.
package struct ForeignTable: Sendable {
    package let table: TableDescription
    package let info: TableInfo
    /// The columns of the parts of the key; nil if the id alone provides the part.
    package let keyColumns: [Int?]
    private let rules: RowRules

    package init(_ table: TableDescription, _ info: TableInfo, _ rules: RowRules) {
        (self.table, self.info, self.rules) = (table, info, rules)
        keyColumns = table.key.map { part in
            rules.valueColumns.first { table.columns[$0].name == part.name }
        }
    }

    /// Returns errors for values that cannot be written: generated ones, and key parts that differ
    /// from the id.
    package func faults(
        _ values: [(column: Int, value: CellValue)],
        ofKey key: [CellValue]
    ) -> [FieldValidationError] {
        values.compactMap { column, value in
            let part = key.indices.first { keyColumns[$0] == column }
            if let part, key[part].plainText != value.plainText {
                let reason = "The value identifies the row, so that it stays."
                return FieldValidationError(column: column, .refused(reason))
            }
            let facts = info.columns[column]
            guard part == nil, !facts.takesValues, facts.isMade || !value.isNull else { return nil }
            return FieldValidationError(
                column: column,
                facts.isMade ? .notGiven : .wrongType(.bytes)
            )
        }
    }

    /// The columns that get the values of a new row where a row is replaced.
    package func reset(by values: [Int: CellValue], of row: StoredRow) -> [Int] {
        rules.valueColumns.filter { column in
            values[column] == nil && !keyColumns.contains(column)
                && info.columns[column].takesValues
                && (info.columns[column].hasDefault || !row.values[column].isNull)
        }
    }

    /// The database does not say which value it refuses.
    package func faults(
        of values: [Int: CellValue],
        _ reason: FieldValidationError.Reason
    ) -> [FieldValidationError] {
        let all = values.keys.sorted().map { FieldValidationError(column: $0, reason) }
        return all.isEmpty ? [FieldValidationError(column: nil, reason)] : all
    }

    package func positions(_ names: [String]) -> [Int] {
        table.columns.indices.filter { names.contains(table.columns[$0].name) }
    }
}
