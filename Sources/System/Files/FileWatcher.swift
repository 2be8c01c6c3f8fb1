import Glibc

/// A watcher of files, which notices writes, replacements and removals (inotify(7)).
///
/// It watches the folders of the files, because a file that is replaced is another one.
package final class FileWatcher: Sendable {
    /// The time without a further event after which changes are reported.
    package static let quietTime = Duration.milliseconds(100)

    private let ending: EventFD

    /// Watches files until the last reference is gone.
    ///
    /// The folders of the files must exist. A path that ends with a slash stands for all files of a
    /// folder. `onChange` is called on a thread of the watcher.
    /// Fails, for example, if the user watches too many folders.
    package init(
        _ files: Set<String>,
        onChange: @escaping @Sendable (Set<String>) -> Void
    ) throws(SystemError) {
        ending = try EventFD()
        let events = try FileEvents(files)
        var threads = ThreadGroup()
        try threads.start(named: "file-watcher") { [ending] in
            var changed: Set<String> = []
            // A failed wait ends the watch.
            while let isQuiet = events.wait(
                atMost: changed.isEmpty ? nil : Self.quietTime,
                until: ending
            ) {
                changed.formUnion(events.read())
                guard isQuiet, !changed.isEmpty else { continue }
                onChange(changed)
                changed = []
            }
        }
        threads.detach()
    }

    deinit { ending.wake() }
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
            let watch = try checked("inotify_add_watch") {
                // SAFETY: the path lives for the call.
                unsafe inotify_add_watch(number, folder, events)
            }
            paths[watch, default: []].insert(file)
        }
        self.paths = paths
    }

    private static func split(_ path: String) -> (folder: String, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, path[path.index(after: slash)...])
    }

    /// Nil waits for any time.
    ///
    /// Returns whether the time has passed without an event. Nil if `ending` ends the wait.
    func wait(atMost time: Duration?, until ending: EventFD) -> Bool? {
        var descriptors = [
            pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ending.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = time.map { Int32($0 / .milliseconds(1)) } ?? -1
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
