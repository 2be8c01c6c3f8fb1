/// The facts about a table that writing needs in addition to reading.
package struct TableInfo: Hashable, Sendable {
    /// The facts about a column.
    package struct Column: Hashable, Sendable {
        /// Whether the database provides a value by default.
        let hasDefault: Bool
        /// Whether a write may set a value.
        let takesValues: Bool
        /// Whether the column is never null and not part of the key.
        let isFilled: Bool
    }

    /// The facts about the list's columns in order.
    package let columns: [Column]
    /// The facts about the key's columns in order.
    package let key: [Column]

    /// The positions of the columns that need a value in every new row.
    package var required: [Int] {
        columns.indices.filter { position in
            let column = columns[position]
            return column.isFilled && !column.hasDefault && column.takesValues
        }
    }

    /// Returns the facts for a selection of the columns in this order.
    package func choosing(_ positions: [Int]) -> TableInfo {
        TableInfo(columns: positions.map { columns[$0] }, key: key)
    }
}
