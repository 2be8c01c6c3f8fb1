import CLinux
import Glibc

/// A new version of a file, which takes its name at once or not at all.
///
/// It is written to `.NAME.roster` in the same folder. A link keeps its target, and the owner, the
/// mode and the extended attributes stay. Other processes that replace the file so wait outside. A
/// version that is not committed is removed, also one that a killed process has left.
package struct FileReplacement: ~Copyable {
    /// The identity of the contents of a file.
    package struct State: Hashable, Sendable {
        package let bytes: Int64
        /// In nanoseconds since 1970.
        package let modified: Int64
        private let device: UInt
        private let number: UInt
        /// More than one path names the file.
        package let hasSeveralNames: Bool

        fileprivate init(_ status: stat) {
            bytes = Int64(status.st_size)
            let seconds = Int64(status.st_mtim.tv_sec)
            let (scaled, isPast) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, isBeyond) = scaled.addingReportingOverflow(Int64(status.st_mtim.tv_nsec))
            modified = isPast || isBeyond ? seconds : sum
            (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
            hasSeveralNames = status.st_nlink > 1
        }

        package init(ofFileAt path: String) throws(SystemError) {
            self.init(try FileReplacement.status(of: path))
        }
    }

    package let original: State
    private let folder: String
    private let path: String
    private let temporaryPath: String
    private let source: FileDescriptor
    private let copy: FileDescriptor
    package private(set) var isCommitted = false

    /// Throws `EWOULDBLOCK` while another process replaces the file.
    package init(ofFileAt name: String) throws(SystemError) {
        let path = try Self.resolved(name)
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let temporaryPath = "\(path[..<slash])/.\(path[slash...].dropFirst()).roster"
        let source = try Self.open(path, O_RDONLY | O_NONBLOCK)
        let status = try Self.status(of: source)
        // The superuser may write to files that are meant to be read.
        guard status.st_mode & 0o222 != 0 else { throw SystemError(call: "open", code: EACCES) }
        // SAFETY: the path lives for the call.
        _ = try checked("access") { unsafe access(path, W_OK) }
        let copy = try Self.locked(temporaryPath)
        do throws(SystemError) {
            try Self.copyAttributes(of: source, status, to: copy)
        } catch {
            // SAFETY: the path lives for the call.
            _ = unsafe unlink(temporaryPath)
            throw error
        }
        original = State(status)
        folder = slash == path.startIndex ? "/" : String(path[..<slash])
        (self.path, self.temporaryPath) = (path, temporaryPath)
        self.source = source
        self.copy = copy
    }

    deinit {
        guard !isCommitted else { return }
        // SAFETY: the path lives for the call. The lock is held until the descriptor is closed.
        _ = unsafe unlink(temporaryPath)
    }

    private static func copyAttributes(
        of source: borrowing FileDescriptor,
        _ status: stat,
        to copy: borrowing FileDescriptor
    ) throws(SystemError) {
        let (original, number) = (source.rawValue, copy.rawValue)
        let own = try Self.status(of: copy)
        if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
            _ = try checked("fchown") { fchown(number, status.st_uid, status.st_gid) }
        }
        _ = try checked("fsetxattr") { clinux_copy_attributes(original, number) }
        _ = try checked("fchmod") { fchmod(number, status.st_mode & 0o7777) }
    }

    private static func locked(_ path: String) throws(SystemError) -> FileDescriptor {
        while true {
            let file = try open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
            _ = try checked("flock") { flock(file.rawValue, LOCK_EX | LOCK_NB) }
            let status = try status(of: file)
            let isOwn = status.st_uid == geteuid() || geteuid() == 0
            guard status.st_mode & S_IFMT == S_IFREG, isOwn, status.st_nlink < 2 else {
                throw SystemError(call: "open", code: EPERM)
            }
            // Another process may have given the file its name, or removed it, before the lock.
            guard let current = try? State(ofFileAt: path), current == State(status) else {
                continue
            }
            _ = try checked("ftruncate") { ftruncate(file.rawValue, 0) }
            return file
        }
    }

    private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
        let number = try checked("open") {
            // SAFETY: the path lives for the call.
            unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
        }
        return FileDescriptor(adopting: number)
    }

    private static func resolved(_ path: String) throws(SystemError) -> String {
        // SAFETY: the library allocates the text, which is freed here.
        guard let real = unsafe realpath(path, nil) else {
            throw SystemError(call: "realpath", code: errno)
        }
        // SAFETY: as above.
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func status(of path: String) throws(SystemError) -> stat {
        var status = stat()
        // SAFETY: the path lives for the call, in which the kernel fills the structure.
        _ = try checked("stat") { unsafe stat(path, &status) }
        return status
    }

    private static func status(of file: borrowing FileDescriptor) throws(SystemError) -> stat {
        var status = stat()
        let number = file.rawValue
        // SAFETY: the kernel fills the structure during the call.
        _ = try checked("fstat") { unsafe fstat(number, &status) }
        return status
    }
}

extension FileReplacement {
    /// Nil if there are more bytes than the maximum.
    package borrowing func contents(maximum: Int) throws(SystemError) -> [UInt8]? {
        guard original.bytes <= maximum else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(original.bytes))
        let number = source.rawValue
        var count = 0
        while count < bytes.count {
            let start = count
            let read = try checked("read") {
                unsafe bytes.withUnsafeMutableBytes { all in
                    // SAFETY: start < all.count, and the kernel writes at most the rest.
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: all[start...])
                    return unsafe pread(number, rest.baseAddress, rest.count, start)
                }
            }
            guard read > 0 else { break }
            count += read
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Writes the new version to the disk.
    ///
    /// Returns the state that the file will have.
    package borrowing func write(_ bytes: [UInt8]) throws(SystemError) -> State {
        if let code = Stream.write(bytes, to: copy.rawValue) {
            throw SystemError(call: "write", code: code)
        }
        let number = copy.rawValue
        _ = try checked("fsync") { fsync(number) }
        return State(try Self.status(of: copy))
    }

    /// Whether the file is still the one that was opened.
    package borrowing func isCurrent() -> Bool {
        guard let now = try? State(ofFileAt: path) else { return false }
        return now == original
    }

    /// After an error, the new version may have the name already, but a power failure can undo it.
    package mutating func commit() throws(SystemError) {
        let directory = try Self.open(folder, O_RDONLY | O_DIRECTORY)
        _ = try checked("rename") {
            // SAFETY: the paths live for the call.
            unsafe rename(temporaryPath, path)
        }
        isCommitted = true
        _ = try checked("fsync") { fsync(directory.rawValue) }
    }
}

extension SystemError {
    package var isReadOnly: Bool { isPermission || code == EROFS }

    package var isLocked: Bool { code == EWOULDBLOCK }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
