import Archives
import Bytes
import Glibc
import TableFiles

package struct SourceFile: ~Copyable {
    struct Stamp: Hashable {
        var bytes: Int64
        /// The last modification in nanoseconds since 1970.
        let modified: Int64
    }

    /// Large enough to make the cost of read(2) small, small enough for the processor caches.
    private static let chunkBytes = 256 << 10

    let path: String
    private(set) var stamp: Stamp
    private let file: OpenFile?
    private var text: [UInt8]
    private var offset = 0
    /// The decompressed contents that replace the bytes of the file, if any.
    private let contents: PackedContents?
    /// The encoding of the bytes, which are read as UTF-8.
    var encoding = TextEncoding.utf8 { didSet { resetDecoder() } }
    private var decoder = TextDecoder(.utf8)
    private var iconv: Iconv?
    private(set) var list: String?
    private(set) var documents: DocumentCache?
    /// The path of the rows in a document that replace the bytes of the file, if any.
    private(set) var rowsPath: String?
    var isReplaced: Bool { rowsPath != nil }
    /// Whether the bytes of the file are compressed, or those of a workbook.
    package var isPacked: Bool { contents != nil }
    /// The form of the document, and the positions of the rows in it.
    private(set) var form: JSONForm?
    private(set) var shape: JSONShape?
    private(set) var repairs = FileRepairs()
    private(set) var rowRanges: [Range<Int>]?
    private(set) var listStart: Int?

    private init(
        _ file: OpenFile?,
        path: String,
        text: [UInt8] = [],
        contents: PackedContents? = nil
    ) {
        self.file = file
        self.path = path
        self.text = text
        self.contents = contents
        stamp = file?.stamp ?? Stamp(bytes: Int64(text.count), modified: 0)
    }

    /// The caller keeps the file open, whose offset is not changed.
    package init(descriptor: Int32, path: String) throws(ImportError) {
        self.init(try OpenFile(.descriptor(descriptor, name: path)), path: path)
    }

    init(text: String, path: String) { self.init(bytes: Array(text.utf8), path: path) }

    init(bytes: [UInt8], path: String) { self.init(nil, path: path, text: bytes) }

    init(
        _ file: OpenFile,
        part: SourceTable.Part? = nil,
        options: ImportOptions = ImportOptions(),
        documents: DocumentCache? = nil
    ) throws(ImportError) {
        var (path, list): (String, String?) = (file.path, nil)
        switch part {
        case .entry(let name), .sheet(let name): path += "#\(name)"
        case .list(let name): list = name
        case nil: break
        }
        self.init(file, path: path, contents: try PackedContents.open(file, part, options))
        (self.list, self.documents) = (list, documents)
    }

    /// The values that have been read as others and that exports spell otherwise.
    var respellings: [Int: Respelling] = [:]

    /// Whether a writer may append to the file while it is read.
    var mayGrow = false

    func isUnchanged() throws(ImportError) -> Bool {
        guard let file else { return true }
        let current = try file.currentStamp()
        return current == stamp || mayGrow && contents == nil && current.bytes > stamp.bytes
    }

    /// Leaves out a last line that has no end.
    mutating func endAtLastLine() throws(ImportError) {
        guard let file, contents == nil else { return }
        let count = min(Int(stamp.bytes), Self.chunkBytes)
        var bytes = ByteBuffer()
        do {
            try file.append(from: stamp.bytes - Int64(count), atMost: count, to: &bytes)
        } catch {
            throw ImportError(error, path: path)
        }
        let end = bytes.withBytes { bytes in
            bytes.indices.reversed().first { bytes[$0] == UInt8(ascii: "\n") }.map { end in
                // In UTF-16, the line feed can have its zero after it.
                end + 1 < bytes.count && bytes[end + 1] == 0 ? end + 2 : end + 1
            }
        }
        if let end { stamp.bytes -= Int64(count - end) }
    }

    var totalBytes: Int { contents?.totalBytes ?? Int(stamp.bytes) }
    var compressedBytesRead: Int? { contents?.bytesRead }

    var sheet: FileFindings.Sheet? { contents?.findings }

    mutating func rewind() {
        offset = 0
        contents?.rewind()
        resetDecoder()
    }

    private mutating func resetDecoder() {
        decoder = TextDecoder(encoding)
        if case .named(let name) = encoding { iconv = try? Iconv(name) } else { iconv = nil }
    }

    mutating func replace(by rows: JSONRows) {
        text = rows.lines
        rowsPath = rows.path
        (rowRanges, listStart) = (rows.rowRanges, rows.listStart)
        (shape, repairs) = (rows.shape, rows.repairs)
        form = JSONForm(rowRanges == nil ? .other : rows.areArrays ? .arrays : .array)
        encoding = .utf8
        rewind()
    }

    mutating func readBeginning(into buffer: inout ByteBuffer) throws(ImportError) {
        rewind()
        try read(into: &buffer)
        rewind()
    }

    private static let sampleBytes = 64 << 10
    private(set) var isEncodingGuessed = false

    /// Takes the encoding of a delimited text that is not UTF-8, by its first lines with other bytes
    /// than ASCII; false after other errors.
    mutating func guessEncoding(
        after errors: [FileError],
        _ format: FileFormat
    ) throws(ImportError) -> Bool {
        guard format.isDelimited, encoding == .utf8,
            errors.contains(where: { $0.reason == .invalidUTF8 })
        else { return false }
        rewind()
        var (sample, line, isPlain) = ([] as [UInt8], [] as [UInt8], true)
        var chunk = ByteBuffer()
        while sample.count < Self.sampleBytes {
            try readBytes(into: &chunk)
            guard !chunk.isEmpty else { break }
            chunk.withBytes { bytes in
                for index in bytes.indices {
                    line.append(bytes[index])
                    if bytes[index] > 0x7F { isPlain = false }
                    guard bytes[index] == UInt8(ascii: "\n") || line.count == Self.sampleBytes
                    else {
                        continue
                    }
                    if !isPlain, sample.count < Self.sampleBytes { sample += line }
                    (line, isPlain) = ([], true)
                }
            }
        }
        rewind()
        isEncodingGuessed = true
        encoding = EncodingGuess(isPlain ? sample : sample + line).encoding
        return true
    }

    /// The number of bytes that were no character since the last rewind, each read as U+FFFD.
    var invalidCharacters: Int { iconv?.invalidCharacters ?? 0 }

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
        guard let file, !isReplaced else {
            // Formats are detected in the same beginning as that of a file.
            let end = isReplaced ? text.count : min(offset + Self.chunkBytes, text.count)
            buffer.append(Array(text[offset..<end]))
            offset = end
            return
        }
        if let contents { return try contents.read(into: &buffer, path: path) }
        do {
            // Bytes that a writer appends now are read next time. Files of the kernel have no size.
            let left = stamp.bytes == 0 ? Self.chunkBytes : Int(stamp.bytes) - offset
            let maximum = min(left, Self.chunkBytes)
            if maximum > 0 { try file.append(from: Int64(offset), atMost: maximum, to: &buffer) }
        } catch {
            throw ImportError(error, path: path)
        }
        offset += buffer.count
    }
}

