/// Where the rows of a list come from.
///
/// Shared by all threads; each reads through a reader of its own.
public protocol ListSource: Sendable {
    /// What the list has.
    var schema: ListSchema { get }

    /// Makes a reader, for one thread at a time.
    ///
    /// - Throws: ``SourceError`` when the data cannot be opened.
    func makeReader() throws(SourceError) -> any ListReader

    /// Calls whenever the version of the list may have moved, so that those who follow it need not
    /// wait until they ask.
    ///
    /// It may call too often, or never, as a source does that leaves this out: the version is asked
    /// a few times a second while somebody follows the list.
    ///
    /// - Parameter action: Called on any thread; does not block.
    /// - Returns: What ends that when it is dropped; nil from a source that never calls.
    func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)?
}

extension ListSource {
    /// Never calls.
    public func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? { nil }
}

/// Answers questions about a list; used by one thread at a time, so it may keep connections,
/// statements and buffers of its own.
public protocol ListReader: AnyObject {
    /// The state of the list now.
    ///
    /// Cheap: asked where a client names a state that it has, and of every page that is kept. Pages
    /// that are read tell the same version as theirs, or nobody who has one is ever told 304.
    func version() throws(SourceError) -> ListVersion

    /// Whether the rows are the last good ones of a source that cannot be refreshed now.
    ///
    /// False for every source that has its rows itself. The version stays while it changes, so what
    /// names a representation must say it too.
    var isStale: Bool { get }

    /// Whether rows of the list can have others below them (``RowEvents/children``).
    ///
    /// False unless the reader says otherwise.
    var hasOutline: Bool { get }

    /// Whether it can leave out the rows of sections that a question asks to be collapsed
    /// (``ListQuery/collapsed``).
    ///
    /// False unless the reader says otherwise.
    var canCollapse: Bool { get }

    /// Whether the version tells when the list has changed, so that clients can follow it.
    ///
    /// True unless the reader says otherwise.
    var canBeFollowed: Bool { get }

    /// Fills a page: its sections and rows in order, the cursors around it and, as far as the
    /// budget allows, the counts.
    ///
    /// Version and rows belong to one state of the list. A cursor's values have been checked
    /// against the query's order. The cost depends on the page, not on the list, as far as the
    /// source can help it.
    ///
    /// - Parameters:
    ///   - query: What is asked; its cursor, if any, has the signature of this list's query.
    ///   - page: Emptied and filled.
    /// - Throws: ``SourceError``; the page is then not to be used.
    func read(_ query: ListQuery, into page: inout Page) throws(SourceError)

    /// Fills a page with the one row that has an id, in its section.
    ///
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SourceError``; the page is then not to be used.
    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool
}

extension ListReader {
    /// False: the source has its rows itself.
    public var isStale: Bool { false }

    /// True: another state of the list has another version.
    public var canBeFollowed: Bool { true }

    /// False: all sections show their rows.
    public var canCollapse: Bool { false }

    /// False: no row has others below it.
    public var hasOutline: Bool { false }
}
