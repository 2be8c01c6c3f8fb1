import Locks
import System

/// The imports into the lists of a service: the running ones and those that ended recently.
///
/// One thread runs one import at a time, and the others wait. All loops share the board.
package final class ImportQueue: Sendable {
    /// The maximum number of stored imports; the oldest ended one is removed first.
    static let maximumCount = 64
    /// The maximum number of checked files that are stored.
    static let maximumChecked = 4
    /// The time that an ended import is stored.
    static let lifetime: Duration = .seconds(3_600)

    fileprivate struct State {
        /// The lists with a running or announced import.
        var taken: Set<String> = []
        var imports: [ListImport] = []
        var hasThread = false
        var isStopped = false
    }

    private let state = Locked(State())
    private let queue = JobQueue(maximumWaiting: ImportQueue.maximumCount)
    private let threads = Locked(ThreadGroup())

    package init() {}

    deinit { stop() }

    /// Reserves a list for an import, until the result is released.
    ///
    /// - Returns: The reservation; nil if the list is already reserved or the board is stopped.
    func take(_ list: String) -> Hold? {
        let isFree = state.withLock { state in
            !state.isStopped && state.taken.insert(list).inserted
        }
        return isFree ? Hold(self, list) : nil
    }

    /// The exclusive right to import into a list.
    final class Hold: Sendable {
        private let board: ImportQueue
        private let list: String
        private let isHeld = Locked(true)

        fileprivate init(_ board: ImportQueue, _ list: String) {
            self.board = board
            self.list = list
        }

        deinit { release() }

        /// Ends the reservation early.
        func release() {
            guard
                isHeld.withLock({ held in
                    defer { held = false }
                    return held
                })
            else { return }
            board.state.withLock { [list] state in _ = state.taken.remove(list) }
        }
    }

    func begin(_ work: ImportJob) throws(SystemError) {
        let needsThread = state.withLock { state in
            state.forget(before: ContinuousClock.now - Self.lifetime)
            state.imports.append(work.progress)
            if work.isPreview {
                work.progress.checked = .init(
                    spool: work.spool,
                    format: work.format,
                    verb: work.verb
                )
                let files = state.imports.filter { $0.checked != nil }
                for oldest in files.dropLast(Self.maximumChecked) { oldest.checked = nil }
            }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if needsThread {
            do throws(SystemError) {
                try threads.withLock { [queue] (threads) throws(SystemError) in
                    try threads.start(named: "import") { queue.work() }
                }
                queue.expect(threads: 1)
            } catch {
                state.withLock { $0.hasThread = false }
                work.progress.interrupt()
                throw error
            }
        }
        if !queue.offer({ work.run() }) { work.progress.interrupt() }
    }

    /// Returns an import of a list; nil for an ID that is unknown or was removed.
    func find(_ id: String, of list: String) -> ListImport? {
        state.withLock { state in
            state.forget(before: ContinuousClock.now - Self.lifetime)
            return state.imports.first { $0.id == id && $0.list == list }
        }
    }

    func running(in list: String) -> ListImport? {
        state.withLock { $0.imports.last { $0.list == list && $0.isRunning } }
    }

    func forget(_ ended: ListImport) {
        state.withLock { $0.imports.removeAll { $0 === ended } }
    }

    /// Interrupts all imports, and waits until they have stopped.
    package func stop() {
        let imports = state.withLock { state in
            state.isStopped = true
            return state.imports
        }
        for one in imports { one.interrupt() }
        queue.close()
        threads.replace(with: ThreadGroup())
    }
}

extension ImportQueue.State {
    /// Removes imports that ended before an instant, and the oldest ended ones over the maximum.
    fileprivate mutating func forget(before instant: ContinuousClock.Instant) {
        imports.removeAll { ($0.end ?? .now) < instant }
        while imports.count >= ImportQueue.maximumCount,
            let oldest = imports.firstIndex(where: { !$0.isRunning })
        {
            imports.remove(at: oldest)
        }
    }
}
