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
}

/// A source of Roster, which answers all queries that its schema allows.
package protocol CompleteSource: ListSource {}

extension ListSource {
    /// Returns nil and never calls the closure.
    public func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
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

    /// Whether rows of the list can have other rows below them (``RowEvents/children``).
    ///
    /// The default is false.
    var hasOutline: Bool { get }

    /// Whether the reader can leave out the rows of sections that a query collapses
    /// (``ListQuery/collapsed``).
    ///
    /// The default is false.
    var canCollapse: Bool { get }

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

    /// False, because all sections show their rows.
    public var canCollapse: Bool { false }

    /// Nil, because the list has no sections of its own.
    public var firstOwnSection: SectionID? { nil }

    /// False, because no row has rows below it.
    public var hasOutline: Bool { false }
}

/// A reader of rows that are fetched from elsewhere and can be fetched again.
public protocol RefreshableReader: ListReader {
    /// The state of the last refresh.
    var refreshState: RefreshState { get }

    /// Starts to fetch the rows again, without waiting for them.
    ///
    /// Refreshes never overlap. If one is running, this has no effect.
    func refresh()
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
        case .locked, .unavailable: true
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
