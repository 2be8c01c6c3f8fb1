package import Listings

/// Shows records: every column of the list as it is stored.
package struct RecordController: RecordRowController {
    /// The kind of every row.
    package let kind: String
    /// The columns of the list.
    package let columns: [Column]

    /// Creates a controller for the records of a list, whose rows have the kind `<list>.row`.
    package init(list: String, columns: [Column]) {
        self.init(kind: list + ".row", columns: columns)
    }

    /// Creates a controller for rows of a kind, which another controller may share.
    package init(kind: String, columns: [Column]) {
        self.kind = kind
        self.columns = columns
    }

    /// Copies the cells of a record.
    package func write(_ context: Context<Record>, to cells: inout CellBuffer) {
        context.model.write(columns.count, to: &cells)
    }

    /// Appends the complete row of a record, including its id.
    package func write(_ model: Record, as rows: RowBatchEncoder, to page: inout Page) {
        model.append(columns.count, as: rows, to: &page)
    }

    /// The revision of a record, if the table has revisions.
    package func revision(of model: Record) -> Int64? { model.revision }
}

/// The positions of the selected columns of a table and of the resulting cells.
///
/// The selection begins with the parts of the key, the revision and the columns of the list. A
/// section key that is not a column follows.
package struct RecordLayout: Sendable {
    /// The types of the parts of the key.
    package let keyTypes: [ColumnType]
    /// Whether a key may be null, because another program writes the table.
    package let mayLackKey: Bool
    package let columnForms: [ValueForm]
    /// Whether the section key is selected after the columns.
    package let selectsSection: Bool
    /// The position of the section key among the cells of a record, or nil without sections.
    let sectionCell: Int?

    init(table: TableDescription, schema: ListSchema, grouping: Grouping?) {
        keyTypes = table.key.map(\.type)
        mayLackKey = !table.isStored
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
