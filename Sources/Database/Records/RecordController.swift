package import Listings

/// Shows records: every column of the list as it was stored.
package struct RecordController: PlainRowController {
    /// Names the kind of every record's row.
    package let kind: String
    /// The columns of the list.
    package let columns: [Column]

    /// Shows the records of a list, as rows of the kind `<list>.row`.
    package init(list: String, columns: [Column]) {
        self.init(kind: list + ".row", columns: columns)
    }

    /// Shows records as rows of a kind, which may be that of another controller.
    package init(kind: String, columns: [Column]) {
        self.kind = kind
        self.columns = columns
    }

    /// Copies the cells of a record.
    package func write(_ context: Context<Record>, to cells: inout CellBuffer) {
        context.model.write(columns.count, to: &cells)
    }

    /// Appends the whole row of a record, its id among it.
    package func write(_ model: Record, as rows: PlainRows, to page: inout Page) {
        model.append(columns.count, as: rows, to: &page)
    }

    /// The revision of a record, where the table keeps one.
    package func revision(of model: Record) -> Int64? { model.revision }
}
