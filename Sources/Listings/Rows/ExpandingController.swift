/// Turns each model of one type into several rows, the same number for all.
///
/// The counterpart of a binding section controller. The rows of a model stand together, in the
/// order of ``parts``, and a page never comes between them; the id of a row is the model's, `#` and
/// the name of its part.
public protocol ExpandingController<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// The rows of each model, at least one; asked for once, when the controller is registered.
    var parts: [RowPart] { get }

    /// The columns of all rows, in their order.
    var columns: [Column] { get }

    /// Writes one cell per column of one row of a model.
    ///
    /// - Parameters:
    ///   - part: The row's position among ``parts``.
    ///   - context: The model and where it stands.
    ///   - cells: Takes the cells.
    /// - Throws: Anything; the page then shows an error in place of this row and goes on.
    func write(part: Int, of context: Context<Model>, to cells: inout CellBuffer) throws

    /// The revision of a model, which changes whenever the model does; nil when none is kept.
    func revision(of model: Model) -> Int64?
}

/// One of the rows that a model yields.
public struct RowPart: Hashable, Sendable {
    /// Names it among the rows of a model; without `#`.
    public let name: String
    /// Names the kind of row.
    public let kind: String

    /// Creates a part.
    public init(_ name: String, kind: String) {
        self.name = name
        self.kind = kind
    }
}
