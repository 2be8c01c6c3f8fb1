import HTTP
import Locks
import Rendering

/// The request counters of a list.
final class ListMetrics: Sendable {
    /// The formats of responses that have counters of their own.
    enum Format: Int, CaseIterable {
        case json, html, csv, ndjson, events, other
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
    private let answers = InlineArray<168, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    private let times = InlineArray<14, ThreadLocalCounter> { _ in ThreadLocalCounter() }
    /// The total time of all responses in nanoseconds.
    let nanoseconds = ThreadLocalCounter()
    /// The number of pages whose rows were not counted because counting took too long.
    let uncounted = ThreadLocalCounter()

    init(_ name: String) {
        self.name = name
        precondition(
            Self.statuses.count * Format.allCases.count == answers.count
                && Self.bounds.count + 1 == times.count
        )
    }

    /// Counts a response.
    func add(_ status: HTTPStatus, _ format: Format, nanoseconds time: Int) {
        let known = Self.statuses.firstIndex(of: status.code) ?? Self.statuses.count - 1
        answers[format.rawValue * Self.statuses.count + known].add()
        times[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count].add()
        nanoseconds.add(time)
    }

    /// Returns the number of responses of a format, by the position of their status.
    func count(of format: Format, status: Int) -> Int {
        answers[format.rawValue * Self.statuses.count + status].value
    }

    /// Returns the number of responses that took longer than the previous bound, up to this one.
    func count(withinBound bound: Int) -> Int { times[bound].value }
}

extension ListMetrics.Format {
    /// Takes the format of a page.
    init(_ format: PageFormat) {
        switch format {
        case .json: self = .json
        case .html: self = .html
        case .csv: self = .csv
        case .ndjson: self = .ndjson
        }
    }
}
