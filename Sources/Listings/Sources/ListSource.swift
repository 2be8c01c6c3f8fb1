/// A source of the rows of a list.
///
/// All threads share it. Each thread reads through its own reader.
///
/// Its schema declares the queries that it answers: `ListSchema.limited(to:)`, with `.all` if it
/// answers every query. A program cannot serve a source of its own without this declaration. A
/// check of the type `ListSourceCheck` finds queries that it answers wrongly.
public protocol ListSource: Sendable {
    /// The schema of the list, with the abilities of the source.
    var schema: ListSchema { get }

    /// Creates a reader for one thread at a time.
    ///
    /// - Throws: ``SourceError`` if the data cannot be opened.
    func makeReader() throws(SourceError) -> any ListReader

    /// Calls a closure whenever the version of the list may have changed, so that subscriptions are
    /// notified without delay.
    ///
    /// It may call too often or never, as the default implementation does. Therefore the version is
    /// also polled a few times a second while a client follows the list.
    ///
    /// - Parameter action: The closure, called on any thread. It does not block.
    /// - Returns: An object whose release ends the calls; nil if the source never calls.
    func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// The rules for the rows that clients write; nil, the default, if the list is read-only.
    var rules: RowRules? { get }

    /// Whether the program that declares the list decides on writes, instead of the settings.
    ///
    /// The default is false.
    var decidesWrites: Bool { get }

    /// Creates a writer for one thread at a time.
    ///
    /// - Returns: The writer; nil if ``rules`` is nil.
    /// - Throws: ``SourceError`` if the data cannot be opened.
    func makeWriter() throws(SourceError) -> (any ListWriter)?
}

extension ListSource {
    /// Returns nil and never calls the closure.
    public func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }

    /// Nil, because the list is read-only.
    public var rules: RowRules? { nil }

    /// False, because the settings permit writes.
    public var decidesWrites: Bool { false }

    /// Returns nil, because the list is read-only.
    public func makeWriter() throws(SourceError) -> (any ListWriter)? { nil }
}

/// A reader of a list.
///
/// One thread uses it at a time, so that it may own connections, statements and buffers.
public protocol ListReader: AnyObject {
    /// Returns the current version of the list.
    ///
    /// It must be cheap, because conditional requests and cached pages call it. A page that is read
    /// must have the same version. Otherwise no client ever receives 304.
    func version() throws(SourceError) -> ListVersion

    /// Whether reading takes microseconds and never waits, so that an event loop may read.
    ///
    /// The default is false: workers read.
    var isImmediate: Bool { get }

    /// Returns the current version; nil where that could wait or take more than microseconds.
    ///
    /// An event loop calls it to find out whether a page that it has is current. The default is nil
    /// unless the reader is immediate.
    func immediateVersion() throws(SourceError) -> ListVersion?

    /// Whether the rows are outdated because their remote source cannot be refreshed now.
    ///
    /// False for a source that stores its rows. The version does not cover this flag, so entity
    /// tags must include it.
    var isStale: Bool { get }

    /// The operations that the reader offers beyond pages and rows.
    ///
    /// The default is none.
    var abilities: ReaderAbilities { get }

    /// The first of the list's own sections (``ListSchema/Arrangement/own``), as an example of
    /// them.
    ///
    /// The default is nil: the list has none, or one section without a header.
    var firstOwnSection: SectionID? { get }

    /// Whether the version changes with the list, so that clients can follow it.
    ///
    /// The default is true.
    var canBeFollowed: Bool { get }

    /// Fills a page with its sections and rows in order, its cursors and, within the budget, its
    /// counts.
    ///
    /// Version and rows belong to the same state of the list. The values of a cursor have been
    /// checked against the query's order. If the source allows it, the cost depends on the page,
    /// not on the list.
    ///
    /// - Parameters:
    ///   - query: The query. Its cursor, if any, has the signature of this list's query.
    ///   - page: The page, which is emptied and filled.
    /// - Throws: ``SourceError``; the page must not be used then.
    func read(_ query: ListQuery, into page: inout Page) throws(SourceError)

    /// Fills a page with the row that has an id, in its section.
    ///
    /// - Returns: Whether the row exists.
    /// - Throws: ``SourceError``; the page must not be used then.
    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool

    /// Whether each read waits for another program, such as a database server.
    ///
    /// The default is false.
    var waitsForPrograms: Bool { get }

    /// Begins a request, which must see the state of the list at that time or later.
    ///
    /// The default has no effect.
    func begin()

    /// Sets the time limits of later reads.
    ///
    /// The default has no effect.
    func limit(to times: ReadingTimes)

    /// Finishes the counts and facets of a page that took too long, for all readers of the list.
    ///
    /// The default has no effect.
    func finishCounting(of query: ListQuery)

