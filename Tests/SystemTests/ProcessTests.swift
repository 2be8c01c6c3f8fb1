import Glibc
import System
import Testing

@Suite("Threads, signals and limits")
struct ProcessTests {
    @Test("a signal is read from its descriptor instead of ending the process")
    func signals() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let signals = try Signals([SIGTERM, SIGINT])
            guard try signals.next() == nil else { exit(1) }
            raise(SIGTERM)
            guard
                try signals.descriptor.wait(
                    for: .reading,
                    until: .now.advanced(by: .seconds(10))
                )
            else { exit(2) }
            guard try signals.next() == SIGTERM, try signals.next() == nil else { exit(3) }
            Signals.ignoreFailedWrites()
            raise(SIGXFSZ)
            raise(SIGPIPE)
            exit(0)
        }
    }

    @Test("a signal that reaches a thread started before is caught, and the former action restored")
    func signalsOfOtherThreads() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let begin = try EventFD()
            let end = try EventFD()
            var threads = ThreadGroup()
            // The threads of tests block signals; catching one unblocks it.
            do { _ = try Signals([SIGTERM]) }
            try threads.start(named: "before") {
                let later = ContinuousClock.now.advanced(by: .seconds(10))
                _ = try? begin.descriptor.wait(for: .reading, until: later)
                // raise(3) signals the calling thread.
                raise(SIGTERM)
                end.wake()
            }
            do {
                let signals = try Signals([SIGTERM])
                begin.wake()
                let later = ContinuousClock.now.advanced(by: .seconds(10))
                guard try signals.descriptor.wait(for: .reading, until: later),
                    try signals.next() == SIGTERM,
                    try end.descriptor.wait(for: .reading, until: later)
                else { exit(1) }
            }
            threads.join()
            raise(SIGTERM)
            exit(0)
        }
    }

    @Test("threads run at the same time and are waited for")
    func threads() throws {
        let first = try EventFD()
        let second = try EventFD()
        var threads = ThreadGroup()
        try threads.start(named: "first") {
            first.wake()
            _ = try? second.descriptor.wait(for: .reading, until: .now.advanced(by: .seconds(10)))
        }
        try threads.start(named: "a name longer than fifteen bytes") {
            _ = try? first.descriptor.wait(for: .reading, until: .now.advanced(by: .seconds(10)))
            second.wake()
        }
        threads.join()
        let isReadable = try second.descriptor.wait(for: .reading, until: .now)
        #expect(isReadable)
    }

    @Test("a program that is started gets the variables that are named, and no others")
    func variables() async {
        await #expect(processExitsWith: .exitCode(0)) {
            unsafe setenv("FOR_IT", "a=b", 1)
            unsafe setenv("FOR_ITSELF", "secret", 1)
            let child = try ChildProcess(
                path: "/usr/bin/env",
                named: "env",
                variables: ["FOR_IT", "NOT_THERE"]
            )
            let end = ContinuousClock.now.advanced(by: .seconds(60))
            guard try child.connection.wait(for: .reading, until: end) else { exit(1) }
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = unsafe read(child.connection.rawValue, &bytes, 100)
            guard String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "FOR_IT=a=b\n"
            else { exit(2) }
            exit(0)
        }
    }

    @Test("a program that is started holds no descriptor that others forgot to close for it")
    func descriptors() async {
        await #expect(processExitsWith: .exitCode(0)) {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { exit(1) }
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            let child = try ChildProcess(path: "/bin/cat", named: "cat", variables: [])
            close(ends[1])
            // The end of what can be written is read when nobody else could write.
            var byte: UInt8 = 0
            guard unsafe read(ends[0], &byte, 1) == 0 else { exit(2) }
            // It runs: nothing has come to an end at the other side.
            guard try !child.connection.wait(for: .reading, until: .now) else { exit(3) }
            exit(0)
        }
    }

    @Test("memory that is over is given back, and what is left goes on as it was")
    func memory() async {
        await #expect(processExitsWith: .exitCode(0)) {
            var pieces = (0..<100_000).map { [UInt8](repeating: UInt8($0 % 251), count: 1_000) }
            // The last one keeps the heap from being given back from its end.
            pieces.removeFirst(pieces.count - 1)
            let heap = residentMemory()
            guard heap > 50_000 else { exit(1) }
            ProcessMemory.release()
            let laterHeap = residentMemory()
            // The sanitizers have a heap of their own, which is not given back.
            let isSanitized = unsafe dlsym(nil, "__sanitizer_get_heap_size") != nil
            guard isSanitized || laterHeap < heap - 50_000 else { exit(2) }
            guard pieces[0].allSatisfy({ $0 == UInt8(99_999 % 251) }) else { exit(3) }
            exit(0)
        }
    }

    @Test("processors are counted")
    func processors() {
        #expect(Processors.usableCount >= 1)
        #expect(Processors.usableCount <= Int(sysconf(Int32(_SC_NPROCESSORS_CONF))))
    }

    @Test("the limit of descriptors is raised as far as it may be, and never lowered")
    func descriptorLimit() async {
        await #expect(processExitsWith: .exitCode(0)) {
            var limit = rlimit(rlim_cur: 100, rlim_max: 200)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            guard try DescriptorLimit.current() == 100 else { exit(1) }
            guard try DescriptorLimit.raise(to: 150) == 150 else { exit(2) }
            guard try DescriptorLimit.raise(to: 120) == 150 else { exit(3) }
            guard try DescriptorLimit.raise(to: 1_000) == 200 else { exit(4) }
            guard try DescriptorLimit.current() == 200 else { exit(5) }
            exit(0)
        }
    }
}

/// The memory of this process that is not of files, in KiB.
private func residentMemory() -> Int {
    let file = unsafe open("/proc/self/status", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe read(file, &bytes, bytes.count)
    let status = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    guard let value = line.flatMap({ Int($0.filter(\.isNumber)) }) else { exit(9) }
    return value
}
