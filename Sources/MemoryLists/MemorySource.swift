public import Listings

/// A list of immutable models in memory.
public struct MemorySource<Model>: ControlledList
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The schema of the list.
    public let schema: ListSchema
    private let snapshot: Snapshot
    private let version: ListVersion
    private let known = SortCache()
    /// Whether row ids are known to be unique: model ids are, and integers and strings have unique
    /// spellings.
    private let idsDiffer: Bool
    /// The maximum time to search, sort or count rows.
    ///
    /// The default is 10 s. If it is exceeded, the reader throws ``SourceError/outOfTime``.
    package var timeLimit = Duration.seconds(10)

    /// Creates a list of models.
    ///
    /// - Parameters:
    ///   - models: The models, whose ids must be unique.
    ///   - registration: The registration of the models. It has the columns of the schema.
    ///   - schema: The schema of the list.
    ///   - version: The version of this state of the list.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``.
    /// - Complexity: O(models).
    public init(
        models: [Model],
        using registration: Registration<Model>,
        schema: ListSchema,
        version: ListVersion
    ) throws(ListingError) {
        let run = Run(try IndexedInMemory(models), using: registration)
        // The run finds models by their ids, so that the snapshot needs no index.
        var snapshot = Snapshot(checkedRunLength: -1)
        do {
            try snapshot.append(Section("all", run))
        } catch { preconditionFailure("a section that is alone was refused: \(error)") }
        self.schema = schema.limited(to: .all)
        self.snapshot = snapshot
        self.version = version
        let isWritten = Model.ID.self == Int.self || Model.ID.self == String.self
        idsDiffer = isWritten && registration.rowsPerModel == 1
    }

    package var registrations: [RegistrationSummary] { RegistrationSummary.all(in: snapshot) }

    /// Creates a reader.
    ///
    /// All readers share the models and their sorted orders.
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