/// A regular file, which is closed with this object unless the caller keeps it open.
final class OpenFile {
    let path: String
    let stamp: SourceFile.Stamp
    private let descriptor: Int32
    private let isOwned: Bool

    init(_ location: SourceTable.Location) throws(ImportError) {
        path = location.path
        switch location {
        case .path: (descriptor, isOwned) = (try Self.open(path), true)
        case .descriptor(let number, _): (descriptor, isOwned) = (number, false)
        }
        do {
            stamp = try Self.stamp(descriptor, path)
        } catch {
            if isOwned { close(descriptor) }
            throw error
        }
    }

    deinit { if isOwned { close(descriptor) } }

    private static func open(_ path: String) throws(ImportError) -> Int32 {
        guard !path.utf8.contains(0) else { throw .missing(path: path) }
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        // SAFETY: the path lives for the call.
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor < 0 else { return descriptor }
        let code = errno
        throw code == ENOENT || code == ENOTDIR
            ? .missing(path: path) : .unreadable(path: path, code: code)
    }

    /// That of the file that has the path now.
    func currentStamp() throws(ImportError) -> SourceFile.Stamp {
        guard isOwned else { return stamp }
        let current = try Self.open(path)
        defer { close(current) }
        return try Self.stamp(current, path)
    }

    private static func stamp(
        _ descriptor: Int32,
        _ path: String
    ) throws(ImportError) -> SourceFile.Stamp {
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
        return SourceFile.Stamp(
            bytes: Int64(status.st_size),
            modified: isPast || isBeyond ? seconds : modified
        )
    }

    func append(
        from offset: Int64,
        atMost maximum: Int,
        to buffer: inout ByteBuffer
    ) throws(ArchiveError) {
        // SAFETY: the closure writes only into the given room and returns the count.
        try unsafe buffer.appendUnsafe(maximum: maximum) { room throws(ArchiveError) in
            while true {
                // SAFETY: the kernel writes at most `room.count` bytes and keeps no address.
                let count = unsafe pread(descriptor, room.baseAddress, room.count, Int(offset))
                if count >= 0 { return count }
                guard errno == EINTR else { throw .unreadable(code: errno) }
            }
        }
    }

    var source: ByteSource {
        ByteSource(count: stamp.bytes) { (offset, maximum, buffer) throws(ArchiveError) in
            try self.append(from: offset, atMost: maximum, to: &buffer)
        }
    }

    func beginning() throws(ImportError) -> [UInt8] {
        do { return try source.firstBytes(100) } catch { throw ImportError(error, path: path) }
    }
}
