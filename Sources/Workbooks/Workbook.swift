package import Archives
import Bytes
import TableFiles

/// A workbook of Office Open XML (ISO/IEC 29500, transitional and strict), `.xlsx` and `.xlsm`, or of
/// OpenDocument (ISO/IEC 26300), `.ods`.
package struct Workbook {
    package struct Sheet: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            case visible
            case hidden
            /// The sheet has no cells but a chart.
            case chart
        }

        package let name: String
        package let state: State
        let part: String
        /// The position in the part; nil for a part with one sheet.
        var table: Int?
    }

    /// The maximum size of a part that is held in memory: 64 MiB.
    private static let maximumPartBytes = 64 << 20

    package private(set) var sheets: [Sheet] = []
    private let archive: ZipArchive
    private let entries: [String: ZipArchive.Entry]
    private let maximumBytes: Int64
    private var startsIn1904 = false
    private var isExport = false
    /// The descriptions of the columns of an export, by their names.
    private var columnForms: [String: String] = [:]
    private var stringsPart: String?
    private var stylesPart: String?
    private var valued: Set<String> = []
    private static let openDocumentPart = "content.xml"

    package static func isWorkbook(_ archive: ZipArchive) -> Bool {
        archive.entries.contains { $0.name.lowercased() == "[content_types].xml" }
            && archive.entries.contains {
                $0.name.lowercased().hasPrefix("xl/") || $0.name.lowercased() == "workbook.xml"
            }
            || archive.entries.contains { $0.name == "mimetype" }
                && archive.entries.contains { $0.name == openDocumentPart }
    }

    package init(
        _ source: ByteSource,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(WorkbookError) {
        let archive = try WorkbookError.ofArchive { () throws(ArchiveError) in
            try ZipArchive(source, limits: limits)
        }
        var entries: [String: ZipArchive.Entry] = [:]
        for entry in archive.entries where !entry.isFolder {
            let old = entries.updateValue(entry, forKey: entry.name.lowercased())
            guard old == nil else {
                throw .archive(.damaged(.repeatedName, entry: entry.name, offset: 0))
            }
        }
        self.archive = archive
        self.entries = entries
        maximumBytes = limits.maximumBytes(forFileOf: source.count)
        guard entries["[content_types].xml"] != nil || entries[Self.openDocumentPart] == nil else {
            let tables = OpenDocumentTables(Self.openDocumentPart)
            try parse(Self.openDocumentPart, tables, atMost: .max)
            guard tables.isSpreadsheet else { throw .notAWorkbook }
            (sheets, valued) = (tables.sheets, tables.valued)
            return
        }
        let root = try entries["_rels/.rels"] == nil ? [] : relations(of: "")
        guard let part = root.first(where: { $0.kind == "officeDocument" })?.target else {
            throw .notAWorkbook
        }
        guard !part.lowercased().hasSuffix(".bin") else { throw .binary }
        let parts = try relations(of: part)
        let handler = WorkbookPart(parts)
        try parse(part, handler)
        guard handler.isWorkbook else { throw .notAWorkbook }
        sheets = handler.sheets
        (startsIn1904, isExport) = (handler.startsIn1904, handler.isExport)
        if isExport, let part = root.first(where: { $0.kind == "custom-properties" })?.target {
            let properties = ColumnProperties()
            // The rows are readable without the descriptions.
            do { try parse(part, properties) } catch {}
            columnForms = properties.columns
        }
        stringsPart = parts.first { $0.kind == "sharedStrings" }?.target
        stylesPart = parts.first { $0.kind == "styles" }?.target
    }

    package func isEmpty(_ sheet: Sheet) throws(WorkbookError) -> Bool {
        guard sheet.table == nil else { return !valued.contains(sheet.name) }
        guard let entry = entries[sheet.part.lowercased()] else { return false }
        let handler = ValueSearch()
        try Self.parse(try open(entry), sheet.part, handler) { handler.isFound }
        return !handler.isFound
    }

    /// Reads the sheet once, and returns to its beginning.
    package func open(
        _ sheet: Sheet,
        options: SheetOptions = SheetOptions()
    ) throws(WorkbookError) -> SheetReader {
        var tables = SheetParser.Tables()
        tables.numbers.startsIn1904 = startsIn1904
        tables.areExported = isExport
        if let stylesPart { try parse(stylesPart, tables.formats) }
        if let stringsPart, entries[stringsPart.lowercased()] != nil {
            try parse(stringsPart, tables.strings, atMost: .max)
        }
        let form: SheetForm = sheet.table.map { .openDocument(table: $0) } ?? .officeOpenXML(tables)
        guard let entry = entries[sheet.part.lowercased()] else { throw .missingPart(sheet.part) }
        return try SheetReader(
            try open(entry),
            part: sheet.part,
            form: form,
            options: options,
            maximumBytes: maximumBytes,
            columnForms: columnForms
        )
    }

    private func open(_ entry: ZipArchive.Entry) throws(WorkbookError) -> DecompressingReader {
        try WorkbookError.ofArchive { () throws(ArchiveError) in try archive.open(entry) }
    }

    private func relations(of part: String) throws(WorkbookError) -> [Relation] {
        let handler = RelationParts(of: part)
        try parse(RelationParts.path(for: part), handler)
        return handler.relations
    }

    private func parse(
        _ part: String,
        _ handler: any XMLHandler,
        atMost limit: Int = maximumPartBytes
    ) throws(WorkbookError) {
        guard let entry = entries[part.lowercased()] else { throw .missingPart(part) }
        guard entry.bytes <= limit else { throw .partTooLarge(part, limit: limit) }
        try Self.parse(try open(entry), part, handler)
    }

    static func parse(
        _ stream: DecompressingReader,
        _ part: String,
        _ handler: any XMLHandler,
        until isEnough: () -> Bool = { false }
    ) throws(WorkbookError) {
        let parser = try XMLParser(part, handler)
        var chunk = ByteBuffer()
        while !isEnough() {
            try WorkbookError.ofArchive { () throws(ArchiveError) in try stream.read(into: &chunk) }
            guard !chunk.isEmpty else { return try parser.finish() }
            try chunk.withBytes { (bytes) throws(WorkbookError) in try parser.parse(bytes) }
        }
    }
}
