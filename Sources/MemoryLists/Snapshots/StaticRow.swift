public import Listings

/// A row that is its own model, with finished cells.
public struct StaticRow: Identifiable, Hashable, Sendable {
    /// The id of the row in URLs.
    public let id: String
    /// The cells, one for each column of the rows of its run.
    public var cells: [CellValue]

    /// Creates a row.
    public init(id: String, cells: [CellValue]) {
        self.id = id
        self.cells = cells
    }
}

/// A row controller of ready-made rows.
struct ReadyRowController: RowController {
    let kind: String
    let columns: [Column]

    func write(_ context: Context<StaticRow>, to cells: inout CellBuffer) {
        for cell in context.model.cells { cells.append(cell) }
    }

    func revision(of model: StaticRow) -> Int64? { nil }
}