    /// Fills a page with the row that has an id, and reads the bytes of a cell, of which pages show
    /// only the number (``ReaderAbilities/bytes``).
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - column: The position of the cell's column.
    ///   - grouping: The grouping of the list into sections.
    ///   - page: The page, which is emptied and filled.
    ///   - bytes: The bytes of the same state of the list; nil if the cell has no value.
    /// - Returns: Whether the row exists.
    /// - Throws: ``SourceError``; the page must not be used then.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool

    /// Returns the start of the page that has a row in its middle (``ReaderAbilities/finding``).
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - query: The query, whose shape counts rows.
    ///   - page: The page, which is used for the search.
    /// - Returns: The start, which is the beginning for one of the first rows.
    /// - Throws: ``SourceError/unknownRow(_:)`` if no row of the query has the id.
    func start(
        around id: String,
        of query: ListQuery,
        using page: inout Page
    ) throws(SourceError) -> ListQuery.Start

    /// Performs an action that a row offers (``ReaderAbilities/actions``).
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - id: The id of the row.
    ///   - request: The caller, and the values of the action's input.
    /// - Returns: The outcome. For ``ActionOutcome/removed(message:)`` the list has removed the
    ///   row.
    /// - Throws: ``ActionError``; the list is unchanged then.
    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome

    /// Moves a row in the list's own order (``ReaderAbilities/moves``).
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - target: The target position, which ``RowEvents/adjustMove`` may change or refuse.
    /// - Throws: ``ActionError/refusedMove(order:)`` when the row cannot stand there,
    ///   ``ActionError/unknownRow(_:)``, ``ActionError/source(_:)``; the list is unchanged then.
    func move(row id: String, to target: MoveTarget) throws(ActionError)

    /// The state of the last refresh of rows that are fetched from elsewhere.
    ///
    /// Nil, the default, for rows that cannot be fetched again.
    var refreshState: RefreshState? { get }

    /// Starts to fetch the rows again, without waiting for them.
    ///
    /// Refreshes never overlap. If one is running, this has no effect.
    func refresh()
}

/// The operations that a reader offers beyond pages and rows.
///
/// Addresses, parameters and buttons of other operations do not exist.
public struct ReaderAbilities: OptionSet, Hashable, Sendable {
    /// A bit for each ability.
    public let rawValue: UInt8

    /// Creates a set of abilities.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Rows may offer actions (``RowEvents/perform``).
    public static let actions = ReaderAbilities(rawValue: 1 << 0)
    /// Rows can be moved in the list's own order (``RowEvents/adjustMove``).
    public static let moves = ReaderAbilities(rawValue: 1 << 1)
    /// Rows can have other rows below them (``RowEvents/children``).
    public static let children = ReaderAbilities(rawValue: 1 << 2)
    /// The rows of sections that a query collapses can be left out (``ListQuery/collapsed``).
    public static let collapsing = ReaderAbilities(rawValue: 1 << 3)
    /// The page around a row can be found, in every order.
    public static let finding = ReaderAbilities(rawValue: 1 << 4)
    /// The bytes of a cell can be read.
    public static let bytes = ReaderAbilities(rawValue: 1 << 5)
}

extension ListReader {
    /// False, because reading may wait.
    public var isImmediate: Bool { false }

    /// Nil unless the reader is immediate.
    public func immediateVersion() throws(SourceError) -> ListVersion? {
        isImmediate ? try version() : nil
    }

    /// False, because the source stores its rows.
    public var isStale: Bool { false }

    /// True, because each state of the list has its own version.
    public var canBeFollowed: Bool { true }

    /// None.
    public var abilities: ReaderAbilities { [] }

    /// Nil, because the list has no sections of its own.
    public var firstOwnSection: SectionID? { nil }

    /// False, because the program reads the rows itself.
    public var waitsForPrograms: Bool { false }

    /// Has no effect, because each read sees the current state.
    public func begin() {}

    /// Has no effect, because reading takes no time.
    public func limit(to times: ReadingTimes) {}

    /// Has no effect, because no count takes too long.
    public func finishCounting(of query: ListQuery) {}

    /// Returns false, because pages show whole cells.
    public func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool { false }

    /// Refuses the row, because the reader finds no rows.
    public func start(
        around id: String,
        of query: ListQuery,
        using page: inout Page
    ) throws(SourceError) -> ListQuery.Start { throw .unknownRow(id) }

    /// Refuses the row, because it offers no actions.
    public func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome { throw .unknownRow(id) }

    /// Refuses the row, because it cannot be moved.
    public func move(row id: String, to target: MoveTarget) throws(ActionError) {
        throw .unknownRow(id)
    }

