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

    /// Whether the cells of a row are of its model alone, whenever and wherever they are asked for.
    ///
    /// Then the rows of an array of models may be written once and kept, and ``write(_:to:)`` is not
    /// asked for each page: where most are short, about 64 MiB for a run at most, and events change
    /// nothing of rows (``RowEvents``). A model that comes alone by an edit, and small runs that edits
    /// join, are written for each page. A model that is an object must not change. Default false.
    var dependsOnModelAlone: Bool { get }

    /// The revision of a model, which changes whenever the model does; nil when none is kept.
    func revision(of model: Model) -> Int64?
}

extension RowController {
    /// No: nothing is promised.
    public var dependsOnModelAlone: Bool { false }
}
