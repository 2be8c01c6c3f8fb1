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
    case archive
    /// An SQLite database, which is opened instead of imported.
    case database

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
    package var isDelimited: Bool { self == .csv || self == .tsv }

    /// A further extension `.gz` is ignored, unless the format needs any place of the file.
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
    /// In bytes of UTF-8 without quotes and escapes.
    package static let maximumFieldBytes = 8 << 20
    /// In bytes of its values.
    package static let maximumRecordBytes = 16 << 20
    /// Half of SQLite's limit.
    package static let maximumColumns = 1000
    /// In bytes of UTF-8.
    package static let maximumNameBytes = 1000
    package static let maximumDepth = 64
}

/// A place in a text file, counted as in editors.
package struct FileLocation: Hashable, Sendable {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars without a byte order mark.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static let start = FileLocation(line: 1, column: 1)
}

extension FileLocation: CustomStringConvertible {
    package var description: String { "\(line):\(column)" }
}
