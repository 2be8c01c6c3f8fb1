import CLinux
import Glibc

package struct ThreadGroup: ~Copyable {
    private var threads: [pthread_t] = []

    package init() {}

    deinit {
        for thread in threads { pthread_join(thread, nil) }
    }

    /// The name, as in ps and debuggers, is cut to 15 bytes.
    ///
    /// The thread ends when the closure returns.
    package mutating func start(
        named name: String,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        // SAFETY: the entry is retained here. The started thread releases it, or the code below
        // does if there is none.
        let entry = unsafe Unmanaged.passRetained(ThreadEntry(name: name, body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runThread, entry.toOpaque())
        guard code == 0 else {
            unsafe entry.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        threads.append(thread)
    }

    /// Detaches the threads, so that they end without being joined.
    package mutating func detach() {
        for thread in threads { pthread_detach(thread) }
        threads = []
    }

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

/// The first function of a thread, nonisolated because the C library calls it on no actor.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    // SAFETY: `start(named:_:)` retained exactly this object for exactly this call.
    let entry = unsafe Unmanaged<ThreadEntry>.fromOpaque(argument).takeRetainedValue()
    unsafe clinux_name_thread(entry.name)
    entry.body()
    return nil
}

package enum Processors {
    /// Those on which the calling thread may run, at least 1.
    package static var usableCount: Int {
        max(1, Int(clinux_usable_processors()))
    }
}
