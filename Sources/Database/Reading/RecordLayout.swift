package import Listings

/// The positions of the selected columns of a table and of the resulting cells.
///
/// The selection begins with the parts of the key, the revision and the columns of the list. A
/// section key that is not a column follows.
package struct RecordLayout: Sendable {
    /// The types of the parts of the key.
    package let keyTypes: [ColumnType]
    /// The forms of the columns.
    package let columnForms: [ValueForm]
    /// Whether the section key is selected after the columns.
    package let selectsSection: Bool
    /// The position of the section key among the cells of a record, or nil without sections.
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
