import Foundation
import SQLite
import TableFiles
import Testing

/// A file with Ada and Bob, in the form of some other program.
struct SavedFile: Sendable {
    enum Form: String, CaseIterable {
        case commas, semicolons, tabs, quoted, marked, utf16, latin, report
        case objects, wrapped, arrays, lines

        fileprivate var ending: String {
            switch self {
            case .commas, .semicolons, .quoted, .marked, .utf16, .latin, .report: "csv"
            case .tabs: "tsv"
            case .objects, .wrapped, .arrays: "json"
            case .lines: "ndjson"
            }
        }

        private static let text =
            "id,name,age,born,mail\n1,Ada,36,1815-12-10,ada@example.org\n2,Bob,,,\n"

        private static let rows = [
            #"{"id": 1, "name": "Ada", "age": 36, "born": "1815-12-10", "mail": "ada@example.org"}"#,
            #"{"id": 2, "name": "Bob", "age": null, "born": null, "mail": null}"#,
        ]

        fileprivate var content: Data {
            let text: String =
                switch self {
                case .commas, .latin: Self.text
                case .semicolons: Self.text.replacing(",", with: ";")
                case .tabs: Self.text.replacing(",", with: "\t")
                case .quoted:
                    "\"id\",\"name\",\"age\",\"born\",\"mail\"\n"
                        + "\"1\",\"Ada\",\"36\",\"1815-12-10\",\"ada@example.org\"\n"
                        + "\"2\",\"Bob\",,,\n"
                case .marked, .utf16: "\u{FEFF}" + Self.text.replacing("\n", with: "\r\n")
                case .report: "People\nof 2024\n" + Self.text
                case .objects: "[\n  \(Self.rows.joined(separator: ",\n  "))\n]\n"
                case .wrapped: #"{"total": 2, "people": [\#(Self.rows.joined(separator: ","))]}"#
                case .arrays:
                    """
                    [["id", "name", "age", "born", "mail"],
                     [1, "Ada", 36, "1815-12-10", "ada@example.org"],
                     [2, "Bob", null, null, null]]
                    """
                case .lines: Self.rows.joined(separator: "\n") + "\n"
                }
            return text.data(using: self == .utf16 ? .utf16LittleEndian : .utf8) ?? Data()
        }

        fileprivate var options: ImportOptions {
            var options = ImportOptions()
            if self == .report { options.skippedLines = 2 }
            if self == .latin { options.encoding = .windows1252 }
            return options
        }
    }

    let path: String
    private let table: SourceTable

    init(_ form: Form, in folder: TemporaryFolder) throws {
        path = "\(folder.path)/people.\(form.ending)"
        try form.content.write(to: URL(filePath: path))
        table = try SourceContents(.path(path), options: form.options).onlyTable()
    }

    /// Returns whether the list has other columns now.
    func importFile(into location: DatabaseLocation) throws(ImportError) -> Bool {
        let connection = try ImportError.ofDatabase { () throws(SQLiteError) in
            try DatabaseConnection(location, access: .readWrite)
        }
        return try ListImporter(connection, options: table.options)
            .importTable(table, as: "people").changesColumns
    }

    func saver(
        of location: DatabaseLocation,
        afterImport: @escaping @Sendable () -> Void = {}
    ) throws -> FileSaver {
        let saver = FileSaver(table, as: "people", maximumBytes: 1 << 20) {
            () throws(ImportError) in
            let isOther = try importFile(into: location)
            afterImport()
            return isOther
        }
        try saver.prepare()
        return saver
    }
}
