import Locks
import System

/// One thread runs one import at a time, for all loops.
package final class ImportQueue: Sendable {
    static let maximumCount = 64
    static let maximumChecked = 4
    static let lifetime: Duration = .seconds(3_600)

    fileprivate struct State {
        var taken: Set<String> = []
        var imports: [ListImport] = []
        var drafts: [ListDraft] = []
        var hasThread = false
        var isStopped = false
    }

    private let state = Locked(State())
    private let queue = JobQueue(maximumWaiting: ImportQueue.maximumCount)
    private let threads = Locked(ThreadGroup())

    package init() {}

    deinit { stop() }

    /// Reserves a list until the result is released; nil if it is reserved, or the queue stopped.
    func take(_ list: String) -> Hold? {
        let isFree = state.withLock { state in
            !state.isStopped && state.taken.insert(list).inserted
        }
        return isFree ? Hold(self, list) : nil
    }

    final class Hold: Sendable {
        private let queue: ImportQueue
        private let list: String
        private let isHeld = Locked(true)

        fileprivate init(_ queue: ImportQueue, _ list: String) {
            self.queue = queue
            self.list = list
        }

        deinit { release() }

        func release() {
            guard
                isHeld.withLock({ held in
                    defer { held = false }
                    return held
                })
            else { return }
            queue.state.withLock { [list] state in _ = state.taken.remove(list) }
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

    /// Stores the newest ``maximumChecked`` drafts for an hour.
    func add(_ draft: ListDraft) {
        state.withLock { state in
            state.drafts.removeAll { $0.since < .now - Self.lifetime }
            state.drafts = state.drafts.suffix(Self.maximumChecked - 1) + [draft]
        }
    }

    func draft(_ id: String) -> ListDraft? {
        state.withLock { state in
            state.drafts.first { $0.id == id && $0.since >= .now - Self.lifetime }
        }
    }

    func forget(_ draft: ListDraft) {
        state.withLock { $0.drafts.removeAll { $0 === draft } }
    }

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
    fileprivate mutating func forget(before instant: ContinuousClock.Instant) {
        imports.removeAll { ($0.end ?? .now) < instant }
        while imports.count >= ImportQueue.maximumCount,
            let oldest = imports.firstIndex(where: { !$0.isRunning })
        {
            imports.remove(at: oldest)
        }
    }
}
