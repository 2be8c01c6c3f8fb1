import HTTPServer
import Sockets

/// Reports to a service manager that every event loop answers, twice in the time that it allows.
final class Watchdog {
    private let ending: WakeUp
    private var threads = ThreadGroup()

    /// Begins to watch, on a thread of its own, until the last reference is gone or the server drains.
    ///
    /// - Parameters:
    ///   - server: Its loops are woken, and have to take a turn.
    ///   - time: The longest time between two signs of life.
    ///   - tell: Reports that the loops answer.
    /// - Throws: ``SystemError`` when there is no descriptor or no thread left.
    init(
        of server: HTTPServer,
        within time: Duration,
        tell: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        ending = try WakeUp()
        let period = time / 2
        try threads.start(named: "watchdog") { [ending] in
            var known = server.turns
            server.wakeLoops()
            var pause = period
            // A descriptor that cannot be waited for ends the watch, and then the manager acts.
            while (try? ending.descriptor.wait(for: .reading, until: .now + pause)) == false {
                guard !server.isDraining else { return }
                let turns = server.turns
                // A loop that is late is looked at sooner than in a whole period.
                pause = period / 8
                guard turns.count == server.loopCount, zip(turns, known).allSatisfy({ $0 != $1 })
                else { continue }
                tell()
                known = turns
                pause = period
                server.wakeLoops()
            }
        }
    }

    deinit { ending.wake() }
}
