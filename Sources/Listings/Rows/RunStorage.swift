/// The storage of a run, which hides the type of its models.
package protocol RunStorage: AnyObject, Sendable {
    var count: Int { get }
    var modelName: String { get }
    var summary: RegistrationSummary { get }
    var kind: String { get }
    var columns: [Column] { get }
    var rowsPerModel: Int { get }
    /// The names of the rows that each model yields. Empty if it yields one row with the model's
    /// id.
    var partNames: [String] { get }
    var features: RowFeatures { get }
    /// Whether ``position(of:in:)`` finds a model without reading the others.
    var isIndexed: Bool { get }

    func ids(_ range: Range<Int>) throws(SourceError) -> [String]

    func position(of id: String, in range: Range<Int>) throws(SourceError) -> Int?

    func position(ofRow id: String) throws(SourceError) -> Int?

    /// Nil if there can be no children.
    func children(
        ofRow id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> Run?

    /// Nil if the models are of another type.
    func models<Wanted>(
        _ range: Range<Int>,
        as type: Wanted.Type
    ) throws(SourceError) -> [Wanted]?

    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError)

    func append(at positions: borrowing Span<Int>, to page: inout Page) throws(SourceError)

    /// To the last section of the page.
    ///
    /// False if the model has no such row.
    func append(
        rowWithID id: String,
        of position: Int,
        to page: inout Page
    ) throws(SourceError) -> Bool

    func perform(
        _ action: String,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome

    /// Nil refuses the move.
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

    func selected(_ positions: [Int]) throws(SourceError) -> any RunStorage

    /// Nil if the models are of another type.
    func rebound<Model>(to registration: Registration<Model>) -> (any RunStorage)?
}
