import Locks
import Sockets

/// The imports into the lists of a service: those that go on, and those that have ended not long ago.
///
/// One at a time is worked on, by one thread; the others wait. Shared by all loops.
package final class ImportBoard: Sendable {
    /// The imports that are kept; of those that have ended the oldest goes first.
    static let maximumCount = 64
    /// How long an import that has ended is kept.
    static let lifetime: Duration = .seconds(3_600)

    fileprivate struct State {
        /// The lists that are imported into, or about to be.
        var taken: Set<String> = []
        var imports: [ListImport] = []
        var hasThread = false
        var isStopped = false
    }

    private let state = Locked(State())
    private let queue = JobQueue(maximumWaiting: ImportBoard.maximumCount)
    private let threads = Locked(ThreadGroup())

    /// Creates a board without imports.
    package init() {}

    deinit { stop() }

    /// Keeps others from importing into a list, until the result is dropped.
    ///
    /// - Returns: Nil where somebody does.
    func take(_ list: String) -> Hold? {
        let isFree = state.withLock { state in
            !state.isStopped && state.taken.insert(list).inserted
        }
        return isFree ? Hold(self, list) : nil
    }

    /// The right to import into a list.
    final class Hold: Sendable {
        private let board: ImportBoard
        private let list: String
        private let isHeld = Locked(true)

        fileprivate init(_ board: ImportBoard, _ list: String) {
            self.board = board
            self.list = list
        }

        deinit { release() }

        /// Lets others import, before the result is dropped.
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

    /// Begins an import.
    ///
    /// - Throws: ``SystemError`` when there is no thread for it.
    func begin(_ work: ImportWork) throws(SystemError) {
        let needsThread = state.withLock { state in
            state.forget(before: ContinuousClock.now - Self.lifetime)
            state.imports.append(work.progress)
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

    /// An import of a list; nil for one that is not known, or not any more.
    func find(_ id: String, of list: String) -> ListImport? {
        state.withLock { state in
            state.forget(before: ContinuousClock.now - Self.lifetime)
            return state.imports.first { $0.id == id && $0.list == list }
        }
    }

    /// The import into a list that goes on.
    func running(in list: String) -> ListImport? {
        state.withLock { $0.imports.last { $0.list == list && $0.isRunning } }
    }

    /// Forgets an import that has ended.
    func forget(_ ended: ListImport) {
        state.withLock { $0.imports.removeAll { $0 === ended } }
    }

    /// Interrupts all imports, and waits until nothing of them is going on.
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

extension ImportBoard.State {
    /// Makes room: those go that ended long ago, and of the others the oldest.
    fileprivate mutating func forget(before instant: ContinuousClock.Instant) {
        imports.removeAll { ($0.end ?? .now) < instant }
        while imports.count >= ImportBoard.maximumCount,
            let oldest = imports.firstIndex(where: { !$0.isRunning })
        {
            imports.remove(at: oldest)
        }
    }
}
