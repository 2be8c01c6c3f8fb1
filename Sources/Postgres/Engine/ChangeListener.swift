import Glibc
import Locks
import Sockets

/// Tells those who follow lists when somebody says that a database has changed.
///
/// The version of a list is asked, never told: it is exact, and tables of somebody else say nothing
/// by themselves. Who listens need not wait until it asks again, be it to writes of another process
/// of this program or to those of a trigger. One session and one thread for all lists of a database,
/// and none while nobody listens.
final class ChangeListener: Sendable {
    /// The channel that is listened to.
    static let channel = "roster_changes"
    /// The time until a session that nobody listens to any more is ended.
    private static let linger = Duration.seconds(1)

    private struct State {
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastKey: UInt64 = 0
        var isRunning = false
    }

    /// Ends the listening of one when it is dropped.
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

    /// Calls whenever something may have changed, from now on, and after the connection was lost.
    ///
    /// - Parameters:
    ///   - database: Where.
    ///   - action: Called on a thread of its own; does not block.
    /// - Returns: What ends that when it is dropped.
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
                // Without the thread the version is asked as often as always.
                state.withLock { $0.isRunning = false }
            }
        }
        return Observation(self, key)
    }

    private func run(_ database: PostgresDatabase) {
        while goesOn() {
            do throws(PostgresError) {
                let connection = try database.connect()
                try connection.execute("LISTEN \(Self.channel)", until: .now + .seconds(5))
                // Nobody knows what happened before.
                tell()
                while try !connection.awaitNotification(until: .now + Self.linger) || tell() {
                    guard goesOn() else { return }
                }
            } catch {
                // The server is away: everybody asks it now and then.
                poll(nil, 0, Int32(Self.linger / .milliseconds(1)))
            }
        }
    }

    /// Whether somebody listens; if not, the thread is told to end.
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
    /// Calls whenever somebody says that the database has changed; see ``ChangeListener``.
    func observe(_ action: @escaping @Sendable () -> Void) -> any Sendable {
        listener.observe(self, action)
    }
}
