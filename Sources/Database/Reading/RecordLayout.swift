package import Listings

/// Where everything stands in what is selected of a table, and in the cells made of it.
///
/// Selected: the parts of the key, the revision, the columns of the list, and the key of the section
/// where it is no column.
package struct RecordLayout: Sendable {
    /// The types of the parts of the key.
    package let keyTypes: [ColumnType]
    /// The forms of the columns.
    package let columnForms: [ValueForm]
    /// Whether the key of the section is selected behind the columns.
    package let selectsSection: Bool
    /// The place of the section's key among the cells of a record; nil without sections.
    let sectionCell: Int?

    init(table: TableDescription, schema: ListSchema, grouping: Grouping?) {
        keyTypes = table.key.map(\.type)
        columnForms = zip(table.columns, schema.columns).map { stored, column in
            stored.isKeyed ? .keyed(column.type) : .stored(column.type)
        }
        selectsSection = grouping?.part == .initial
        switch grouping?.part {
        case nil: sectionCell = nil
        case .value: sectionCell = grouping.map { RecordBatch.firstColumnCell + $0.column }
        case .initial: sectionCell = RecordBatch.firstColumnCell + schema.columns.count
        }
    }

    var cellsPerRecord: Int {
        RecordBatch.firstColumnCell + columnForms.count + (selectsSection ? 1 : 0)
    }
}
