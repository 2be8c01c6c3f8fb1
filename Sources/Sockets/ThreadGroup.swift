import CLinux
import Glibc

/// Threads that are waited for.
package struct ThreadGroup: ~Copyable {
    private var threads: [pthread_t] = []

    /// Creates a group without threads.
    package init() {}

    deinit {
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: What ps and debuggers show; cut to 15 bytes.
    ///   - body: What the thread does; it ends when this returns.
    /// - Throws: What pthread_create answers.
    package mutating func start(
        named name: String,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        // SAFETY: the entry is retained here and released by the thread that is started with it, or
        // below when there is none.
        let entry = unsafe Unmanaged.passRetained(ThreadEntry(name: name, body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runThread, entry.toOpaque())
        guard code == 0 else {
            unsafe entry.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        threads.append(thread)
    }

    /// Lets the threads end by themselves; nobody waits for them any more.
    package mutating func detach() {
        for thread in threads { pthread_detach(thread) }
        threads = []
    }

    /// Waits until every thread has ended.
    package consuming func join() {}
}

private final class ThreadEntry: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// The first function of a thread; nonisolated, as the C library calls it on no actor.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    // SAFETY: `start(named:_:)` retained exactly this object for exactly this call.
    let entry = unsafe Unmanaged<ThreadEntry>.fromOpaque(argument).takeRetainedValue()
    unsafe clinux_name_thread(entry.name)
    entry.body()
    return nil
}

/// The processors the process may use.
package enum Processors {
    /// How many the calling thread may run on, at least 1.
    package static var usableCount: Int {
        max(1, Int(clinux_usable_processors()))
    }
}
