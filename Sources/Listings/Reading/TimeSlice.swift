/// The time that the queries of one request may use on an event loop.
///
/// Short queries run on the event loop. Longer ones are offloaded: the loop abandons the request,
/// and a worker restarts it. An instance is used by one thread.
package final class TimeSlice {
    private let duration: Duration
    private var knownEnd: ContinuousClock.Instant?
    private var isEndKnown = false
    private var hasBegun = false

    /// Whether a turn has begun.
    ///
    /// Otherwise reading may use the whole budget of a query.
    package var isRunning: Bool { hasBegun }

    /// The time when reading must end, counted from the first access; nil outside a turn.
    package var end: ContinuousClock.Instant? {
        guard hasBegun else { return nil }
        if !isEndKnown {
            knownEnd = .now + duration
            isEndKnown = true
        }
        return knownEnd
    }

    /// Creates an instance whose turns have a maximum duration.
    ///
    /// - Parameter duration: The maximum duration of a turn. The default of 5 ms is the longest
    ///   time that a response may delay the next ones.
    package init(_ duration: Duration = .milliseconds(5)) { self.duration = duration }

    /// Begins the turn of a request.
    package func begin() {
        hasBegun = true
        isEndKnown = false
    }

    /// Ends the turn, so that later reads have no time limit.
    ///
    /// They belong to no request, or offloading would repeat them.
    package func suspend() {
        hasBegun = false
    }
}

/// A reader that can offload a query which takes longer than a turn.
package protocol SlicedReader: ListReader {
    /// The turn of the current request; nil on a worker, where no connection waits.
    ///
    /// A query that would take longer throws ``SourceError/offloaded``.
    var slice: TimeSlice? { get set }

    /// The facts that the reader has found about the state of the list besides its rows. Another
    /// reader of the same list can use them.
    ///
    /// Setting it replaces the facts with those of another reader.
    var findings: any Sendable { get set }

    /// Sets the time limits of later reads.
    func limit(to times: ReadingTimes)

    /// Finishes the counts and facets of a page that took too long, for all readers of the list.
    func finishCounting(of query: ListQuery)
}

extension SlicedReader {
    /// Does nothing, because no count takes too long.
    package func finishCounting(of query: ListQuery) {}

    /// Empty, because the readers of the list share their findings.
    package var findings: any Sendable {
        get { () }
        set {}
    }
}

/// A reader whose work waits for other programs, so that only workers do it.
package protocol BlockingReader: SlicedReader {
    /// Begins a request, which must see the state of the list at that time or later.
    func begin()
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
