/// Converts the models of one type into rows.
///
/// The counterpart of a cell adapter. It is registered once per model type, and defines the columns
/// and their cells.
public protocol RowController<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// The kind of row, for example `user.row`: the reuse identifier.
    var kind: String { get }

    /// The columns, in their order.
    var columns: [Column] { get }

    /// Writes one cell per column, in their order.
    ///
    /// - Parameters:
    ///   - context: The model and its position.
    ///   - cells: The buffer to append the cells to.
    /// - Throws: Any error. The page then shows an error instead of this row.
    func write(_ context: Context<Model>, to cells: inout CellBuffer) throws

    /// Returns the revision of a model, which changes whenever the model does; nil if it has none.
    func revision(of model: Model) -> Int64?
}
