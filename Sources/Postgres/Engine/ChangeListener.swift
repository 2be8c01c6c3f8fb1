import Glibc
import Locks
import System

/// A listener that notifies its observers when a session reports a change of the database.
///
/// A list's version is always read from the database, because tables of other owners send no
/// notifications. A notification only lets observers read it sooner. All lists share one session
/// and one thread, which exist only while there are observers.
final class ChangeListener: Sendable {
    static let channel = "roster_changes"
    private static let linger = Duration.seconds(1)

    private struct State {
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastKey: UInt64 = 0
        var isRunning = false
    }

    private final class Observation: Sendable {
        private let listener: ChangeListener
        private let key: UInt64

        init(_ listener: ChangeListener, _ key: UInt64) {
            self.listener = listener
            self.key = key
        }

        deinit {
            _ = listener.state.withLock { [key] in $0.actions.removeValue(forKey: key) }
        }
    }

    private let state = Locked(State())

    /// The action is called on the listener's thread, and after a lost connection, too.
    ///
    /// It must not block; releasing the result ends the observation.
    func observe(
        _ database: PostgresDatabase,
        _ action: @escaping @Sendable () -> Void
    ) -> any Sendable {
        let (key, starts) = state.withLock { state in
            state.lastKey += 1
            state.actions[state.lastKey] = action
            defer { state.isRunning = true }
            return (state.lastKey, !state.isRunning)
        }
        if starts {
            var threads = ThreadGroup()
            do {
                try threads.start(named: "roster-listen") { [self] in run(database) }
                threads.detach()
            } catch {
                // Without the thread, observers still read the version at their usual interval.
                state.withLock { $0.isRunning = false }
            }
        }
        return Observation(self, key)
    }

    private func run(_ database: PostgresDatabase) {
        while goesOn() {
            do throws(PostgresError) {
                let connection = try database.connect()
                // A pooler has come since the last connection.
                guard !connection.isPooled else {
                    return state.withLock { $0.isRunning = false }
                }
                try connection.execute("LISTEN \(Self.channel)", until: .now + .seconds(5))
                // Changes before the connection are unknown.
                tell()
                while try !connection.awaitNotification(until: .now + Self.linger) || tell() {
                    guard goesOn() else { return }
                }
            } catch {
                // The server is unreachable, so observers read the version at their usual interval.
                poll(nil, 0, Int32(Self.linger / .milliseconds(1)))
            }
        }
    }

    /// False also marks the thread as ended.
    private func goesOn() -> Bool {
        state.withLock { state in
            if state.actions.isEmpty { state.isRunning = false }
            return state.isRunning
        }
    }

    @discardableResult
    private func tell() -> Bool {
        for action in state.withLock({ Array($0.actions.values) }) { action() }
        return true
    }
}

extension PostgresDatabase {
    /// Nil if a pooler lends the sessions, because another program would get the notifications.
    ///
    /// Observers then read the version at their usual interval.
    func observe(_ action: @escaping @Sendable () -> Void) -> (any Sendable)? {
        isPooled ? nil : listener.observe(self, action)
    }
}
