import Archives
import Bytes
package import TableFiles
import Workbooks

/// A table of a file: the file itself, a list of a JSON document, an entry of an archive, or a sheet
/// of a workbook.
package struct SourceTable: Sendable {
    package enum Location: Hashable, Sendable {
        case path(String)
        /// An open file, which the caller keeps open, and its name in messages.
        case descriptor(Int32, name: String)

        package var path: String {
            switch self {
            case .path(let path), .descriptor(_, let path): path
            }
        }
    }

    package enum Part: Hashable, Sendable {
        case list(String)
        case entry(String)
        case sheet(String)

        package var name: String {
            switch self {
            case .list(let name), .entry(let name), .sheet(let name): name
            }
        }
    }

    package let name: String
    package let format: FileFormat
    package let location: Location
    package let part: Part?
    package private(set) var options: ImportOptions
    private let documents: DocumentCache?

    fileprivate init(
        _ name: String,
        _ format: FileFormat,
        _ contents: SourceContents,
        _ part: Part?
    ) {
        self.name = name
        self.format = format
        self.part = part
        (location, options, documents) = (contents.location, contents.options, contents.documents)
        choosePart()
    }

    private mutating func choosePart() { if case .list(let path) = part { options.rowsAt = path } }

    package func with(_ options: ImportOptions) -> SourceTable {
        var table = self
        table.options = options
        table.choosePart()
        return table
    }

    package func open() throws(ImportError) -> SourceFile {
        try SourceFile(
            try OpenFile(location),
            part: part,
            options: options,
            documents: documents
        )
    }
}

