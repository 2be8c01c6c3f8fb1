/// The formats of files that contain lists.
package enum FileFormat: String, Hashable, Sendable, CaseIterable {
    /// Comma-separated values under a header line (RFC 4180).
    case csv
    /// Tab-separated values with a header line and no quoting (IANA `text/tab-separated-values`).
    case tsv
    /// One JSON array of objects (RFC 8259).
    case json
    /// One JSON object per line (NDJSON, JSON Lines).
    case ndjson
    /// An SQLite database, which is opened instead of imported.
    case database

    /// The file extensions of the format without the dot, the usual one first.
    package var fileExtensions: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json"]
        case .ndjson: ["ndjson", "jsonl"]
        case .database: ["sqlite", "sqlite3", "db"]
        }
    }

    /// Determines the format by the extension of a path, ignoring case.
    ///
    /// Nil for any other extension.
    package init?(path: String) {
        let (_, ending) = Self.split(path)
        let known = Self.allCases.first { $0.fileExtensions.contains(ending.lowercased()) }
        guard let known else { return nil }
        self = known
    }

    /// The name of a file without folders and extension: `people` for `data/people.csv`.
    package static func name(ofFileAt path: String) -> String { String(split(path).name) }

    private static func split(_ path: String) -> (name: Substring, ending: Substring) {
        let file = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return (file, "") }
        return (file[..<dot], file[file.index(after: dot)...])
    }
}
