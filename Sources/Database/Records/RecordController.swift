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
