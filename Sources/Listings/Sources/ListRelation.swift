/// A foreign key: a column whose values name the rows of another list.
package struct ListRelation: Hashable, Sendable {
    package let list: String
    package let column: String
    /// The list with the named rows, which can be the same list.
    package let target: String
    /// The id of the column of that list with the same values; nil for the ids of its rows.
    package let key: String?

    package init(list: String, column: String, target: String, key: String? = nil) {
        self.list = list
        self.column = column
        self.target = target
        self.key = key == ListSchema.idName ? nil : key
    }

    /// The name in addresses: that of the column without `_id`, `Id` or `ID` at its end.
    ///
    /// A column that has no other letters gives the name of the list that it refers to.
    package var name: String {
        for suffix in ["_id", "_ID", "Id", "ID"] where column.hasSuffix(suffix) {
            let stem = column.dropLast(suffix.count)
            return stem.isEmpty ? target : String(stem)
        }
        return column == ListSchema.idName ? target : column
    }
}

/// The label of a row, and its key, which a value can spell otherwise, as in `1.0` for 1.
package typealias RowLabel = (text: String, key: String)

package struct Lookup: Hashable, Sendable {
    package let relation: ListRelation
    /// Columns whose values label the rows; empty if the list has no such column.
    package let labels: [String]
    package let scope: RowScope

    package init(_ relation: ListRelation, labels: [String], scope: RowScope) {
        self.relation = relation
        self.labels = labels
        self.scope = scope
    }

    package func show(_ label: String, inCell cell: Int, of page: inout Page) {
        page.ownCells.setDisplay(label, of: cell)
    }
}

/// A condition on the rows that a foreign key names, as in `customer.name__contains=Ada`.
package struct RelatedFilter: Hashable, Sendable {
    package let lookup: Lookup
    package let filter: Filter
    package let name: String
    package let value: String

    package init(_ lookup: Lookup, _ filter: Filter, name: String, value: String) {
        self.lookup = lookup
        self.filter = filter
        self.name = name
        self.value = value
    }
}

extension Filter {
    /// The condition whose rows are exactly the others with a key.
    ///
    /// A row without a value meets only negative conditions, and so does a missing row. Such a
    /// condition is therefore the opposite of a positive one.
    package var positive: (filter: Filter, isOpposite: Bool) {
        func replaced(_ operation: Operator, _ operands: [CellValue]) -> Filter {
            switch field {
            case .id: Filter(id: operation, operands.map(\.plainText))
            case .column(let column): Filter(column: column, operation, operands)
            }
        }
        switch operation {
        case .notEqual: return (replaced(.equal, operands), true)
        case .notAmong: return (replaced(.among, operands), true)
        case .isNull where operands == [.boolean(true)]:
            return (replaced(.isNull, [.boolean(false)]), true)
        default: return (self, false)
        }
    }
}
