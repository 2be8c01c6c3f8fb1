import Listings
import Locks

/// A thread borrows a session while it reads.
///
/// So the number of sessions is that of concurrent readers, not of lists. A session is created only
/// if none is idle.
package final class PostgresDatabase: Sendable {
    package struct Timeouts: Hashable, Sendable {
        /// A thread waits that long for an unresponsive server.
        package var connect = Duration.seconds(3)
        /// The additional time for statements that the server should already have ended.
        package var grace = Duration.milliseconds(500)
        /// The wait of a write for a lock of another one.
        package var lock = Duration.seconds(5)
        /// The pause after the first failure to connect, which doubles up to ``longestPause``.
        ///
        /// During the pause, every request fails immediately.
        package var firstPause = Duration.milliseconds(100)
        package var longestPause = Duration.seconds(5)

        package init() {}
    }

    private struct State {
        var idle: [PostgresConnection] = []
        var isPooled = false
        var failure: PostgresError?
        var pause = Duration.zero
        var resume = ContinuousClock.now
    }

    package let address: PostgresAddress
    let timeouts: Timeouts
    let listener = ChangeListener()
    private let state = Locked(State())

    package init(_ address: PostgresAddress, timeouts: Timeouts = Timeouts()) {
        self.address = address
        self.timeouts = timeouts
    }

    /// As found when last connected.
    package var isPooled: Bool { state.withLock { $0.isPooled } }

    func takeIdle() -> PostgresConnection? { state.withLock { $0.idle.popLast() } }

    /// A session that broke while idle is replaced, so that a restarted server causes no failed
    /// request.
    func borrow<R>(
        _ body: (PostgresConnection) throws(PostgresError) -> R
    ) throws(PostgresError) -> (PostgresConnection, R) {
        while let idle = takeIdle() {
            do throws(PostgresError) {
                return (idle, try body(idle))
            } catch {
                guard error.isFatal else { throw error }
            }
        }
        let fresh = try connect()
        return (fresh, try body(fresh))
    }

    /// It fails immediately during the pause after a failure.
    func connect() throws(PostgresError) -> PostgresConnection {
        let known = state.withLock { [timeouts] state -> PostgresError? in
            guard state.failure != nil, state.resume <= .now else { return state.failure }
            // One thread tries to connect. Meanwhile the others fail immediately.
            state.resume = .now + timeouts.connect
            return nil
        }
        if let known { throw known }
        do {
            let connection = try PostgresConnection(address, timeout: timeouts.connect)
            state.withLock { state in
                state.isPooled = connection.isPooled
                state.failure = nil
                state.pause = .zero
            }
            return connection
        } catch {
            state.withLock { [timeouts] state in
                state.pause = min(max(timeouts.firstPause, state.pause * 2), timeouts.longestPause)
                state.resume = .now + state.pause
                state.failure = error
                // Idle sessions belong to the server instance that is gone.
                state.idle.removeAll()
            }
            throw error
        }
    }

    func giveBack(_ connection: PostgresConnection) {
        guard !connection.isBroken else { return }
        state.withLock { $0.idle.append(connection) }
    }
}
