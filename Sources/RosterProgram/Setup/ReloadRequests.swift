import ListAPI
import Locks
import System

/// The requests for a reload by SIGHUP, of which one is served at a time.
final class ReloadRequests: Sendable {
    private let workers: ServiceWorkers
    private let notices: StateNotices?
    private let reloading = Locked<Reloading?>(nil)
    /// The number of requests since the last time that none was open.
    private let count = Locked(0)

    init(_ workers: ServiceWorkers, _ notices: StateNotices?) {
        (self.workers, self.notices) = (workers, notices)
    }

    /// Begins to serve requests; earlier ones had no effect.
    func open(_ reloading: Reloading) { self.reloading.replace(with: reloading) }

    /// Adds a request; those during a reload cause one more.
    func add() {
        guard let reloading = reloading.withLock({ $0 }) else { return }
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        guard isFirst else { return }
        // A worker reloads, because reloads block on files and databases.
        guard !workers.offer(.following, { self.serve(by: reloading) }) else { return }
        count.replace(with: 0)
        Diagnostics.write("no reload: too much is waiting; send SIGHUP again")
    }

    private func serve(by reloading: Reloading) {
        var isDone = false
        while !isDone {
            let served = count.withLock { $0 }
            notices?.report(.reloading)
            reloading.reload()
            notices?.report(.ready)
            isDone = count.withLock { count in
                if count == served { count = 0 }
                return count == 0
            }
        }
    }
}
