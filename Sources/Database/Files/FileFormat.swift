/// The kinds of file that hold lists.
package enum FileFormat: String, Hashable, Sendable, CaseIterable {
    /// Comma-separated values under a header line (RFC 4180).
    case csv
    /// Tab-separated values under a header line (IANA `text/tab-separated-values`): no quoting.
    case tsv
    /// One JSON array of objects (RFC 8259).
    case json
    /// One JSON object a line (NDJSON, JSON Lines).
    case ndjson
    /// An SQLite database, which is opened rather than imported.
    case database

    /// The endings of the format's files, the usual one first, without the dot.
    package var fileExtensions: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .json: ["json"]
        case .ndjson: ["ndjson", "jsonl"]
        case .database: ["sqlite", "sqlite3", "db"]
        }
    }

    /// Tells the format by the ending of a path, in any case; nil for any other ending and for none.
    package init?(path: String) {
        let (_, ending) = Self.split(path)
        let known = Self.allCases.first { $0.fileExtensions.contains(ending.lowercased()) }
        guard let known else { return nil }
        self = known
    }

    /// The name of a file without its folders and its ending: `people` for `data/people.csv`.
    package static func name(ofFileAt path: String) -> String { String(split(path).name) }

    private static func split(_ path: String) -> (name: Substring, ending: Substring) {
        let file = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return (file, "") }
        return (file[..<dot], file[file.index(after: dot)...])
    }
}
