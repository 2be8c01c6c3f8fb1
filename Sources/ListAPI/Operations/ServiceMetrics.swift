import Bytes
import HTTP
import Listings
import Locks
import Rendering

/// The counters of one loop's service; only its own thread writes them, any thread may read them.
final class ServiceMetrics: Sendable {
    /// The counters of each list, in order; the last ones are for requests to no list.
    let lists: [ListMetrics]
    private let problems = InlineArray<64, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    let streamsBegun = ThreadLocalCounter()
    let streamsEnded = ThreadLocalCounter()
    let batches = ThreadLocalCounter()
    let resets = ThreadLocalCounter()

    init(lists names: [String]) {
        lists = (names + [""]).map { ListMetrics($0) }
        precondition(ProblemKind.all.count <= problems.count, "more kinds than counts")
    }

    var others: ListMetrics { lists[lists.count - 1] }

    func add(_ kind: ProblemKind) {
        guard let position = ProblemKind.all.firstIndex(of: kind) else { return }
        problems[position].add()
    }

    func count(of kind: ProblemKind) -> Int {
        ProblemKind.all.firstIndex(of: kind).map { problems[$0].value } ?? 0
    }
}

final class MetricsRegistry: Sendable {
    private let all = Locked<[ServiceMetrics]>([])

    func add(_ metrics: ServiceMetrics) { all.withLock { $0.append(metrics) } }

    var loops: [ServiceMetrics] { all.withLock { $0 } }
}

extension ServiceMetrics {
    func add(_ trace: RequestTrace, _ status: HTTPStatus, nanoseconds time: Int) {
        let counts = trace.list.map { lists[$0] } ?? others
        counts.add(status, trace.format, nanoseconds: time)
        if trace.isUncounted { counts.uncounted.add() }
    }
}

extension AccessLogMetadata {
    convenience init(
        _ trace: RequestTrace,
        _ metrics: ServiceMetrics,
        _ routes: [ProgramRoute],
        caller: String?,
        client: String?,
        traceID: String?
    ) {
        let entry = Route.table.first { $0.route == trace.route }
        var pattern = entry?.pattern
        if case .program(let position) = trace.route { pattern = routes[position].pattern }
        self.init(
            pattern: pattern ?? "",
            list: trace.list.map { metrics.lists[$0].name },
            caller: caller,
            rows: trace.rows,
            waiting: trace.waiting.map { .nanoseconds($0) },
            reading: trace.reading.map { .nanoseconds($0) },
            client: client,
            traceID: traceID
        )
    }
}

final class ListMetrics: Sendable {
    enum Format {
        case page(PageFormat)
        case events, other

        static let all = PageFormat.allCases.map(Format.page) + [.events, .other]

        var index: Int {
            switch self {
            case .page(let format): format.number
            case .events: Self.all.count - 2
            case .other: Self.all.count - 1
            }
        }

        var name: String {
            switch self {
            case .page(let format): format.rawValue
            case .events: "events"
            case .other: "other"
            }
        }
    }

    /// The statuses that have counters of their own; every other status counts as 0.
    static let statuses = [
        200, 304, 201, 202, 204, 206, 303, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413,
        415, 416, 421, 422, 428, 429, 500, 503, 507, 0,
    ]
    /// The upper bounds of the response times in nanoseconds; the last range has no bound.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000, 100_000_000, 250_000_000, 1_000_000_000,
    ]

    /// The name of the list; empty for requests to no list.
    let name: String
    private let responses = InlineArray<196, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    private let times = InlineArray<14, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    let nanoseconds = ThreadLocalCounter()
    let uncounted = ThreadLocalCounter()

    init(_ name: String) {
        self.name = name
        precondition(
            Self.statuses.count * Format.all.count == responses.count
                && Self.bounds.count + 1 == times.count
        )
    }

    func add(_ status: HTTPStatus, _ format: Format, nanoseconds time: Int) {
        let known = Self.statuses.firstIndex(of: status.code) ?? Self.statuses.count - 1
        responses[format.index * Self.statuses.count + known].add()
        times[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count].add()
        nanoseconds.add(time)
    }

    func count(of format: Format, status: Int) -> Int {
        responses[format.index * Self.statuses.count + status].value
    }

    func count(withinBound bound: Int) -> Int { times[bound].value }
}

/// No member is reference-counted, because the trace is written and copied for every request.
struct RequestTrace {
    /// The nanoseconds that the request waited for a worker; nil where it needed none.
    var waiting: Int?
    var route: Route?
    /// The position of the list in ``ServiceMetrics/lists``; nil where no list was requested.
    var list: Int?
    var format = ListMetrics.Format.other
    var rows: Int?
    /// The nanoseconds that reading the page took; nil where nothing was read.
    var reading: Int?
    /// The nanoseconds of the reading that counting took; nil where counting was no separate work.
    var counting: Int?
    /// The nanoseconds that rendering took.
    var rendering: Int?
    var isUncounted = false
    var lacksFacets = false

    var again: RequestTrace {
        var trace = self
        (trace.reading, trace.counting, trace.rendering) = (nil, nil, nil)
        trace.waiting = nil
        trace.isUncounted = false
        return trace
    }

    mutating func note(
        _ page: borrowing Page,
        after nanoseconds: Int,
        counting: ListQuery.Counting
    ) {
        rows = page.rowCount
        reading = nanoseconds
        isUncounted = counting != .off && page.total == nil
        lacksFacets = page.facets.contains { $0.values.isEmpty && !$0.isComplete }
    }

    /// Adds the Server-Timing field, which also names the parts that took too long.
    func addTimes(to response: inout HTTPResponse) {
        guard let reading = reading, let rendering = rendering, response.status == .ok
        else { return }
        let counting = counting
        response.addField(.serverTiming) { buffer in
            buffer.append("db;dur=" as StaticString)
            buffer.append(millisecondsOf: reading - (counting ?? 0))
            if let counting {
                buffer.append(", count;dur=" as StaticString)
                buffer.append(millisecondsOf: counting)
                if isUncounted { buffer.append(";desc=\"left out\"" as StaticString) }
            }
            if lacksFacets { buffer.append(", facets;desc=\"left out\"" as StaticString) }
            buffer.append(", render;dur=" as StaticString)
            buffer.append(millisecondsOf: rendering)
        }
    }
}

enum ListReadiness: String, Sendable {
    case ready
    case stale
    /// Other orders may fail until its indexes are created.
    case indexing
    case locked
    case unavailable
}
