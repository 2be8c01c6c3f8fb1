import Archives
import SQLite
import TableFiles
import Workbooks

extension ArchiveError {
    var text: String {
        switch self {
        case .unreadable(let code): "cannot be read: error \(code)"
        case .outOfMemory: "there is no memory to decompress it"
        case .truncated(let entry, let offset):
            "\(Self.location(entry))ends at byte \(offset) in the middle of its data"
        case .damaged(let damage, let entry, let offset):
            "\(Self.location(entry))\(damage.text), at byte \(offset)"
        case .encrypted(let entry): "\(Self.location(entry))is encrypted; unpack it first"
        case .unsupportedMethod(let method, let entry):
            "\(Self.location(entry))is compressed by method \(method)\(Self.name(ofMethod: method)); "
                + "allowed: stored, deflate"
        case .split: "is one part of a split archive; join the parts first"
        case .tooManyEntries(let limit): "holds more than \(limit) entries"
        case .expandsTooFar(let limit):
            "its contents are larger than \(limit) bytes, which is the limit for a file of this size"
        case .missingEntry(let name): "has no entry '\(name)'"
        }
    }

    private static func location(_ entry: String?) -> String { entry.map { "'\($0)' " } ?? "" }

    private static func name(ofMethod method: Int) -> String {
        let names = [9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz", 98: "PPMd"]
        return names[method].map { " (\($0))" } ?? ""
    }
}

extension ArchiveError.Damage {
    fileprivate var text: String {
        switch self {
        case .gzipHeader: "has a gzip header that is malformed"
        case .compressedData: "has compressed data that are damaged"
        case .checksum: "has contents of another checksum than it says"
        case .size: "has contents of another size than it says"
        case .trailingData: "goes on with bytes that are no gzip"
        case .noDirectory: "is no zip archive, or its end is missing"
        case .directory: "has an entry in its zip directory that is malformed"
        case .entryHeader: "has a header that differs from the zip directory"
        case .overlap: "shares bytes with another entry"
        case .repeatedName: "occurs twice in the workbook"
        }
    }
}

extension WorkbookError {
    var text: String {
        switch self {
        case .archive(let error): error.text
        case .missingLibrary:
            "reading workbooks needs libexpat (libexpat.so.1), which is not installed: apt-get "
                + "install libexpat1"
        case .xml(let reason, let part, let line, let column):
            "\(part):\(line):\(column): \(reason.text)"
        case .notAWorkbook: "is no workbook"
        case .binary: "is a workbook in binary form"
        case .missingPart(let part): "lacks its part '\(part)'"
        case .partTooLarge(let part, let limit): "'\(part)' is larger than \(limit) bytes"
        case .sharedStringsTooLarge(let limit):
            "its shared texts are larger than \(limit) bytes; save the sheet as CSV"
        case .missingSheet(let name): "has no sheet '\(name)'"
        case .changed: "was written to while it was read"
        case .cell(let reason, let row, let column):
            "row \(row), column \(column): \(reason.text)"
        }
    }
}

extension WorkbookError.XMLError {
    fileprivate var text: String {
        switch self {
        case .syntax(let text): "the XML is malformed: \(text)"
        case .documentType: "the XML has a document type, which workbooks have not"
        case .tooDeep(let limit): "the XML is nested deeper than \(limit) levels"
        case .tagTooLong(let limit): "an XML tag is longer than \(limit) bytes"
        }
    }
}

extension WorkbookError.CellError {
    fileprivate var text: String {
        switch self {
        case .reference(let text): "'\(text)' is no place in a sheet"
        case .order: "the row or cell stands before the last one"
        case .rowLimit(let limit): "more than \(limit) rows"
        case .columnLimit(let limit): "more than \(limit) columns"
        case .tooManyValues(let limit): "more than \(limit) values in one row"
        case .valueTooLarge(let limit): "the value is longer than \(limit) bytes"
        case .rowTooLarge(let limit): "the values of the row are longer than \(limit) bytes"
        case .sharedString(let number): "no shared text has the number '\(number)'"
        case .format(let number): "no cell format has the number '\(number)'"
        case .number(let text): "'\(text)' is no number"
        }
    }
}

extension ForeignFormat {
    /// Returns the reason why a file is not read, with the command that converts it.
    func text(of path: String) -> String {
        let name =
            switch self {
            case .parquet: "is a Parquet file"
            case .arrow: "is an Arrow file"
            case .oldExcel: "is a workbook of Excel before 2007"
            case .binaryExcel: "is a binary workbook of Excel"
            case .encryptedOffice: "is encrypted by a password; save it without one"
            case .pdf: "is a PDF document; copy its table to a spreadsheet, and save that as CSV"
            case .picture: "is a picture, and no table"
            case .page: "is a page in HTML (a download may need a sign-in)"
            case .xml: "is a document in XML, and no table"
            case .markdown: "is a text in Markdown"
            case .sql: "is a script in SQL"
            case .json: "is a document in JSON"
            case .postgresDump: "is a dump of PostgreSQL"
            case .mysqlDump: "is a dump of MySQL; load it, and save its tables as CSV"
            case .xz: "is compressed by xz"
            case .bzip2: "is compressed by bzip2"
            case .zstd: "is compressed by zstd"
            case .sevenZip: "is an archive of 7-Zip"
            case .tar: "is an archive of tar"
            }
        guard let command = command(for: path) else { return name }
        guard self != .json else { return "\(name), and not what its name says; try: \(command)" }
        return "\(name), which Roster does not read; convert it by: \(command)"
    }
}

extension SourceContents.Skipped {
    var text: String {
        switch reason {
        case .hidden: "sheet '\(name)' is hidden"
        case .chart: "sheet '\(name)' is a chart"
        case .empty: "sheet '\(name)' is empty"
        case .encrypted: "'\(name)' is encrypted"
        case .unknownFormat: "'\(name)' is in no format that is read inside an archive"
        }
    }
}
