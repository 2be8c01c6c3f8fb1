import Archives
import Bytes
import Listings
import TableFiles
import Workbooks

enum PackedContents {
    case compressed(DecompressingReader)
    case sheet(SheetReader)

    static func open(
        _ file: OpenFile,
        _ part: SourceTable.Part?,
        _ options: ImportOptions
    ) throws(ImportError) -> PackedContents? {
        switch part {
        case .sheet(let name): return .sheet(try sheet(name, file, options))
        case .entry(let name): return .compressed(try entry(name, file))
        case .list, nil: return try gzip(file).map(PackedContents.compressed)
        }
    }

    private static func gzip(_ file: OpenFile) throws(ImportError) -> DecompressingReader? {
        let beginning = try file.beginning()
        guard DecompressingReader.isGzip(beginning.span) else { return nil }
        do {
            return try DecompressingReader(gzip: file.source)
        } catch {
            throw ImportError(error, path: file.path)
        }
    }

    private static func entry(
        _ name: String,
        _ file: OpenFile
    ) throws(ImportError) -> DecompressingReader {
        do throws(ArchiveError) {
            let archive = try ZipArchive(file.source)
            let entry = archive.entries.first { $0.name == name }
            guard let entry else { throw .missingEntry(name) }
            return try archive.open(entry)
        } catch {
            throw ImportError(error, path: file.path)
        }
    }

    private static func sheet(
        _ name: String,
        _ file: OpenFile,
        _ options: ImportOptions
    ) throws(ImportError) -> SheetReader {
        do throws(WorkbookError) {
            let workbook = try Workbook(file.source)
            let sheet = workbook.sheets.first { $0.name == name }
            guard let sheet else { throw .missingSheet(name) }
            var choice = SheetOptions()
            choice.hasHeader = options.hasHeader ?? true
            choice.skippedRows = options.skippedLines
            return try workbook.open(sheet, options: choice)
        } catch {
            throw ImportError(error, path: file.path)
        }
    }

    var totalBytes: Int {
        switch self {
        case .compressed(let reader): reader.compressedBytes
        case .sheet(let reader): reader.compressedBytes
        }
    }

    var findings: FileFindings.Sheet? {
        guard case .sheet(let reader) = self else { return nil }
        let layout = reader.layout
        return FileFindings.Sheet(
            headerRow: layout.headerRows.isEmpty ? nil : layout.headerRows.lowerBound,
            skippedRows: layout.skippedRows,
            errorCount: layout.errorCount,
            unsolvedCount: layout.unsolvedCount,
            columns: reader.columnForms.mapValues { ColumnForm($0) }
        )
    }

    var bytesRead: Int {
        switch self {
        case .compressed(let reader): reader.compressedBytesRead
        case .sheet(let reader): reader.compressedBytesRead
        }
    }

    func rewind() {
        switch self {
        case .compressed(let reader): reader.rewind()
        case .sheet(let reader): reader.rewind()
        }
    }

    func read(into buffer: inout ByteBuffer, path: String) throws(ImportError) {
        switch self {
        case .compressed(let reader):
            do { try reader.read(into: &buffer) } catch { throw ImportError(error, path: path) }
        case .sheet(let reader):
            do { try reader.read(into: &buffer) } catch { throw ImportError(error, path: path) }
        }
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
        switch error {
        case .archive(let error): self.init(error, path: path)
        case .binary: self = .foreign(path: path, .binaryExcel)
        case .changed: self = .changed(path: path)
        default: self = .workbook(path: path, error)
        }
    }
}
