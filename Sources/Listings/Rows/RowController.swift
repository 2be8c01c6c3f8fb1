/// Turns the models of one type into rows.
///
/// The counterpart of a cell adapter: registered once per model type, it says which columns there
/// are and what stands in them.
public protocol RowController<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// Names the kind of row, for example `user.row`: the reuse identifier.
    var kind: String { get }

    /// The columns, in their order.
    var columns: [Column] { get }

    /// Writes one cell per column, in their order.
    ///
    /// - Parameters:
    ///   - context: The model and where it stands.
    ///   - cells: Takes the cells.
    /// - Throws: Anything; the page then shows an error in place of this row and goes on.
    func write(_ context: Context<Model>, to cells: inout CellBuffer) throws

    /// The revision of a model, which changes whenever the model does; nil when none is kept.
    func revision(of model: Model) -> Int64?
}
