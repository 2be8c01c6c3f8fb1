import Bytes
import Glibc

/// A file that is read from front to back, once or several times.
package struct SourceFile: ~Copyable {
    /// What tells one state of a file from another.
    struct Stamp: Hashable {
        /// The size in bytes.
        let bytes: Int64
        /// The last modification in nanoseconds since 1970.
        let modified: Int64
    }

    /// Large enough for a read(2) to be a small part of the work, small enough for the caches.
    private static let chunkBytes = 256 << 10

    let path: String
    /// The state of the file when it was opened.
    let stamp: Stamp
    /// Nil for a text in memory.
    private let descriptor: Int32?
    private let ownsDescriptor: Bool
    private let text: [UInt8]
    private var offset = 0

    /// Reads a file that somebody else has opened, and keeps open for as long.
    ///
    /// - Parameters:
    ///   - descriptor: The kernel's number of it; its offset is left alone.
    ///   - path: What it is called in errors.
    /// - Throws: ``ImportError`` when it is no file of bytes on a disk.
    package init(descriptor: Int32, path: String) throws(ImportError) {
        stamp = try Self.stamp(descriptor, path)
        self.path = path
        self.descriptor = descriptor
        ownsDescriptor = false
        text = []
    }

    /// Opens a file.
    init(path: String) throws(ImportError) {
        guard !path.utf8.contains(0) else { throw .missing(path: path) }
        // Without O_NONBLOCK the opening of a pipe would wait for a writer.
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else {
                throw .unreadable(path: path, code: code)
            }
            throw .missing(path: path)
        }
        do {
            stamp = try Self.stamp(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        ownsDescriptor = true
        text = []
    }

    /// A text in memory that is read as a file.
    init(text: String, path: String) {
        self.path = path
        self.text = Array(text.utf8)
        stamp = Stamp(bytes: Int64(text.utf8.count), modified: 0)
        descriptor = nil
        ownsDescriptor = false
    }

    deinit { if ownsDescriptor, let descriptor { close(descriptor) } }

    private static func stamp(_ descriptor: Int32, _ path: String) throws(ImportError) -> Stamp {
        var status = stat()
        // SAFETY: the kernel fills the structure before the call returns.
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, code: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .directory(path: path)
        default: throw .notRegular(path: path)
        }
        let seconds = Int64(status.st_mtim.tv_sec)
        let (scaled, isPast) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (modified, isBeyond) = scaled.addingReportingOverflow(Int64(status.st_mtim.tv_nsec))
        // A time past the year 2262 is still a state of the file: its seconds alone tell it.
        return Stamp(
            bytes: Int64(status.st_size),
            modified: isPast || isBeyond ? seconds : modified
        )
    }

    /// Whether the file is still in the state it was opened in.
    func isUnchanged() throws(ImportError) -> Bool {
        guard let descriptor else { return true }
        return try Self.stamp(descriptor, path) == stamp
    }

    /// Goes back to the beginning.
    mutating func rewind() { offset = 0 }

    /// Replaces the bytes of a buffer by the next ones of the file; none at its end.
    mutating func read(into buffer: inout ByteBuffer) throws(ImportError) {
        buffer.removeAll()
        guard let descriptor = descriptor else {
            buffer.append(Array(text[offset...]))
            offset = text.count
            return
        }
        let (offset, path) = (offset, path)
        // SAFETY: the closure writes into the room it is lent only, and says how much.
        try unsafe buffer.appendUnsafe(maximum: Self.chunkBytes) { room throws(ImportError) in
            while true {
                // SAFETY: the kernel writes at most `room.count` bytes and keeps no address.
                let count = unsafe pread(descriptor, room.baseAddress, room.count, offset)
                if count >= 0 { return count }
                guard errno == EINTR else { throw .unreadable(path: path, code: errno) }
            }
        }
        self.offset += buffer.count
    }
}
