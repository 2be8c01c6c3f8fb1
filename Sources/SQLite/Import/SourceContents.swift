import Archives
import Glibc
package import TableFiles
import Workbooks

/// A table of a file: the file itself, an entry of an archive, or a sheet of a workbook.
package struct SourceTable: Hashable, Sendable {
    /// A part of a file.
    package enum Part: Hashable, Sendable {
        /// The entry of a zip archive with a path.
        case entry(String)
        /// The sheet of a workbook with a name.
        case sheet(String)

        /// The path of the entry, or the name of the sheet.
        package var name: String {
            switch self {
            case .entry(let name), .sheet(let name): name
            }
        }
    }

    /// The name for a list.
    package let name: String
    /// The format of the rows.
    package let format: FileFormat
    /// The path of the file.
    package let path: String
    /// The part of the file; nil for the whole one.
    package let part: Part?

    /// Opens the table for reading.
    ///
    /// - Throws: ``ImportError``.
    package func open() throws(ImportError) -> SourceFile {
        try SourceFile(path: path, part: part)
    }
}

/// The tables of a file.
package struct SourceContents: Hashable, Sendable {
    /// A part of a file that is no table.
    package struct Skipped: Hashable, Sendable {
        /// The reason.
        package enum Reason: Hashable, Sendable {
            /// The sheet is hidden.
            case hidden
            /// The sheet is a chart.
            case chart
            /// The sheet has no values.
            case empty
            /// The entry is encrypted.
            case encrypted
            /// The ending of the entry names no format that is read inside an archive.
            case unknownFormat
        }

        /// The path of the entry, or the name of the sheet.
        package let name: String
        /// The reason.
        package let reason: Reason
    }

    /// The path of the file.
    package let path: String
    /// The tables, in the order of the file.
    package private(set) var tables: [SourceTable] = []
    /// The parts that are no tables.
    ///
    /// Folders and hidden files are not mentioned.
    package private(set) var skipped: [Skipped] = []

    /// Lists the tables of a file.
    ///
    /// Workbooks and archives are recognized by their first bytes, other files by their extension.
    ///
    /// - Throws: ``ImportError``, also ``ImportError/foreign(path:_:)`` and
    ///   ``ImportError/unknownFormat(path:)``.
    package init(path: String) throws(ImportError) {
        let (descriptor, stamp) = try SourceFile.openFile(at: path)
        defer { close(descriptor) }
        try self.init(ByteSource(descriptor: descriptor, count: stamp.bytes), path)
    }

    /// Lists the tables of a file that the caller has opened and keeps open.
    ///
    /// - Throws: ``ImportError``.
    package init(descriptor: Int32, path: String) throws(ImportError) {
        let stamp = try SourceFile.stamp(descriptor, path)
        try self.init(ByteSource(descriptor: descriptor, count: stamp.bytes), path)
    }

    private init(_ source: ByteSource, _ path: String) throws(ImportError) {
        self.path = path
        let beginning = try source.beginning(path)
        if let foreign = ForeignFormat(beginning: beginning.span, path: path) {
            throw .foreign(path: path, foreign)
        }
        guard ZipArchive.isZip(beginning.span) else {
            try addFile()
            return
        }
        let archive: ZipArchive
        do { archive = try ZipArchive(source) } catch { throw ImportError(error, path: path) }
        if Workbook.isWorkbook(archive) {
            do throws(WorkbookError) {
                try addSheets(of: try Workbook(source))
            } catch {
                throw ImportError(error, path: path)
            }
        } else {
            addEntries(of: archive)
        }
        guard !tables.isEmpty else { throw .noTable(path: path, skipped: skipped) }
    }

    private mutating func addFile() throws(ImportError) {
        guard let format = FileFormat(path: path), format != .database else {
            if let foreign = ForeignFormat(path: path) { throw .foreign(path: path, foreign) }
            throw .unknownFormat(path: path)
        }
        guard !format.isContainer else {
            throw .archive(path: path, .damaged(.noDirectory, entry: nil, offset: 0))
        }
        let name = FileFormat.name(ofFileAt: path)
        tables = [SourceTable(name: name, format: format, path: path, part: nil)]
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
            tables.append(
                SourceTable(name: list, format: .workbook, path: path, part: .sheet(sheet))
            )
        }
    }

    private mutating func addEntries(of archive: ZipArchive) {
        var entries: [(name: String, format: FileFormat)] = []
        for entry in archive.entries where !entry.isIgnored {
            let format = FileFormat(path: entry.name)
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
            tables.append(
                SourceTable(name: list, format: entry.format, path: path, part: .entry(entry.name))
            )
        }
    }

    /// The table, if there is only one.
    ///
    /// - Throws: ``ImportError/severalTables(path:_:)``.
    func onlyTable() throws(ImportError) -> SourceTable {
        guard let table = tables.first, tables.count == 1 else {
            throw .severalTables(path: path, tables.map(\.name))
        }
        return table
    }
}
