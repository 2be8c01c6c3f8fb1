package import Listings

package struct RecordController: RecordRowController {
    package let kind: String
    package let columns: [Column]

    package init(list: String, columns: [Column]) {
        self.init(kind: list + ".row", columns: columns)
    }

    package init(kind: String, columns: [Column]) {
        self.kind = kind
        self.columns = columns
    }

    package func write(_ context: Context<Record>, to cells: inout CellBuffer) {
        context.model.write(columns.count, to: &cells)
    }

    package func write(_ model: Record, as rows: RowBatchEncoder, to page: inout Page) {
        model.append(columns.count, as: rows, to: &page)
    }

    package func revision(of model: Record) -> Int64? { model.revision }
}

/// The selection begins with the parts of the key, the revision and the columns of the list.
package struct RecordLayout: Sendable {
    package let keyTypes: [ColumnType]
    /// Whether a key may be null, because another program writes the table.
    package let mayLackKey: Bool
    package let columnForms: [ValueForm]
    package let selectsSection: Bool
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
