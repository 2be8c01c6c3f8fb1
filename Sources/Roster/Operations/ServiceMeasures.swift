import Locks

/// The counters of one loop's service; only its own thread writes them, any thread may read them.
final class ServiceMeasures: Sendable {
    /// The counters of each list, in order; the last ones are for requests to no list.
    let lists: [ListMeasures]
    /// The numbers of problems, by the position of their kind.
    private let problems = InlineArray<64, LoopCount> { _ in LoopCount() }
    /// The number of event streams that began.
    let streamsBegun = LoopCount()
    /// The number of event streams that ended.
    let streamsEnded = LoopCount()
    /// The number of change batches sent as events.
    let batches = LoopCount()
    /// The number of resets sent as events.
    let resets = LoopCount()

    /// Creates counters at zero.
    ///
    /// - Parameter names: The names of the lists.
    init(lists names: [String]) {
        lists = (names + [""]).map { ListMeasures($0) }
        precondition(ProblemKind.allCases.count <= problems.count, "more kinds than counts")
    }

    /// The counters of requests to no list.
    var others: ListMeasures { lists[lists.count - 1] }

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
final class MeasureBoard: Sendable {
    private let all = Locked<[ServiceMeasures]>([])

    /// Adds the counters of a loop.
    func add(_ measures: ServiceMeasures) { all.withLock { $0.append(measures) } }

    /// The counters of each loop.
    var loops: [ServiceMeasures] { all.withLock { $0 } }
}
