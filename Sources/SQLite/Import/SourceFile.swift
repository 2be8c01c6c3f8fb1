import Bytes
import Glibc
import TableFiles

/// A file that is read sequentially, once or several times.
package struct SourceFile: ~Copyable {
    /// The size and time that identify a state of a file.
    struct Stamp: Hashable {
        let bytes: Int64
        /// The last modification in nanoseconds since 1970.
        let modified: Int64
    }

    /// Large enough to make the cost of read(2) small, small enough for the processor caches.
    private static let chunkBytes = 256 << 10

    let path: String
    let stamp: Stamp
    private let descriptor: Int32?
    private let ownsDescriptor: Bool
    private var text: [UInt8]
    private var offset = 0
    /// The decompressed contents that replace the bytes of the file, if any.
    private let contents: PackedContents?
    /// The encoding of the bytes, which are read as UTF-8.
    var encoding = TextEncoding.utf8 { didSet { resetDecoder() } }
    private var decoder = TextDecoder(.utf8)
    /// The converter of an encoding that only the C library knows.
    private var iconv: Iconv?
    /// The path of a list in the document; nil for the whole file.
    private(set) var list: String?
    private(set) var documents: DocumentCache?
    /// The path of the rows in a document that replace the bytes of the file, if any.
    private(set) var rowsPath: String?
    var isReplaced: Bool { rowsPath != nil }

    /// The caller keeps the file open.
    ///
    /// Its offset is not changed.
    ///
    /// The path is the name of the file in errors. Only a regular file is accepted.
    package init(descriptor: Int32, path: String) throws(ImportError) {
        stamp = try Self.stamp(descriptor, path)
        self.path = path
        self.descriptor = descriptor
        ownsDescriptor = false
        text = []
        contents = nil
    }

    /// Reads an open file, which may be compressed by gzip, or a part of it.
    init(
        _ file: consuming Opened,
        at path: String,
        part: SourceTable.Part? = nil,
        options: ImportOptions = ImportOptions(),
        documents: DocumentCache? = nil
    ) throws(ImportError) {
        contents = try PackedContents.open(
            file.descriptor,
            count: file.stamp.bytes,
            path: path,
            part: part,
            options: options
        )
        stamp = file.stamp
        switch part {
        case .entry(let name), .sheet(let name): self.path = "\(path)#\(name)"
        case .list, nil: self.path = path
        }
        if case .list(let path) = part { list = path }
        self.documents = documents
        (descriptor, ownsDescriptor) = file.release()
        text = []
    }

    /// Closes the descriptor unless it is released.
    struct Opened: ~Copyable {
        let descriptor: Int32
        let stamp: Stamp
        private let isOwned: Bool

        init(_ location: SourceTable.Location) throws(ImportError) {
            switch location {
            case .path(let path):
                (descriptor, stamp) = try SourceFile.openFile(at: path)
                isOwned = true
            case .descriptor(let number, let name):
                (descriptor, stamp) = (number, try SourceFile.stamp(number, name))
                isOwned = false
            }
        }

        deinit { if isOwned { close(descriptor) } }

        consuming func release() -> (descriptor: Int32, isOwned: Bool) {
            let result = (descriptor, isOwned)
            discard self
            return result
        }
    }

    init(text: String, path: String) {
        self.path = path
        self.text = Array(text.utf8)
        stamp = Stamp(bytes: Int64(text.utf8.count), modified: 0)
        descriptor = nil
        ownsDescriptor = false
        contents = nil
    }

    deinit { if ownsDescriptor, let descriptor { close(descriptor) } }

    /// The caller closes the file.
    static func openFile(
        at path: String
    ) throws(ImportError) -> (descriptor: Int32, stamp: Stamp) {
        guard !path.utf8.contains(0) else { throw .missing(path: path) }
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
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
            return (descriptor, try stamp(descriptor, path))
        } catch {
            close(descriptor)
            throw error
        }
    }

    static func stamp(_ descriptor: Int32, _ path: String) throws(ImportError) -> Stamp {
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
        // A time after the year 2262 is identified by its seconds alone.
        return Stamp(
            bytes: Int64(status.st_size),
            modified: isPast || isBeyond ? seconds : modified
        )
    }

    func isUnchanged() throws(ImportError) -> Bool {
        guard let descriptor else { return true }
        return try Self.stamp(descriptor, path) == stamp
    }

    /// The size of what is read: of the file, or of its compressed part.
    var totalBytes: Int { contents?.totalBytes ?? Int(stamp.bytes) }
    /// Nil if the file is not compressed.
    var compressedBytesRead: Int? { contents?.bytesRead }

    /// Nil for other files than a sheet.
    var sheet: FileFindings.Sheet? { contents?.sheet }

    mutating func rewind() {
        offset = 0
        contents?.rewind()
        resetDecoder()
    }

    private mutating func resetDecoder() {
        decoder = TextDecoder(encoding)
        if case .named(let name) = encoding { iconv = try? Iconv(name) } else { iconv = nil }
    }

    /// The rows replace the bytes of the file.
    mutating func replace(by rows: JSONRows) {
        text = rows.lines
        rowsPath = rows.path
        encoding = .utf8
        rewind()
    }

    /// In UTF-8.
    mutating func readBeginning(into buffer: inout ByteBuffer) throws(ImportError) {
        rewind()
        try read(into: &buffer)
        rewind()
    }

    /// In UTF-8.
    ///
    /// The buffer is empty at the end of the file.
    mutating func read(into buffer: inout ByteBuffer) throws(ImportError) {
        guard encoding != .utf8 else { return try readBytes(into: &buffer) }
        var bytes = ByteBuffer()
        buffer.removeAll()
        // A chunk of UTF-16 may hold no whole character.
        repeat {
            try readBytes(into: &bytes)
            bytes.withBytes {
                if let iconv {
                    iconv.decode($0, into: &buffer)
                } else {
                    decoder.decode($0, into: &buffer)
                }
            }
        } while buffer.isEmpty && !bytes.isEmpty
    }

    private mutating func readBytes(into buffer: inout ByteBuffer) throws(ImportError) {
        buffer.removeAll()
        guard let descriptor = descriptor, !isReplaced else {
            buffer.append(Array(text[offset...]))
            offset = text.count
            return
        }
        if let contents { return try contents.read(into: &buffer) }
        let (offset, path) = (offset, path)
        // SAFETY: the closure writes only into the given room and returns the count.
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
