/// A reader whose reads have time limits.
package protocol TimedReader: ListReader {
    /// Whether each read waits for another program, such as a database server.
    var waitsForPrograms: Bool { get }

    /// Begins a request, which must see the state of the list at that time or later.
    func begin()

    /// Sets the time limits of later reads.
    func limit(to times: ReadingTimes)

    /// Finishes the counts and facets of a page that took too long, for all readers of the list.
    func finishCounting(of query: ListQuery)
}

extension TimedReader {
    /// False, because the program reads the rows itself.
    package var waitsForPrograms: Bool { false }

    /// Does nothing, because each read sees the current state.
    package func begin() {}

    /// Does nothing, because no count takes too long.
    package func finishCounting(of query: ListQuery) {}
}

/// A reader that finds the page around a row, in any order.
package protocol RowFinder: ListReader {
    /// Returns the start of the page that has a row in its middle.
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
}

/// A setting that allows a source to wait for a lock of another program while it opens.
package enum LockWaiting {
    /// False on the thread of an event loop, where other clients would wait too.
    @TaskLocal package static var isAllowed = true
}

/// The time limits of reading; nil uses the default of the source.
package struct ReadingTimes: Hashable, Sendable {
    /// The limit for the rows of a page.
    ///
    /// If it is exceeded, the response is an error.
    package var rows: Duration?
    /// The limit for the counts of a page.
    ///
    /// If it is exceeded, the page has no counts.
    package var counts: Duration?
    /// The limit for the facets of a page.
    ///
    /// If it is exceeded, the page has no facets.
    package var facets: Duration?

    /// Uses the defaults of the source.
    package init() {}
}
