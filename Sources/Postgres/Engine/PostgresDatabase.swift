import Listings
import Locks

/// The sessions with a database that nobody uses at the moment, for all threads.
///
/// A thread borrows a session while it reads; so there are as many as there are threads that read
/// at once, whatever the number of lists, and none is made for a request while one is free.
package final class PostgresDatabase: Sendable {
    /// How long things may take.
    package struct Timeouts: Hashable, Sendable {
        /// For connecting; a thread waits as long for a server that says nothing.
        ///
        /// Default 3 s.
        package var connect = Duration.seconds(3)
        /// For what the server should have ended by itself, beyond the time given to it.
        ///
        /// Default 500 ms.
        package var grace = Duration.milliseconds(500)
        /// The wait after the first failure to connect, which doubles up to ``longestPause``;
        /// meanwhile nothing is tried and everything fails at once.
        ///
        /// Default 100 ms.
        package var firstPause = Duration.milliseconds(100)
        /// The longest wait after a failure to connect.
        ///
        /// Default 5 s.
        package var longestPause = Duration.seconds(5)

        /// The defaults.
        package init() {}
    }

    private struct State {
        var idle: [PostgresConnection] = []
        var failure: PostgresError?
        var pause = Duration.zero
        var resume = ContinuousClock.now
    }

    /// Where the database is.
    package let address: PostgresAddress
    let timeouts: Timeouts
    let listener = ChangeListener()
    private let state = Locked(State())

    /// Prepares to use a database; connects to nothing.
    package init(_ address: PostgresAddress, timeouts: Timeouts = Timeouts()) {
        self.address = address
        self.timeouts = timeouts
    }

    /// Lends a session that was used before; nil when all are in use.
    func takeIdle() -> PostgresConnection? {
        state.withLock { $0.idle.popLast() }
    }

    /// Makes a session; fails at once while the server was not there a moment ago.
    func connect() throws(PostgresError) -> PostgresConnection {
        let known = state.withLock { [timeouts] state -> PostgresError? in
            guard state.failure != nil, state.resume <= .now else { return state.failure }
            // One looks whether it is there again; the others are told at once meanwhile.
            state.resume = .now + timeouts.connect
            return nil
        }
        if let known { throw known }
        do {
            let connection = try PostgresConnection(address, timeout: timeouts.connect)
            state.withLock { state in
                state.failure = nil
                state.pause = .zero
            }
            return connection
        } catch {
            state.withLock { [timeouts] state in
                state.pause = min(max(timeouts.firstPause, state.pause * 2), timeouts.longestPause)
                state.resume = .now + state.pause
                state.failure = error
                // What was idle is of the server that has gone.
                state.idle.removeAll()
            }
            throw error
        }
    }

    /// Takes a session back.
    func giveBack(_ connection: PostgresConnection) {
        guard !connection.isBroken else { return }
        state.withLock { $0.idle.append(connection) }
    }
}