package struct SourceContents: Sendable {
    package struct Skipped: Hashable, Sendable {
        package enum Reason: Hashable, Sendable {
            case hidden
            case chart
            case empty
            case encrypted
            case unknownFormat
        }

        package let name: String
        package let reason: Reason
    }

    fileprivate let location: SourceTable.Location
    fileprivate let options: ImportOptions
    fileprivate let documents: DocumentCache?
    /// Whether the file is an SQLite database, whatever its name.
    package private(set) var isDatabase = false
    package private(set) var tables: [SourceTable] = []
    package private(set) var skipped: [Skipped] = []

    private var path: String { location.path }

    /// Workbooks and archives are recognized by their first bytes, other files by their extension,
    /// and files of other extensions by their contents.
    package init(
        _ location: SourceTable.Location,
        options: ImportOptions = ImportOptions(),
        documents: DocumentCache? = nil
    ) throws(ImportError) {
        self.location = location
        self.options = options
        self.documents = documents
        let file = try OpenFile(location)
        let beginning = try file.beginning()
        if let foreign = ForeignFormat(beginning: beginning.span, path: path),
            options.delimiter == nil || !foreign.isUnsure
        {
            throw .foreign(path: path, foreign)
        }
        guard ZipArchive.isZip(beginning.span) else {
            try addFile(try SourceFile(file, documents: documents))
            return
        }
        let archive: ZipArchive
        do { archive = try ZipArchive(file.source) } catch { throw ImportError(error, path: path) }
        if Workbook.isWorkbook(archive) {
            do throws(WorkbookError) {
                try addSheets(of: try Workbook(file.source))
            } catch {
                throw ImportError(error, path: path)
            }
        } else {
            addEntries(of: archive, in: file)
        }
        guard !tables.isEmpty else { throw .noTable(path: path, skipped: skipped) }
    }

    private mutating func addFile(_ source: consuming SourceFile) throws(ImportError) {
        var file = source
        var beginning = ByteBuffer()
        let known = FileFormat(path: path)
        if known?.isContainer == true {
            throw .archive(path: path, .damaged(.noDirectory, entry: nil, offset: 0))
        }
        try file.readBeginning(into: &beginning)
        let found = beginning.withBytes { FileFormat(contents: $0) }
        isDatabase = found == .database
        guard !isDatabase else { return }
        let isNamed = options.delimiter != nil && found != nil
        if known == nil, !isNamed, let foreign = ForeignFormat(path: path),
            foreign != .markdown || hasMarkdownTable(beginning)
        {
            throw .foreign(path: path, foreign)
        }
        let isText = known != nil || isNamed || found != .csv || mayBeDelimited(beginning)
        guard let format = known ?? (isNamed ? .csv : found), isText, format != .database else {
            throw .unknownFormat(path: path)
        }
        let name = FileFormat.name(ofFileAt: path)
        tables = [SourceTable(name, format, self, nil)]
        guard format == .json, options.rowsAt == nil,
            beginning.withBytes({ JSONReader.Layout.detect(in: $0, isNDJSON: false) }) == nil
        else { return }
        let reading = FileReading(
            maximumErrors: 1,
            options: options,
            onProgress: { _ in },
            isCancelled: { false }
        )
        let lists = try reading.document(&file).lists
        guard lists.count > 1 else { return }
        let lasts = lists.map { String($0.split(separator: ".").last ?? "") }
        let names = TableNames.names(
            for: Set(lasts).count == lasts.count ? lasts : lists,
            in: path,
            hasEndings: false
        )
        tables = zip(lists, names).map { path, name in
            SourceTable(name, format, self, .list(path))
        }
    }

    private static let textEndings = ["", "txt", "text", "dat", "data", "out"]

    /// Whether a text of unknown ending is a table: its first line has several fields.
    private func mayBeDelimited(_ beginning: borrowing ByteBuffer) -> Bool {
        guard path != "-", !Self.textEndings.contains(FileFormat.ending(ofFileAt: path)) else {
            return true
        }
        return beginning.withBytes { bytes in
            for index in bytes.indices {
                if ",;\t|".utf8.contains(bytes[index]) { return true }
                if bytes[index] == UInt8(ascii: "\n") { return false }
            }
            return false
        }
    }

    private func hasMarkdownTable(_ beginning: borrowing ByteBuffer) -> Bool {
        beginning.withBytes { bytes in
            bytes.indices.contains { index in
                let isStart = index == 0 || bytes[index - 1] == UInt8(ascii: "\n")
                return isStart && bytes[index] == UInt8(ascii: "|")
            }
        }
    }

    private mutating func addSheets(of workbook: Workbook) throws(WorkbookError) {
        var names: [String] = []
        for sheet in workbook.sheets {
            switch sheet.state {
            case .hidden: skipped.append(.init(name: sheet.name, reason: .hidden))
            case .chart: skipped.append(.init(name: sheet.name, reason: .chart))
            case .visible:
                if try workbook.isEmpty(sheet) {
                    skipped.append(.init(name: sheet.name, reason: .empty))
                } else {
                    names.append(sheet.name)
                }
            }
        }
        let lists = TableNames.names(for: names, in: path, hasEndings: false)
        for (sheet, list) in zip(names, lists) {
            tables.append(SourceTable(list, .workbook, self, .sheet(sheet)))
        }
    }

    private mutating func addEntries(of archive: ZipArchive, in file: OpenFile) {
        var entries: [(name: String, format: FileFormat)] = []
        for entry in archive.entries where !entry.isIgnored {
            let isNamed =
                options.delimiter != nil && ForeignFormat(path: entry.name) == nil
                && Self.isText(entry.name, in: file)
            let format = FileFormat(path: entry.name) ?? (isNamed ? .csv : nil)
            if let format, !format.isContainer, format != .database,
                !entry.name.lowercased().hasSuffix(".gz")
            {
                if entry.isEncrypted {
                    skipped.append(.init(name: entry.name, reason: .encrypted))
                } else {
                    entries.append((entry.name, format))
                }
            } else {
                skipped.append(.init(name: entry.name, reason: .unknownFormat))
            }
        }
        let lists = TableNames.names(for: entries.map(\.name), in: path, hasEndings: true)
        for (entry, list) in zip(entries, lists) {
            tables.append(SourceTable(list, entry.format, self, .entry(entry.name)))
        }
    }

    private static func isText(_ entry: String, in file: OpenFile) -> Bool {
        var beginning = ByteBuffer()
        do {
            var source = try SourceFile(file, part: .entry(entry))
            try source.readBeginning(into: &beginning)
        } catch {
            return false
        }
        let found = beginning.withBytes { FileFormat(contents: $0) }
        return found != nil && found != .database
    }

    package func onlyTable() throws(ImportError) -> SourceTable {
        guard !isDatabase else { throw .unknownFormat(path: path) }
        guard let table = tables.first, tables.count == 1 else {
            throw .severalTables(path: path, tables.map(\.name))
        }
        return table
    }
}
