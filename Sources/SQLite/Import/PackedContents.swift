import Archives
import Bytes
import Glibc
import TableFiles
import Workbooks

/// The contents of a file that are decompressed while they are read.
final class PackedContents {
    private enum Reader {
        case compressed(DecompressingReader)
        case sheet(SheetReader)
    }

    private let reader: Reader
    private let path: String

    private init(_ reader: Reader, _ path: String) {
        self.reader = reader
        self.path = path
    }

    /// The caller keeps the descriptor open.
    ///
    /// The path is the name of the file in errors. Nil if the file is not compressed and no part is
    /// given.
    static func open(
        _ descriptor: Int32,
        count: Int64,
        path: String,
        part: SourceTable.Part?,
        options: ImportOptions
    ) throws(ImportError) -> PackedContents? {
        let source = ByteSource(descriptor: descriptor, count: count)
        switch part {
        case nil, .list: return try gzip(source, path).map { PackedContents(.compressed($0), path) }
        case .entry(let name):
            return PackedContents(.compressed(try entry(name, source, path)), path)
        case .sheet(let name):
            return PackedContents(.sheet(try sheet(name, source, path, options)), path)
        }
    }

    private static func gzip(
        _ source: ByteSource,
        _ path: String
    ) throws(ImportError) -> DecompressingReader? {
        let beginning = try source.beginning(path)
        guard DecompressingReader.isGzip(beginning.span) else { return nil }
        do {
            return try DecompressingReader(gzip: source)
        } catch {
            throw ImportError(error, path: path)
        }
    }

    private static func entry(
        _ name: String,
        _ source: ByteSource,
        _ path: String
    ) throws(ImportError) -> DecompressingReader {
        do throws(ArchiveError) {
            let archive = try ZipArchive(source)
            let entry = archive.entries.first { $0.name == name }
            guard let entry else { throw .missingEntry(name) }
            return try archive.open(entry)
        } catch {
            throw ImportError(error, path: path)
        }
    }

    private static func sheet(
        _ name: String,
        _ source: ByteSource,
        _ path: String,
        _ options: ImportOptions
    ) throws(ImportError) -> SheetReader {
        do throws(WorkbookError) {
            let workbook = try Workbook(source)
            let sheet = workbook.sheets.first { $0.name == name }
            guard let sheet else { throw .missingSheet(name) }
            var choice = SheetOptions()
            choice.hasHeader = options.hasHeader ?? true
            choice.skippedRows = options.skippedLines
            return try workbook.open(sheet, options: choice)
        } catch {
            throw ImportError(error, path: path)
        }
    }

    var totalBytes: Int {
        switch reader {
        case .compressed(let reader): reader.compressedBytes
        case .sheet(let reader): reader.compressedBytes
        }
    }

    /// Nil for other contents than a sheet.
    var sheet: FileFindings.Sheet? {
        guard case .sheet(let reader) = reader else { return nil }
        let layout = reader.layout
        return FileFindings.Sheet(
            headerRow: layout.headerRows.isEmpty ? nil : layout.headerRows.lowerBound,
            skippedRows: layout.skippedRows,
            errorCount: layout.errorCount
        )
    }

    var bytesRead: Int {
        switch reader {
        case .compressed(let reader): reader.compressedBytesRead
        case .sheet(let reader): reader.compressedBytesRead
        }
    }

    func rewind() {
        switch reader {
        case .compressed(let reader): reader.rewind()
        case .sheet(let reader): reader.rewind()
        }
    }

    /// The buffer is empty at the end.
    func read(into buffer: inout ByteBuffer) throws(ImportError) {
        switch reader {
        case .compressed(let reader):
            do { try reader.read(into: &buffer) } catch { throw ImportError(error, path: path) }
        case .sheet(let reader):
            do { try reader.read(into: &buffer) } catch { throw ImportError(error, path: path) }
        }
    }
}

extension ByteSource {
    init(descriptor: Int32, count: Int64) {
        self.init(count: count) { (offset, maximum, buffer) throws(ArchiveError) in
            try Self.read(descriptor, offset, maximum, &buffer)
        }
    }

    private static func read(
        _ descriptor: Int32,
        _ offset: Int64,
        _ maximum: Int,
        _ buffer: inout ByteBuffer
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

    /// Formats are recognized by these bytes.
    func beginning(_ path: String) throws(ImportError) -> [UInt8] {
        do { return try firstBytes(100) } catch { throw ImportError(error, path: path) }
    }
}

extension ImportError {
    init(_ error: ArchiveError, path: String) {
        if case .unreadable(let code) = error {
            self = .unreadable(path: path, code: code)
        } else {
            self = .archive(path: path, error)
        }
    }

    init(_ error: WorkbookError, path: String) {
        if case .archive(let error) = error {
            self.init(error, path: path)
        } else {
            switch error {
            case .binary: self = .foreign(path: path, .binaryExcel)
            case .changed: self = .changed(path: path)
            default: self = .workbook(path: path, error)
            }
        }
    }
}
