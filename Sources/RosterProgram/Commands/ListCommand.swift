import Database
import ListAPI
import Rendering
import SQLite
import TableFiles

/// The commands `roster import`, `roster export` and `roster token`.
package enum ListCommand: Hashable, Sendable {
    /// Imports a file as a list of a database.
    case importing(ImportCommand)
    /// Writes a list of a database to standard output.
    case exporting(ExportCommand)
    case token(TokenCommand)

    /// Reads a command line; nil for any other command.
    ///
    /// - Throws: ``ConfigurationError`` for the first invalid word.
    package init?(
        arguments: [String],
        environment: [String: String]
    ) throws(ConfigurationError) {
        switch arguments.first {
        case "import":
            let words = try CommandWords(arguments.dropFirst(), environment, ImportCommand.flags)
            let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
            self = .importing(try ImportCommand(words, temporaryFolder: folder))
        case "export":
            let words = try CommandWords(arguments.dropFirst(), environment, ExportCommand.flags)
            self = .exporting(try ExportCommand(words))
        case "token":
            guard arguments.count > 1 else { throw .missingArgument("NAME") }
            guard arguments.count > 2 else { throw .missingArgument("SCOPE") }
            self = .token(TokenCommand(name: arguments[1], scopes: Array(arguments[2...])))
        default: return nil
        }
    }
}

/// The arguments of `roster import`.
package struct ImportCommand: Hashable, Sendable {
    static let flags =
        ["--database", "--list", "--key", "--on-duplicate", "--errors"]
        + Setting.reading.compactMap(\.flag)

    /// The file, with the name of the list.
    let source: SourceArgument
    /// The path of the database.
    let database: String
    /// The treatment of a record whose ID an earlier one has.
    let duplicates: ListImporter.Duplicates
    /// The columns that are the ids of rows; empty finds one.
    let key: [String]
    /// The settings for reading the file.
    let imports: ImportSettings
    /// The file for all errors of the import; nil writes none.
    let errors: String?
    /// The folder for the contents of standard input.
    let temporaryFolder: String

    init(_ words: CommandWords, temporaryFolder: String?) throws(ConfigurationError) {
        let argument = try words.only("SOURCE")
        let source = try SourceArgument(argument)
        guard source.isFile else { throw .unknownImport(source.shown) }
        self.source =
            try words.values["--list"].map { (name) throws(ConfigurationError) in
                try SourceArgument("\(name)=\(source.path)")
            } ?? source
        self.temporaryFolder = temporaryFolder ?? Configuration().temporaryFolder
        database = try words.required("--database")
        errors = words.values["--errors"]
        key = words.values["--key"]?.split(separator: ",").map(String.init) ?? []
        var imports = ImportSettings()
        for setting in Setting.reading {
            guard let flag = setting.flag, let value = words.values[flag] else { continue }
            try imports.set(setting, to: value, origin: flag)
        }
        self.imports = imports
        duplicates = try words.value(of: "--on-duplicate", .choice()) ?? .number
    }
}

/// The arguments of `roster export`.
package struct ExportCommand: Hashable, Sendable {
    static let flags = ["--database", "--format"]

    /// The format of the rows.
    enum Format: String, CaseIterable {
        case csv, json, ndjson, xlsx

        /// The format that the rows are written in; lines become the elements of one JSON array.
        var rows: PageFormat {
            switch self {
            case .csv: .csv
            case .json, .ndjson: .ndjson
            case .xlsx: .xlsx
            }
        }
    }

    /// The name of the list.
    let list: String
    /// The query that selects and sorts the rows, in URL syntax; nil for all rows.
    let query: String?
    /// The path of the database.
    let database: String
    /// The format of the rows.
    let format: Format

    init(_ words: CommandWords) throws(ConfigurationError) {
        let parts = try words.only("LIST")
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        list = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        database = try words.required("--database")
        format = try words.value(of: "--format", .choice()) ?? .csv
    }
}

/// The words of a command: flags with their values, and other words.
struct CommandWords {
    private(set) var values: [String: String] = [:]
    private var alone: [String] = []

    init(
        _ arguments: ArraySlice<String>,
        _ environment: [String: String],
        _ flags: [String]
    ) throws(ConfigurationError) {
        let flags = flags + ["--config"]
        var rest = arguments
        while let argument = rest.popFirst() {
            guard argument != "--" else {
                alone += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                alone.append(argument)
                continue
            }
            let (flag, inline) = ServingArguments.parts(of: argument)
            guard flags.contains(flag) else {
                throw .unknown(flag, value: inline, among: flags, [])
            }
            guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
                throw .missingValue(flag)
            }
            guard values.updateValue(value, forKey: flag) == nil else {
                throw .repeatedFlag(flag)
            }
        }
        let file = values["--config"]
        guard file != nil || values["--database"] == nil else { return }
        let configuration = try Configuration(
            arguments: file.map { ["--config", $0] } ?? [],
            environment: environment
        )
        values["--database"] = values["--database"] ?? configuration.database
    }

    /// Returns the only word that is no flag or value.
    func only(_ name: String) throws(ConfigurationError) -> String {
        guard let first = alone.first else { throw .missingArgument(name) }
        guard alone.count == 1 else { throw .surplusArgument(alone[1]) }
        return first
    }

    /// Returns the value of a required flag.
    func required(_ flag: String) throws(ConfigurationError) -> String {
        guard let value = values[flag] else { throw .missingFlag(flag) }
        return value
    }

    /// Returns the value of a flag; nil without the flag.
    func value<Value>(
        of flag: String,
        _ kind: SettingKind<Value>
    ) throws(ConfigurationError) -> Value? {
        guard let text = values[flag] else { return nil }
        return try kind.read(text, flag)
    }
}
