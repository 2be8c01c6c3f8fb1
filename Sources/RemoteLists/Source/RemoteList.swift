public import Listings
import Locks
import MemoryLists
import System

/// A list of a remote source.
///
/// Its models are in memory and are replaced as a whole by every refresh that changes them.
public final class RemoteList<Model>: ListSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The schema of the list.
    public let schema: ListSchema
    private let current: Locked<Loaded>
    private let source: SourceActions

    struct Loaded: Sendable {
        let source: MemorySource<Model>
        let version: ListVersion?
        let isEmpty: Bool
    }

    private struct SourceActions: Sendable {
        let isStale: @Sendable () -> Bool
        let state: @Sendable () -> RemoteState
        let refresh: @Sendable () -> Void
    }

    /// Creates a list of a source.
    ///
    /// Before the first successful refresh, the list has no rows and reports the reason.
    ///
    /// - Parameters:
    ///   - source: The source of the models. The list keeps it alive.
    ///   - registration: The registration, with the columns of the schema.
    ///   - schema: The schema of the list.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``, which the source already prevents.
    public convenience init(
        of source: RemoteSource<Model>,
        using registration: Registration<Model>,
        schema: ListSchema
    ) throws(ListingError) {
        try self.init(of: source, using: registration, schema: schema) { $0 }
    }

    /// The list keeps the source alive.
    ///
    /// Converting a raw model must keep its id. The source already prevents equal ids.
    package init<Raw>(
        of source: RemoteSource<Raw>,
        using registration: Registration<Model>,
        schema: ListSchema,
        convert: @escaping @Sendable (Raw) -> Model
    ) throws(ListingError) {
        @Sendable func loaded(_ snapshot: RemoteSnapshot<Raw>) throws(ListingError) -> Loaded {
            let source = try MemorySource(
                models: snapshot.models.map(convert),
                using: registration,
                schema: schema,
                version: snapshot.version ?? ListVersion(epoch: 0, counter: 0)
            )
            return Loaded(
                source: source,
                version: snapshot.version,
                isEmpty: snapshot.models.isEmpty
            )
        }
        self.schema = schema.limited(to: .all)
        let first = source.snapshot
        current = Locked(try loaded(first))
        self.source = SourceActions(
            isStale: { source.snapshot.isStale },
            state: { source.state },
            refresh: { source.requestRefresh() }
        )
        source.onLoad { [weak self] snapshot in
            // The source has checked that ids are unique, so this cannot fail.
            guard let self, let next = try? loaded(snapshot) else { return }
            self.current.withLock { $0 = next }
        }
        // A refresh may have ended before the list was registered for it.
        let present = source.snapshot
        guard present.version != first.version else { return }
        let next = try loaded(present)
        current.withLock { current in
            guard (current.version?.counter ?? 0) < (next.version?.counter ?? 0) else { return }
            current = next
        }
    }

    /// Creates a reader that follows the refreshes.
    public func makeReader() throws(SourceError) -> any ListReader {
        try RemoteReader(self)
    }

    var loaded: Loaded { current.withLock { $0 } }
    var isStale: Bool { source.isStale() }
    var state: RemoteState { source.state() }
    func refresh() { source.refresh() }
}

final class RemoteReader<Model>: ListReader
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    private let list: RemoteList<Model>
    private var known: ListVersion?
    private var isEmpty: Bool
    private var reader: any ListReader { didSet { reader.limit(to: times) } }

    init(_ list: RemoteList<Model>) throws(SourceError) {
        self.list = list
        let loaded = list.loaded
        reader = try loaded.source.makeReader()
        known = loaded.version
        isEmpty = loaded.isEmpty
    }

    private var times = ReadingTimes()

    func limit(to times: ReadingTimes) {
        self.times = times
        reader.limit(to: times)
    }

    var isImmediate: Bool { reader.isImmediate }
    func immediateVersion() throws(SourceError) -> ListVersion? { try version() }
    var isStale: Bool { list.isStale }

    var refreshState: RefreshState? { state }

    private var state: RefreshState { RefreshState(list.state) }

    func refresh() { list.refresh() }

    func version() throws(SourceError) -> ListVersion {
        try followRefreshes()
        return known ?? Self.versionWithoutRows(state)
    }

    /// Returns a version for a list without rows, which depends on the refresh state shown instead.
    private static func versionWithoutRows(_ state: RefreshState) -> ListVersion {
        switch state {
        case .idle: ListVersion(epoch: 0, counter: 0)
        case .loading, .loaded: ListVersion(epoch: 0, counter: 1)
        case .failed: ListVersion(epoch: 0, counter: 2)
        }
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        try followRefreshes()
        // The state is read before the rows, so that the page is never newer than its version.
        let state = state
        try reader.read(query, into: &page)
        page.isStale = isStale
        guard isEmpty else { return }
        page.emptyState = Self.emptyState(state, isLoaded: known != nil)
        if known == nil { page.version = Self.versionWithoutRows(state) }
    }

    private static func emptyState(_ state: RefreshState, isLoaded: Bool) -> EmptyState {
        guard !isLoaded else {
            return EmptyState(
                .noData,
                message: "The service that has the rows says there are none."
            )
        }
        return switch state {
        case .idle:
            EmptyState(
                .noData,
                title: "Not fetched yet",
                message: "The service that has the rows has not been requested yet."
            )
        case .loading, .loaded: EmptyState(.loading)
        case .failed(let failure): EmptyState(.failed, message: failure.text.detail)
        }
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

    private func followRefreshes() throws(SourceError) {
        let loaded = list.loaded
        guard loaded.version != known else { return }
        reader = try loaded.source.makeReader()
        known = loaded.version
        isEmpty = loaded.isEmpty
    }
}

extension RefreshState {
    package init(_ state: RemoteState) {
        switch state {
        case .idle: self = .idle
        case .loading: self = .loading
        case .loaded: self = .loaded
        case .failed(let error): self = .failed(RefreshFailure(error))
        }
    }
}

extension RefreshFailure {
    /// Addresses and contents are for the operator only.
    package init(_ error: RemoteError) {
        switch error {
        case .transport: self = .unreachable
        case .status(let status, _): self = .refused(status: status)
        default: self = .misunderstood
        }
    }
}