    /// Nil, because the rows are fetched from nowhere.
    public var refreshState: RefreshState? { nil }

    /// Has no effect, because the rows are fetched from nowhere.
    public func refresh() {}
}

/// The time limits of reading; nil uses the default of the source.
public struct ReadingTimes: Hashable, Sendable {
    /// The limit for the rows of a page.
    ///
    /// If it is exceeded, the response is an error.
    public var rows: Duration?
    /// The limit for the counts of a page.
    ///
    /// If it is exceeded, the page has no counts.
    public var counts: Duration?
    /// The limit for the facets of a page.
    ///
    /// If it is exceeded, the page has no facets.
    public var facets: Duration?

    /// Uses the defaults of the source.
    public init() {}
}

/// The state of a refresh.
public enum RefreshState: Hashable, Sendable {
    /// No refresh has started yet.
    case idle
    /// A refresh is running. The previous rows are still shown.
    case loading
    /// The rows are those of the last refresh.
    case loaded
    /// The last refresh failed. The previous rows are still shown, as stale.
    case failed(RefreshFailure)
}

/// The public reason of a failed refresh.
///
/// Details are for the operator only.
public enum RefreshFailure: Hashable, Sendable {
    /// No response was received.
    case unreachable
    /// The response had an error status.
    case refused(status: Int)
    /// The response was not valid.
    case misunderstood
}

extension RefreshFailure {
    /// The text about a remote service that fails, for all clients; the log has more for operators.
    package var text: (code: String, detail: String) {
        switch self {
        case .unreachable:
            ("unreachable", "The service that has the rows does not respond.")
        case .refused(let status):
            ("refused", "The service that has the rows responds with status \(status).")
        case .misunderstood:
            ("misunderstood", "The response of the service that has the rows cannot be decoded.")
        }
    }
}

/// An error of a source.
public enum SourceError: Error, Hashable, Sendable {
    /// No section has the id that the query names.
    case unknownSection(String)
    /// No row has the id that the query names.
    case unknownRow(String)
    /// The query's cursor names no position of its order. Cursors from responses always do.
    case invalidCursor
    /// The cursor is from another epoch of the list, whose positions are unknown.
    case expiredCursor
    /// The data cannot be read now. A later retry may succeed. The text is for the log.
    case unavailable(reason: String)
    /// The service that has the rows could not be read. The text is for the log.
    case notFetched(RefreshFailure, reason: String)
    /// Another connection has locked the data. A retry will most likely succeed soon.
    case locked
    /// The columns of the list have changed since it was opened. It must be reopened.
    case redefined
    /// The budget of the query was exceeded. The same query will most likely exceed it again.
    case outOfTime
    /// The budget of the query was exceeded, because indexes of the list are still being created.
    /// They are ready after about this number of seconds.
    case indexing(seconds: Int)
    /// More rows of another list meet a condition than may be looked up.
    case tooManyMatches(list: String, maximum: Int)
    /// The data is damaged or was replaced. The text is for the log.
    case corrupted(reason: String)
    /// A row cannot be shown, and its registration refuses pages with such rows.
    case failedRow(_ id: String, code: RowFailure.Code)
    /// Two rows of a page have the same id, at these positions of the page.
    case duplicateRow(_ id: String, first: Int, second: Int)
}

extension SourceError {
    /// Whether the data may be readable later, because it is locked or cannot be reached.
    package var mayPass: Bool {
        switch self {
        case .locked, .notFetched, .unavailable: true
        default: false
        }
    }
}

/// An error of an operation on a snapshot or a data source, which has changed nothing.
public enum DataSourceError: Error, Hashable, Sendable {
    /// There is no row at this position, or none can be inserted.
    case outOfBounds(IndexPath)
    /// There is no section at this position, or none can be inserted.
    case sectionOutOfBounds(Int)
    /// Two rows would have the same id, at these positions after the edit.
    case duplicateID(String, first: IndexPath, second: IndexPath)
    /// Two sections would have the same id, at these positions after the edit.
    case duplicateSection(SectionID, first: Int, second: Int)
    /// No row has this id.
    case unknownID(String)
    /// No section has this id.
    case unknownSection(SectionID)
    /// There is no section to append rows to.
    case noSections
    /// The model at a position is not of the requested type.
    case modelMismatch(IndexPath, found: String, wanted: String)
    /// The current thread is already updating the data source.
    case reentrantUpdate
    /// Two segments have this id.
    case duplicateSegment(String)
    /// The models could not be read.
    case unreadable(SourceError)
}

/// A setting that allows a source to wait for a lock of another program while it opens.
package enum LockWaiting {
    /// False on the thread of an event loop, where other clients would wait too.
    @TaskLocal package static var isAllowed = true
}
