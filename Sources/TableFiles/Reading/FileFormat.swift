package enum FileFormat: String, Hashable, Sendable, CaseIterable {
    /// Comma-separated values under a header line (RFC 4180).
    case csv
    /// Tab-separated values with a header line and no quoting (IANA `text/tab-separated-values`).
    case tsv
    /// One JSON array of objects (RFC 8259).
    case json
    /// One JSON object per line (NDJSON, JSON Lines).
    case ndjson
    /// A workbook of Office Open XML or OpenDocument, whose sheets are lists.
    case workbook
    /// A zip archive, whose entries are lists.
    case archive
    /// An SQLite database, which is opened instead of imported.
    case database

    /// Without the dot, the usual one first.
    package var fileExtensions: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json", "geojson", "topojson"]
        case .ndjson: ["ndjson", "jsonl"]
        case .workbook: ["xlsx", "xlsm", "ods"]
        case .archive: ["zip"]
        case .database: ["sqlite", "sqlite3", "db", "db3"]
        }
    }

    package var isContainer: Bool { self == .workbook || self == .archive }

    /// The extension is compared without case.
    ///
    /// A further extension `.gz` is ignored, unless the format needs any place of the file. Nil for
    /// any other extension.
    package init?(path: String) {
        var (name, ending) = Self.split(path)
        let isCompressed = ending.lowercased() == "gz"
        if isCompressed { (name, ending) = Self.split(String(name)) }
        let known = Self.allCases.first { $0.fileExtensions.contains(ending.lowercased()) }
        guard let known, !isCompressed || !known.isContainer && known != .database else {
            return nil
        }
        self = known
    }

    /// Nil for a binary file.
    ///
    /// The bytes are UTF-8 if the file is a text.
    package init?(contents beginning: borrowing Span<UInt8>) {
        let isDatabase = "SQLite format 3\0".utf8.enumerated().allSatisfy { index, byte in
            index < beginning.count && beginning[index] == byte
        }
        guard !isDatabase else {
            self = .database
            return
        }
        // The text is UTF-16, or UTF-8 with a byte order mark.
        let isMarked =
            beginning.count > 1
            && (beginning[0] == 0xFF && beginning[1] == 0xFE
                || beginning[0] == 0xFE && beginning[1] == 0xFF)
        guard !isMarked else {
            self = .csv
            return
        }
        var first: UInt8?
        for index in 0..<min(beginning.count, 4096) {
            let byte = beginning[index]
            let isControl = byte < 0x20 && !(0x09...0x0D ~= byte)
            guard !isControl else { return nil }
            if first == nil, byte > 0x20, byte < 0x80 { first = byte }
        }
        self = first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? .json : .csv
    }

    /// Without folders and extension: `people` for `data/people.csv` and for `data/people.csv.gz`.
    package static func name(ofFileAt path: String) -> String {
        let (name, ending) = split(path)
        return String(ending.lowercased() == "gz" ? split(String(name)).name : name)
    }

    /// In lower case, without the dot.
    package static func ending(ofFileAt path: String) -> String {
        split(path).ending.lowercased()
    }

    private static func split(_ path: String) -> (name: Substring, ending: Substring) {
        let file = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return (file, "") }
        return (file[..<dot], file[file.index(after: dot)...])
    }
}

/// The limits of a file's contents, so that no file can exhaust memory.
package enum FileLimits {
    /// The maximum size of a value, in bytes of UTF-8 without quotes and escapes: 8 MiB.
    package static let maximumFieldBytes = 8 << 20
    /// The maximum size of a record, in bytes of its values: 16 MiB.
    package static let maximumRecordBytes = 16 << 20
    /// The maximum number of columns: 1,000, half of SQLite's limit.
    package static let maximumColumns = 1000
    /// The maximum length of a column name, in bytes of UTF-8.
    package static let maximumNameBytes = 1000
    /// The maximum nesting depth within a JSON value.
    package static let maximumDepth = 64
}

/// A place in a text file, counted as in editors.
package struct FileLocation: Hashable, Sendable {
    /// The line number from 1.
    ///
    /// A line ends with a line feed.
    package let line: Int
    /// The number of the character in the line from 1, in Unicode scalars.
    ///
    /// A byte order mark is not counted.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static let start = FileLocation(line: 1, column: 1)
}

extension FileLocation: CustomStringConvertible {
    /// Written as `line:column`.
    package var description: String { "\(line):\(column)" }
}
