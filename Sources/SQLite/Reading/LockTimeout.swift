import Synchronization

/// After an unsuccessful wait, no reader waits for one second.
///
/// A locked database therefore does not block threads that other lists need.
package final class LockTimeout: Sendable {
    private static let longestWait = Duration.milliseconds(500)
    private static let pause = Duration.seconds(1)
    private static let start = ContinuousClock.now

    /// The end of the pause, in nanoseconds after ``start``.
    private let end = Atomic<Int64>(0)

    package init() {}

    var wait: Duration {
        let end = end.load(ordering: .relaxed)
        guard end > 0, Self.start + .nanoseconds(end) > .now else { return Self.longestWait }
        return .zero
    }

    func waitedInVain() {
        let end = Self.start.duration(to: .now) + Self.pause
        self.end.store(Int64(end / .nanoseconds(1)), ordering: .relaxed)
    }
}
