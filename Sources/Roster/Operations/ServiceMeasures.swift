import Locks

/// What the service of one loop counts: its own thread alone writes to it, and any thread reads it.
final class ServiceMeasures: Sendable {
    /// The requests of each list, in their order; the last of them are for no list.
    let lists: [ListMeasures]
    /// The problems by the position of their kind.
    private let problems = InlineArray<64, LoopCount> { _ in LoopCount() }
    /// The streams of events that were begun.
    let streamsBegun = LoopCount()
    /// Those of them that are over.
    let streamsEnded = LoopCount()
    /// The changes told by events.
    let batches = LoopCount()
    /// The resets told by events.
    let resets = LoopCount()

    /// Begins to count.
    ///
    /// - Parameter names: The lists.
    init(lists names: [String]) {
        lists = (names + [""]).map { ListMeasures($0) }
        precondition(ProblemKind.allCases.count <= problems.count, "more kinds than counts")
    }

    /// What is counted of requests for no list.
    var others: ListMeasures { lists[lists.count - 1] }

    /// Counts a problem.
    func add(_ kind: ProblemKind) {
        guard let position = ProblemKind.allCases.firstIndex(of: kind) else { return }
        problems[position].add()
    }

    /// How many problems of a kind there were.
    func count(of kind: ProblemKind) -> Int {
        ProblemKind.allCases.firstIndex(of: kind).map { problems[$0].value } ?? 0
    }
}

/// What all loops count, to be summed when somebody asks.
final class MeasureBoard: Sendable {
    private let all = Locked<[ServiceMeasures]>([])

    /// Takes in what a loop counts.
    func add(_ measures: ServiceMeasures) { all.withLock { $0.append(measures) } }

    /// What each loop counts.
    var loops: [ServiceMeasures] { all.withLock { $0 } }
}
