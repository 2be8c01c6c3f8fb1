/// What has to be known of a table that rows are written to, besides what reading it takes.
package struct TableFacts: Hashable, Sendable {
    /// What is known of a column.
    package struct Column: Hashable, Sendable {
        /// Whether the database has a value where none is given.
        let hasDefault: Bool
        /// Whether a value may be given.
        let takesValues: Bool
        /// Whether every row has a value that its id does not give.
        let isFilled: Bool
    }

    /// Of the columns of the list, in their order.
    package let columns: [Column]
    /// Of the columns of the key, in their order.
    package let key: [Column]

    /// The positions of the columns that every new row needs a value for.
    package var required: [Int] {
        columns.indices.filter { position in
            let column = columns[position]
            return column.isFilled && !column.hasDefault && column.takesValues
        }
    }

    /// The same of some of the columns, in another order.
    package func choosing(_ positions: [Int]) -> TableFacts {
        TableFacts(columns: positions.map { columns[$0] }, key: key)
    }
}
