import CLinux
import Glibc

package enum FolderFiles {
    /// Hidden files and entries that are not regular files are skipped.
    ///
    /// Returns the contents by the names.
    /// Fails if a file cannot be read or a limit is exceeded.
    package static func read(
        _ path: String,
        suffix: String,
        maximumBytes: Int,
        maximumCount: Int
    ) throws(FolderError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try names(in: path) where name.hasSuffix(suffix) && !name.hasPrefix(".") {
            let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            guard let content = try content(of: file, maximumBytes: maximumBytes) else { continue }
            files[name] = content
            guard files.count <= maximumCount else {
                throw .tooManyFiles(path: path, limit: maximumCount)
            }
        }
        return files
    }

    /// In no order, with `.` and `..`.
    package static func names(in path: String) throws(FolderError) -> [String] {
        guard !path.utf8.contains(0) else { throw .unreadable(path: path, code: ENOENT) }
        // SAFETY: the path lives for the call; the folder is closed below, and nowhere else.
        guard let folder = unsafe opendir(path) else { throw .unreadable(path: path, code: errno) }
        // SAFETY: the folder is open, and no code uses it afterwards.
        defer { unsafe closedir(folder) }
        var names: [String] = []
        // SAFETY: an entry lives until the next call; its name ends with a zero and is copied.
        while let entry = unsafe readdir(folder) {
            // SAFETY: as above.
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    // SAFETY: the array of characters begins where the tuple does.
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                }
            )
        }
        return names
    }

    /// Nil if it is not a regular file.
    ///
    /// Fails if the file cannot be read or has more bytes than allowed.
    package static func content(
        of path: String,
        maximumBytes: Int
    ) throws(FolderError) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        // SAFETY: the kernel fills the structure before the call returns.
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        var content: [UInt8] = []
        while content.count <= maximumBytes {
            var chunk = [UInt8](repeating: 0, count: 16 * 1024)
            // SAFETY: the kernel writes at most the bytes that the array has.
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .unreadable(path: path, code: errno)
            }
            content += chunk[..<count]
        }
        throw .fileTooLarge(path: path, limit: maximumBytes)
    }
}

extension FileDescriptor {
    /// Links are followed if they stay below the folder.
    ///
    /// - Throws: EXDEV for a link that leads out of it, or the error of open.
    package borrowing func entry(at path: String) throws(SystemError) -> FileDescriptor {
        let folder = rawValue
        let rawValue = try checked("openat2") {
            // SAFETY: the path is a C string for the duration of the call.
            unsafe clinux_open_beneath(folder, path)
        }
        return FileDescriptor(adopting: rawValue)
    }
}

package enum FolderError: Error, Hashable, Sendable {
    /// The folder or a file in it cannot be opened or read, with the error code of the system.
    case unreadable(path: String, code: Int32)
    case fileTooLarge(path: String, limit: Int)
    case tooManyFiles(path: String, limit: Int)
}
