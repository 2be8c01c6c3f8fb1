import Bytes
package import TableFiles

/// A table that a file contains: the file itself, or a list of a JSON document.
package struct SourceTable {
    /// The place of a file.
    package enum Location: Hashable, Sendable {
        /// A path.
        case path(String)
        /// An open file, which the caller keeps open, and its name in messages.
        case descriptor(Int32, name: String)
    }

    /// The name of the table within the file; nil for the file itself.
    package let part: String?
    /// The format of the table.
    package let format: FileFormat
    /// The options of its import.
    package private(set) var options: ImportOptions
    /// Opens the table at its beginning.
    let open: () throws(ImportError) -> SourceFile

    /// Returns the table with other options, which keep the path of its rows.
    package func with(_ options: ImportOptions) -> SourceTable {
        var table = self
        table.options = options
        table.options.rowsAt = self.options.rowsAt ?? options.rowsAt
        return table
    }

    /// Whether the file at a path is an SQLite database, whatever its name.
    package static func isDatabase(atPath path: String) -> Bool {
        var beginning = ByteBuffer()
        do throws(ImportError) {
            var file = try SourceFile(path: path)
            try file.readBeginning(into: &beginning)
        } catch {
            return false
        }
        return beginning.withBytes { FileFormat(contents: $0) } == .database
    }

    /// Finds the tables of a file.
    ///
    /// - Parameters:
    ///   - location: The place of the file.
    ///   - options: The options of the import. A path of rows chooses one list of a document.
    ///   - isCancelled: Called before every 256 KiB. Returns whether to stop.
    /// - Returns: The tables in the order of the file, at least one.
    /// - Throws: ``ImportError``, for example if the format is not known.
    package static func all(
        in location: Location,
        options: ImportOptions,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(ImportError) -> [SourceTable] {
        var file = try location.open()
        var beginning = ByteBuffer()
        try file.readBeginning(into: &beginning)
        let known = FileFormat(path: file.path)
        guard let format = known ?? beginning.withBytes({ FileFormat(contents: $0) }),
            known != nil || format != .csv || mayBeDelimited(file.path, beginning)
        else { throw .unknownFormat(path: file.path) }
        let whole = SourceTable(part: nil, format: format, options: options, open: location.open)
        guard format == .json, options.rowsAt == nil,
            beginning.withBytes({ JSONReader.Layout.detect(in: $0, isNDJSON: false) }) == nil
        else { return [whole] }
        let reading = FileReading(
            maximumErrors: 1,
            options: options,
            onProgress: { _ in },
            isCancelled: isCancelled
        )
        let document = try reading.document(&file)
        guard document.lists.count > 1 else { return [whole] }
        return document.lists.map { path in
            var options = options
            options.rowsAt = path
            return SourceTable(part: path, format: format, options: options, open: location.open)
        }
    }
}

extension SourceTable {
    /// The endings of text files in which one column is plausible.
    private static let textEndings = ["", "txt", "text", "dat", "data", "out"]

    /// Whether a text of unknown ending is a table: its first line has several fields.
    private static func mayBeDelimited(_ path: String, _ beginning: borrowing ByteBuffer) -> Bool {
        let ending = FileFormat.ending(ofFileAt: path)
        guard path != "-", !textEndings.contains(ending) else { return true }
        return beginning.withBytes { bytes in
            for index in bytes.indices {
                if ",;\t|".utf8.contains(bytes[index]) { return true }
                if bytes[index] == UInt8(ascii: "\n") { return false }
            }
            return false
        }
    }
}

extension SourceTable.Location {
    func open() throws(ImportError) -> SourceFile {
        switch self {
        case .path(let path): try SourceFile(path: path)
        case .descriptor(let number, let name):
            try SourceFile(descriptor: number, path: name)
        }
    }
}
