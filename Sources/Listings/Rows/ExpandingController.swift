/// Converts each model of one type into several rows, the same number for all.
///
/// The counterpart of a binding section controller. The rows of a model are consecutive, in the
/// order of ``parts``, and always on one page. The id of a row is the model's, `#` and the name of
/// its part.
public protocol ExpandingController<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// The rows of each model, at least one. It is read once, at registration.
    var parts: [RowPart] { get }

    /// The columns of all rows, in their order.
    var columns: [Column] { get }

    /// Writes one cell per column of one row of a model.
    ///
    /// - Parameters:
    ///   - part: The index of the row in ``parts``.
    ///   - context: The model and its position.
    ///   - cells: The buffer to append the cells to.
    /// - Throws: Any error. The page then shows an error instead of this row.
    func write(part: Int, of context: Context<Model>, to cells: inout CellBuffer) throws

    /// Returns the revision of a model, which changes whenever the model does; nil if it has none.
    func revision(of model: Model) -> Int64?
}

/// One of the rows that a model yields.
public struct RowPart: Hashable, Sendable {
    /// The name of the row among those of a model, without `#`.
    public let name: String
    /// The kind of row.
    public let kind: String

    /// Creates a part.
    public init(_ name: String, kind: String) {
        self.name = name
        self.kind = kind
    }
}
