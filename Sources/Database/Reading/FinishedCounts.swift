import Listings
import Locks

/// The counts that were finished after their pages were sent, shared by the readers of a list.
final class FinishedCounts: Sendable {
    struct Findings: Sendable {
        let counts: SectionCounts
        let overview: QueryStatistics
        var generation = 0
    }

    /// The time after which counting is tried again that took too long.
    private static let pause = Duration.seconds(600)
    private static let maximumFailures = 256
    private static let maximumDerived = 64

    private struct State {
        var findings: Findings?
        var failures: [ListQuery: ContinuousClock.Instant] = [:]
        var derived: [[DerivedColumn]: FinishedCounts] = [:]
    }

    private let state = Locked(State())

    func ofQueries(deriving columns: [DerivedColumn]) -> FinishedCounts {
        state.withLock { state in
            if let known = state.derived[columns] { return known }
            if state.derived.count >= Self.maximumDerived { state.derived = [:] }
            let counts = FinishedCounts()
            state.derived[columns] = counts
            return counts
        }
    }

    func findings(of version: ListVersion, after generation: Int) -> Findings? {
        state.withLock { state in
            guard let findings = state.findings, findings.generation != generation,
                findings.overview.version == version
            else { return nil }
            return findings
        }
    }

    func canFinish(_ query: ListQuery) -> Bool {
        state.withLock { state in
            guard let end = state.failures[query] else { return true }
            guard end <= .now else { return false }
            state.failures[query] = nil
            return true
        }
    }

    func keep(_ findings: Findings) -> Int {
        state.withLock { state in
            var findings = findings
            findings.generation = (state.findings?.generation ?? 0) + 1
            state.findings = findings
            return findings.generation
        }
    }

    func giveUp(_ query: ListQuery) {
        state.withLock { state in
            if state.failures.count >= Self.maximumFailures { state.failures = [:] }
            state.failures[query] = .now + Self.pause
        }
    }
}
