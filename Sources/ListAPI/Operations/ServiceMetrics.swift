import HTTP
import Locks

/// The counters of one loop's service; only its own thread writes them, any thread may read them.
final class ServiceMetrics: Sendable {
    /// The counters of each list, in order; the last ones are for requests to no list.
    let lists: [ListMetrics]
    /// The numbers of problems, by the position of their kind.
    private let problems = InlineArray<64, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    /// The number of event streams that began.
    let streamsBegun = ThreadLocalCounter()
    /// The number of event streams that ended.
    let streamsEnded = ThreadLocalCounter()
    /// The number of change batches sent as events.
    let batches = ThreadLocalCounter()
    /// The number of resets sent as events.
    let resets = ThreadLocalCounter()

    /// Creates counters at zero.
    ///
    /// - Parameter names: The names of the lists.
    init(lists names: [String]) {
        lists = (names + [""]).map { ListMetrics($0) }
        precondition(ProblemKind.allCases.count <= problems.count, "more kinds than counts")
    }

    /// The counters of requests to no list.
    var others: ListMetrics { lists[lists.count - 1] }

    /// Counts a problem.
    func add(_ kind: ProblemKind) {
        guard let position = ProblemKind.allCases.firstIndex(of: kind) else { return }
        problems[position].add()
    }

    /// Returns the number of problems of a kind.
    func count(of kind: ProblemKind) -> Int {
        ProblemKind.allCases.firstIndex(of: kind).map { problems[$0].value } ?? 0
    }
}

/// The counters of all event loops, which readers sum up.
final class MetricsRegistry: Sendable {
    private let all = Locked<[ServiceMetrics]>([])

    /// Adds the counters of a loop.
    func add(_ metrics: ServiceMetrics) { all.withLock { $0.append(metrics) } }

    /// The counters of each loop.
    var loops: [ServiceMetrics] { all.withLock { $0 } }
}

extension ServiceMetrics {
    /// Counts a response.
    func add(_ trace: RequestTrace, _ status: HTTPStatus, nanoseconds time: Int) {
        let counts = trace.list.map { lists[$0] } ?? others
        counts.add(status, trace.format, nanoseconds: time)
        if trace.isUncounted { counts.uncounted.add() }
    }
}

extension AccessLogMetadata {
    /// Creates the data of a response for the access log.
    ///
    /// - Parameters:
    ///   - trace: The trace of the request.
    ///   - metrics: The metrics that the trace refers to.
    ///   - caller: The name of the caller; nil for an anonymous one.
    ///   - client: The address of the client that a trusted proxy names.
    ///   - traceID: The distributed trace that the request belongs to.
    convenience init(
        _ trace: RequestTrace,
        _ metrics: ServiceMetrics,
        caller: String?,
        client: String?,
        traceID: String?
    ) {
        let entry = Route.table.first { $0.route == trace.route }
        self.init(
            pattern: entry?.pattern ?? "",
            list: trace.list.map { metrics.lists[$0].name },
            caller: caller,
            rows: trace.rows,
            reading: trace.reading.map { .nanoseconds($0) },
            client: client,
            traceID: traceID
        )
    }
}
