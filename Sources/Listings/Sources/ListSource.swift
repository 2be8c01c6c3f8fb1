/// A source of the rows of a list.
///
/// All threads share it. Each thread reads through its own reader.
public protocol ListSource: Sendable {
    /// The schema of the list.
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
    /// False, because the source stores its rows.
    public var isStale: Bool { false }

    /// True, because each state of the list has its own version.
    public var canBeFollowed: Bool { true }

    /// False, because all sections show their rows.
    public var canCollapse: Bool { false }

    /// False, because no row has rows below it.
    public var hasOutline: Bool { false }
}
