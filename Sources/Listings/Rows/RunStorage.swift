/// The storage of a run, which hides the type of its models.
package protocol RunStorage: AnyObject, Sendable {
    /// The number of models.
    var count: Int { get }
    /// The displayed name of the model type.
    var modelName: String { get }
    /// The row controller of the models.
    var summary: RegistrationSummary { get }
    /// The kind of the rows.
    var kind: String { get }
    /// The columns of the rows.
    var columns: [Column] { get }
    /// The number of rows that each model yields.
    var rowsPerModel: Int { get }
    /// The names of the rows that each model yields. Empty if it yields one row with the model's
    /// id.
    var partNames: [String] { get }
    /// The features that the rows may have.
    var features: RowFeatures { get }
    /// Whether ``position(of:in:)`` finds a model without reading the others.
    var isIndexed: Bool { get }

    /// Returns the ids of models, as in URLs.
    func ids(_ range: Range<Int>) throws(SourceError) -> [String]

    /// Returns the position of the model in a range that has an id; nil if there is none.
    func position(of id: String, in range: Range<Int>) throws(SourceError) -> Int?

    /// Returns the position of the model that yields the row with an id; nil if there is none.
    func position(ofRow id: String) throws(SourceError) -> Int?

    /// Returns the models below a row of a model; nil if there can be none.
    func children(
        ofRow id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> Run?

    /// Returns models of a type; nil if the models are of another type.
    func models<Wanted>(
        _ range: Range<Int>,
        as type: Wanted.Type
    ) throws(SourceError) -> [Wanted]?

    /// Appends rows to the last section of a page.
    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError)

    /// Appends the rows of models at positions, in their order.
    func append(at positions: borrowing Span<Int>, to page: inout Page) throws(SourceError)

    /// Appends one row of a model, given the row's id, to the last section of a page.
    ///
    /// - Returns: Whether the model has such a row.
    func append(
        rowWithID id: String,
        of position: Int,
        to page: inout Page
    ) throws(SourceError) -> Bool

    /// Performs an action of a row of a model.
    func perform(
        _ action: String,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome

    /// Returns the position to which a row may move; nil refuses.
    func adjustMove(
        to target: IndexPath,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> IndexPath?

    /// Writes the cells of models one by one. Passes each model's id, whether its controller
    /// succeeded, and its cells to a closure.
    func writeCells(
        _ range: Range<Int>,
        in section: SectionInfo,
        scratch: inout CellBuffer,
        _ body: (String, Bool, borrowing CellBuffer) -> Void
    ) throws(SourceError)

    /// Hashes the visible content of the rows of models. Passes each row's id and hash to a
    /// closure.
    func hashRows(
        _ range: Range<Int>,
        in section: SectionInfo,
        seed: UInt64,
        scratch: inout CellBuffer,
        _ body: (String, UInt64) -> Void
    ) throws(SourceError)

    /// Returns a storage of the models in a range followed by those of another storage. It is nil
    /// if their registrations differ.
    func merged(
        _ range: Range<Int>,
        with other: any RunStorage,
        _ otherRange: Range<Int>
    ) throws(SourceError) -> (any RunStorage)?

    /// Returns a storage with copies of some of the models.
    func selected(_ positions: [Int]) throws(SourceError) -> any RunStorage

    /// Returns the same models with another controller; nil if they are of another type.
    func rebound<Model>(to registration: Registration<Model>) -> (any RunStorage)?
}
