public import Listings
import Locks
import Sockets

/// A remote source as a list: its models in memory, exchanged as a whole by every refresh that
/// changes them.
public final class RemoteList<Model>: ListSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// What the list has.
    public let schema: ListSchema
    private let current: Locked<Loaded>
    private let stale: @Sendable () -> Bool

    /// The models of one refresh.
    struct Loaded: Sendable {
        let source: MemorySource<Model>
        let version: ListVersion
    }

    /// Makes a list of a source that has been refreshed at least once.
    ///
    /// - Parameters:
    ///   - name: The name of the list in addresses.
    ///   - source: Gives the models; the list keeps it alive.
    ///   - registration: Shows them; its columns are those of the schema.
    ///   - schema: What the list has.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``, which a source does not let through.
    public convenience init(
        _ name: String,
        of source: RemoteSource<Model>,
        using registration: Registration<Model>,
        schema: ListSchema
    ) throws(ListingError) {
        try self.init(name, of: source, using: registration, schema: schema) { $0 }
    }

    /// Makes a list as above, of models that are made from those of the source.
    ///
    /// - Parameters:
    ///   - name: The name of the list in addresses.
    ///   - source: Gives what models are made of; the list keeps it alive.
    ///   - registration: Shows the models; its columns are those of the schema.
    ///   - schema: What the list has.
    ///   - convert: Makes a model; its id must be that of the source's.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``, which a source does not let through.
    package init<Raw>(
        _ name: String,
        of source: RemoteSource<Raw>,
        using registration: Registration<Model>,
        schema: ListSchema,
        convert: @escaping @Sendable (Raw) -> Model
    ) throws(ListingError) {
        @Sendable func loaded(_ snapshot: RemoteSnapshot<Raw>) throws(ListingError) -> Loaded {
            let version = snapshot.version ?? ListVersion(epoch: 0, counter: 0)
            let source = try MemorySource(
                name,
                models: snapshot.models.map(convert),
                using: registration,
                schema: schema,
                version: version
            )
            return Loaded(source: source, version: version)
        }
        self.schema = schema
        let first = source.snapshot
        current = Locked(try loaded(first))
        stale = { source.snapshot.isStale }
        source.onLoad { [weak self] snapshot in
            // Ids were told apart by the source, so this cannot fail.
            guard let self, let next = try? loaded(snapshot) else { return }
            self.current.withLock { $0 = next }
        }
        // A refresh may have ended before the list was told of it.
        let present = source.snapshot
        guard present.version != first.version else { return }
        let next = try loaded(present)
        current.withLock { current in
            if current.version.counter < next.version.counter { current = next }
        }
    }

    /// Makes a reader that follows the refreshes.
    public func makeReader() throws(SourceError) -> any ListReader {
        try RemoteReader(self)
    }

    var loaded: Loaded { current.withLock { $0 } }
    var isStale: Bool { stale() }
}

/// Reads the models that the last refresh brought.
final class RemoteReader<Model>: ListReader
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    private let list: RemoteList<Model>
    private var known: ListVersion
    private var reader: any ListReader

    init(_ list: RemoteList<Model>) throws(SourceError) {
        self.list = list
        let loaded = list.loaded
        reader = try loaded.source.makeReader()
        known = loaded.version
    }

    var isStale: Bool { list.isStale }

    func version() throws(SourceError) -> ListVersion {
        try followRefreshes()
        return known
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        try followRefreshes()
        try reader.read(query, into: &page)
        page.isStale = isStale
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        try followRefreshes()
        let isFound = try reader.readRow(id, grouping: grouping, into: &page)
        page.isStale = isStale
        return isFound
    }

    /// Goes over to the models of a later refresh, if there was one.
    private func followRefreshes() throws(SourceError) {
        let loaded = list.loaded
        guard loaded.version != known else { return }
        reader = try loaded.source.makeReader()
        known = loaded.version
    }
}
