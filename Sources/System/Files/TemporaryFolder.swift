import Glibc

/// A folder for files that several parts of a program open by their names, removed with the
/// program.
///
/// A lock marks it as used, so that a later program removes the folders of programs that were
/// killed.
package final class TemporaryFolder: Sendable {
    package let path: String
    package let parent: String
    private let lock: FileDescriptor

    /// Makes an empty folder that only this user can read, and removes abandoned ones of the name.
    package init(in parent: String, name: String) throws(SystemError) {
        self.parent = parent
        Self.removeAbandoned(in: parent, name)
        path = "\(parent)/\(name)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let path = path
        // SAFETY: the path lives for the call.
        _ = try checked("mkdir") { unsafe mkdir(path, 0o700) }
        guard let lock = Self.locked(path) else { throw SystemError(call: "flock", code: errno) }
        self.lock = lock
    }

    deinit { remove() }

    /// Removes the folder with its files, which no part of the program may need any more.
    package func remove() { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in (try? FolderFiles.names(in: path)) ?? [] where name != "." && name != ".." {
            // SAFETY: the path lives for the call. If a file cannot be removed, only it remains.
            _ = unsafe unlink("\(path)/\(name)")
        }
        // SAFETY: the path lives for the call.
        _ = unsafe rmdir(path)
    }

    /// Nil if another program uses the folder, or if it belongs to another user.
    private static func locked(_ path: String) -> FileDescriptor? {
        // SAFETY: the path lives for the call.
        let number = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = FileDescriptor(adopting: number)
        var status = stat()
        // SAFETY: the kernel fills the structure before the call returns.
        guard unsafe fstat(number, &status) == 0, status.st_uid == geteuid(),
            flock(number, LOCK_EX | LOCK_NB) == 0
        else { return nil }
        return descriptor
    }

    private static func removeAbandoned(in parent: String, _ name: String) {
        for entry in (try? FolderFiles.names(in: parent)) ?? [] where entry.hasPrefix(name + "-") {
            let path = "\(parent)/\(entry)"
            guard let lock = locked(path) else { continue }
            remove(path)
            withExtendedLifetime(lock) {}
        }
    }
}
