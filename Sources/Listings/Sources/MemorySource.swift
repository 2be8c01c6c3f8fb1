/// A list whose models are all in memory and do not change.
public struct MemorySource<Model>: ListSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// What the list has.
    public let schema: ListSchema
    private let snapshot: Snapshot
    private let version: ListVersion
    private let known = KnownOrders()
    /// Whether all rows have ids of their own: the models do, and numbers and texts are written as
    /// they are.
    private let idsDiffer: Bool
    /// The longest time in which rows are looked for, sorted or counted.
    ///
    /// Default 10 s. Exceeded: ``SourceError/outOfTime``.
    package var timeLimit = Duration.seconds(10)

    /// Creates a list of models.
    ///
    /// - Parameters:
    ///   - models: The models; their ids differ.
    ///   - registration: Shows them; its columns are those of the schema.
    ///   - schema: What the list has.
    ///   - version: Names this state of the list.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``.
    /// - Complexity: O(models).
    public init(
        models: [Model],
        using registration: Registration<Model>,
        schema: ListSchema,
        version: ListVersion
    ) throws(ListingError) {
        let run = Run(try IndexedInMemory(models), using: registration)
        // The run finds its models by itself; a second index would only repeat it.
        var snapshot = Snapshot(checkedRunLength: -1)
        do {
            try snapshot.append(Section("all", run))
        } catch { preconditionFailure("a section that is alone was refused: \(error)") }
        self.schema = schema
        self.snapshot = snapshot
        self.version = version
        let isWritten = Model.ID.self == Int.self || Model.ID.self == String.self
        idsDiffer = isWritten && registration.rowsPerModel == 1
    }

    /// Makes a reader; all share the models, and what they were sorted by.
    public func makeReader() throws(SourceError) -> any ListReader {
        let (snapshot, version) = (snapshot, version)
        return SnapshotReader(
            schema: schema,
            sharing: known,
            timeLimit: timeLimit,
            idsDiffer: idsDiffer,
            version: { version },
            state: { (snapshot, version) }
        )
    }
}
