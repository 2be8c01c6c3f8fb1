import Glibc
import System

struct FileFacts {
    enum Kind {
        case file
        case folder
        case other
    }

    struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    let kind: Kind
    let identity: Identity
    let size: Int
    let secondsOfChange: Int64
}

extension FileDescriptor {
    static func folder(_ path: String) throws(SystemError) -> FileDescriptor {
        // SAFETY: the path is a C string for the time of the call.
        let rawValue = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard rawValue >= 0 else { throw SystemError(call: "open", code: errno) }
        return FileDescriptor(adopting: rawValue)
    }

    /// Nil for a link that leads out of the folder or nowhere, and for a missing or
    /// unreadable entry.
    borrowing func openBeneath(_ path: String) throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) {
            return try entry(at: path)
        } catch {
            guard [EXDEV, ELOOP, ENOENT, ENOTDIR, ENXIO, EACCES].contains(error.code) else {
                throw error
            }
            return nil
        }
    }

    borrowing func fileFacts() throws(SystemError) -> FileFacts {
        var facts = stat()
        // SAFETY: the kernel fills the structure during the call only.
        guard unsafe fstat(rawValue, &facts) == 0 else {
            throw SystemError(call: "fstat", code: errno)
        }
        let kind: FileFacts.Kind =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        return FileFacts(
            kind: kind,
            identity: FileFacts.Identity(device: facts.st_dev, number: facts.st_ino),
            size: Int(facts.st_size),
            secondsOfChange: Int64(facts.st_mtim.tv_sec)
        )
    }

    /// Unordered, without `.` and `..`.
    ///
    /// Names that are not UTF-8 are omitted.
    borrowing func names() throws(SystemError) -> [String] {
        // The list takes over the descriptor from which it is made.
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError(call: "fcntl", code: errno) }
        // SAFETY: the list is closed below and used by this call only.
        guard let list = unsafe fdopendir(copy) else {
            let code = errno
            _ = close(copy)
            throw SystemError(call: "fdopendir", code: code)
        }
        defer { _ = unsafe closedir(list) }
        var names: [String] = []
        while true {
            errno = 0
            // SAFETY: the entry is used before the next call overwrites it.
            guard let entry = unsafe readdir(list) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                // SAFETY: the name ends at a zero within the array.
                unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemError(call: "readdir", code: errno) }
        return names
    }

    /// 0 at the end of the file.
    borrowing func read(into room: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = unsafe room.withUnsafeMutableBytes { room in
                // SAFETY: the kernel writes at most `room.count` bytes during the call only.
                unsafe Glibc.read(rawValue, room.baseAddress, room.count)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError(call: "read", code: errno) }
        }
    }

    borrowing func contents(expecting size: Int) throws(SystemError) -> [UInt8] {
        var contents: [UInt8] = []
        contents.reserveCapacity(size)
        var room = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = try read(into: &room)
            guard count > 0 else { return contents }
            contents += room[..<count]
        }
    }
}
