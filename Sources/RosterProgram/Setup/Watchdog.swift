import HTTPServer
import System

/// A watchdog that reports to a service manager while every event loop makes progress.
final class Watchdog {
    private let ending: EventFD
    private var threads = ThreadGroup()

    /// Begins to watch on a thread of its own, until the last reference is gone or the server
    /// drains.
    init(
        of server: HTTPServer,
        within time: Duration,
        tell: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        ending = try EventFD()
        let period = time / 2
        try threads.start(named: "watchdog") { [ending] in
            var known = server.turns
            server.wakeLoops()
            var pause = period
            // A failed wait ends the watch, and then the manager acts.
            while (try? ending.descriptor.wait(for: .reading, until: .now + pause)) == false {
                guard !server.isDraining else { return }
                let turns = server.turns
                // A late loop is checked again after a fraction of the period.
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
