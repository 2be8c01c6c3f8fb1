/// A row that is its own model: cells as they are, with no controller to make them.
public struct ReadyRow: Identifiable, Hashable, Sendable {
    /// Names the row in addresses.
    public let id: String
    /// The cells, one for each column of the rows it stands among.
    public var cells: [CellValue]

    /// Creates a row.
    public init(id: String, cells: [CellValue]) {
        self.id = id
        self.cells = cells
    }
}

/// Shows ready-made rows.
struct ReadyRowController: RowController {
    let kind: String
    let columns: [Column]

    func write(_ context: Context<ReadyRow>, to cells: inout CellBuffer) {
        for cell in context.model.cells { cells.append(cell) }
    }

    func revision(of model: ReadyRow) -> Int64? { nil }
}
