import Glibc

/// A watcher of files, which notices writes, replacements and removals.
///
/// The kernel reports files that are closed or moved (inotify(7)). The states of all files are
/// compared every second, which also finds files that stay open, and those of folders that a link
/// names.
package final class FileWatcher: Sendable {
    /// The time without a further event after which changes are reported.
    package static let quietTime = Duration.milliseconds(100)
    private static let period = Duration.seconds(1)

    private let ending: EventFD

    /// Watches files until the last reference is gone, for changes since their states were read.
    ///
    /// `onChange` is called on a thread of the watcher.
    package init(
        _ states: FileStates,
        onChange: @escaping @Sendable ([String: FileChange]) -> Void
    ) throws(SystemError) {
        ending = try EventFD()
        // A user may have too many watches; the states tell the same later.
        let events = try? FileEvents(states.watched)
        var threads = ThreadGroup()
        try threads.start(named: "file-watcher") { [ending] in
            Self.watch(states, events, until: ending, onChange)
        }
        threads.detach()
    }

    deinit { ending.wake() }

    private static func watch(
        _ states: FileStates,
        _ events: FileEvents?,
        until ending: EventFD,
        _ onChange: ([String: FileChange]) -> Void
    ) {
        var states = states
        var closed: Set<String> = []
        var next = ContinuousClock.now
        while true {
            let now = ContinuousClock.now
            let pause = closed.isEmpty ? next - now : min(next - now, quietTime)
            // A failed wait ends the watch.
            guard let isQuiet = FileEvents.wait(for: events, atMost: pause, until: ending) else {
                return
            }
            closed.formUnion(events?.read() ?? [])
            let begin = ContinuousClock.now
            guard begin >= next || isQuiet && !closed.isEmpty else { continue }
            let changes = states.changes(besides: closed)
            if !changes.isEmpty { onChange(changes) }
            closed = []
            // Large files and folders take at most a quarter of the time.
            next = .now + max(period, (.now - begin) * 3)
        }
    }
}

private final class FileEvents: Sendable {
    private let descriptor: FileDescriptor
    /// By the watch of their folder.
    private let paths: [Int32: Set<String>]

    init(_ files: Set<String>) throws(SystemError) {
        let number = try checked("inotify_init1") {
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        }
        descriptor = FileDescriptor(adopting: number)
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        var paths: [Int32: Set<String>] = [:]
        for file in files {
            let folder = Self.split(file).folder
            // SAFETY: the path lives for the call.
            let watch = unsafe inotify_add_watch(number, folder, events)
            if watch >= 0 { paths[watch, default: []].insert(file) }
        }
        self.paths = paths
    }

    private static func split(_ path: String) -> (folder: String, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, path[path.index(after: slash)...])
    }

    /// Returns whether the time has passed without an event.
    ///
    /// Nil if `ending` ends the wait.
    static func wait(
        for events: FileEvents?,
        atMost time: Duration,
        until ending: EventFD
    ) -> Bool? {
        var descriptors = [
            // poll(2) ignores a negative descriptor.
            pollfd(fd: events?.descriptor.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ending.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(max(.zero, time) / .milliseconds(1)) + 1
        // SAFETY: the array lives for the call, and its length is given.
        let count = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        guard count >= 0 || errno == EINTR, descriptors[1].revents == 0 else { return nil }
        return count == 0
    }

    /// The files are those that the events name.
    func read() -> Set<String> {
        var changed: Set<String> = []
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            // SAFETY: the kernel writes at most the bytes that the array has.
            let count = unsafe Glibc.read(descriptor.rawValue, &bytes, bytes.count)
            guard count > 0 else { return changed }
            // An event has 16 bytes, the last four of them the size of the name after it.
            var start = 0
            while start + 16 <= count {
                let watch = Int32(bitPattern: Self.word(bytes, start))
                let size = Int(Self.word(bytes, start + 12))
                let end = min(start + 16 + size, count)
                let name = bytes[(start + 16)..<end].prefix { $0 != 0 }
                let text = String(decoding: name, as: UTF8.self)
                let isOverflow = Self.word(bytes, start + 4) & UInt32(IN_Q_OVERFLOW) != 0
                for (folder, files) in paths where folder == watch || isOverflow {
                    changed.formUnion(files.filter { isOverflow || Self.split($0).name == text })
                    changed.formUnion(files.filter { $0.hasSuffix("/") }.map { $0 + text })
                }
                start = end
            }
        }
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        var word: UInt32 = 0
        for index in (start..<(start + 4)).reversed() { word = word << 8 | UInt32(bytes[index]) }
        return word
    }
}
