import Synchronization

/// The time that readers wait for a database that another program has locked.
///
/// After a wait in vain no reader waits for a second, so that a database that stays locked does not
/// keep the threads that other lists need.
package final class LockPatience: Sendable {
    private static let longestWait = Duration.milliseconds(500)
    private static let pause = Duration.seconds(1)
    private static let start = ContinuousClock.now

    /// The end of the pause, in nanoseconds after ``start``.
    private let end = Atomic<Int64>(0)

    /// Creates the patience of a source whose database was not found locked.
    package init() {}

    /// The wait now.
    var wait: Duration {
        let end = end.load(ordering: .relaxed)
        guard end > 0, Self.start + .nanoseconds(end) > .now else { return Self.longestWait }
        return .zero
    }

    /// Notes that a reader has waited, and the database is still locked.
    func waitedInVain() {
        let end = Self.start.duration(to: .now) + Self.pause
        self.end.store(Int64(end / .nanoseconds(1)), ordering: .relaxed)
    }
}
