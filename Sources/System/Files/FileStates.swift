import Glibc

package enum FileChange: Hashable, Sendable {
    case complete
    /// A writer extends the file, and its last line may be unfinished.
    case extended
    /// Another file of the same size and time has replaced it.
    case disguised
}

/// The states of files, by which a watcher finds those that changed.
///
/// A path that ends with a slash stands for all files of a folder.
package struct FileStates: Sendable {
    private struct State: Hashable {
        let device: UInt
        let inode: UInt
        let bytes: Int
        let modified: Duration
        /// The last bytes, which an appending writer leaves as they are.
        var end: [UInt8] = []
    }

    private static let maximumEnd = 512
    /// The time without a write after which a file is complete.
    private static let restTime = Duration.milliseconds(300)

    /// The files and folders, also those that are missing now.
    let watched: Set<String>
    private var states: [String: State] = [:]

    package init(_ paths: Set<String>) {
        watched = paths
        for path in paths {
            states[path] = Self.state(of: path)
            for file in Self.files(in: path) { states[file] = Self.state(of: file) }
        }
    }

    /// Returns the changed files, and those that the caller knows to be complete.
    ///
    /// A file that a writer extends has changed at once. One that is written anew has changed when
    /// nothing is written for a moment, because a part of it must not be read.
    mutating func changes(besides complete: Set<String>) -> [String: FileChange] {
        var changes: [String: FileChange] = [:]
        for path in complete {
            states[path] = Self.state(of: path)
            changes[path] = .complete
        }
        for path in watched.union(states.keys) where !complete.contains(path) {
            guard let change = change(of: path) else { continue }
            states[path] = Self.state(of: path)
            changes[path] = change
            for file in Self.files(in: path) where states[file] == nil {
                states[file] = Self.state(of: file)
                changes[file] = .complete
            }
        }
        return changes
    }

    package func bytes(of path: String) -> Int { states[path]?.bytes ?? 0 }

    private func change(of path: String) -> FileChange? {
        let old = states[path]
        guard let new = Self.status(of: path) else { return old == nil ? nil : .complete }
        guard let old else { return Self.rests(new) ? .complete : nil }
        guard new != Self.withoutEnd(old) else { return nil }
        if path.hasSuffix("/") { return .complete }
        if Self.extends(old, new, path) { return .extended }
        guard Self.rests(new) else { return nil }
        return old.bytes == new.bytes && old.modified == new.modified ? .disguised : .complete
    }

    private static func withoutEnd(_ state: State) -> State {
        var state = state
        state.end = []
        return state
    }

    private static func files(in folder: String) -> [String] {
        guard folder.hasSuffix("/") else { return [] }
        // A folder that cannot be read has no files.
        let names = (try? FolderFiles.names(in: folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.map { folder + $0 }
    }

    private static func rests(_ state: State) -> Bool {
        var now = timespec()
        // SAFETY: the kernel fills the structure before the call returns.
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = Duration(now) - state.modified
        return age < .zero || age > restTime
    }

    private static func extends(_ old: State, _ new: State, _ path: String) -> Bool {
        guard old.inode == new.inode, old.device == new.device, old.bytes < new.bytes
        else { return false }
        return end(of: path, at: old.bytes) == old.end
    }

    private static func state(of path: String) -> State? {
        guard var state = status(of: path) else { return nil }
        if !path.hasSuffix("/") { state.end = end(of: path, at: state.bytes) }
        return state
    }

    private static func status(of path: String) -> State? {
        var status = stat()
        // SAFETY: the path lives for the call, and the kernel fills the structure before it ends.
        guard unsafe stat(path, &status) == 0 else { return nil }
        return State(
            device: UInt(status.st_dev),
            inode: UInt(status.st_ino),
            bytes: Int(status.st_size),
            modified: Duration(status.st_mtim)
        )
    }

    /// The bytes before a position.
    private static func end(of path: String, at position: Int) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: min(position, maximumEnd))
        // SAFETY: the kernel writes at most the bytes that the array has.
        let count = unsafe pread(descriptor, &bytes, bytes.count, position - bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

extension Duration {
    fileprivate init(_ time: timespec) {
        self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
