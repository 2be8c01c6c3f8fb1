import Database
package import ListAPI
import Rendering
import SQLite
import TableFiles

package enum ListCommand: Hashable, Sendable {
    case importing(ImportCommand)
    case exporting(ExportCommand)
    case token(TokenCommand)

    /// Reads a command line; nil for any other command.
    package init?(
        arguments: [String],
        environment: [String: String]
    ) throws(Failure) {
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

package struct ImportCommand: Hashable, Sendable {
    static let flags =
        ["--database", "--list", "--key", "--on-duplicate", "--errors"]
        + Setting.reading.compactMap(\.flag)

    let source: SourceArgument
    let database: String
    let duplicates: ListImporter.Duplicates
    /// The columns that are the ids of rows; empty finds one.
    let key: [String]
    let imports: ImportSettings
    /// The file for all errors of the import; nil writes none.
    let errors: String?
    /// The folder for the contents of standard input.
    let temporaryFolder: String

    init(_ words: CommandWords, temporaryFolder: String?) throws(Failure) {
        let argument = try words.only("SOURCE")
        let source = try SourceArgument(argument)
        guard source.isFile else { throw .unknownImport(source.shown) }
        self.source =
            try words.values["--list"].map { (name) throws(Failure) in
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

package struct ExportCommand: Hashable, Sendable {
    static let flags = ["--database", "--format"]

    let list: String
    /// The query that selects and sorts the rows, in URL syntax; nil for all rows.
    let query: String?
    let database: String
    let format: PageFormat

    init(_ words: CommandWords) throws(Failure) {
        let parts = try words.only("LIST")
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        list = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        database = try words.required("--database")
        let formats: KeyValuePairs<String, PageFormat> = [
            "csv": .csv, "json": .json, "ndjson": .ndjson, "xlsx": .xlsx,
        ]
        format = try words.value(of: "--format", .choice(formats)) ?? .csv
    }
}

struct CommandWords {
    private(set) var values: [String: String] = [:]
    private var alone: [String] = []

    init(
        _ arguments: ArraySlice<String>,
        _ environment: [String: String],
        _ flags: [String]
    ) throws(Failure) {
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
            guard let earlier = values[flag] else {
                values[flag] = value
                continue
            }
            let setting = Setting.all.first { $0.flag == flag && $0.has(.repeatable) }
            guard let setting else { throw .repeatedFlag(flag) }
            values[flag] = setting.joined(value, to: earlier)
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
    func only(_ name: String) throws(Failure) -> String {
        guard let first = alone.first else { throw .missingArgument(name) }
        guard alone.count == 1 else {
            throw Failure(.usage, "'\(alone[1])' is one too many; see roster --help")
        }
        return first
    }

    func required(_ flag: String) throws(Failure) -> String {
        guard let value = values[flag] else {
            throw Failure(.usage, "\(flag) is needed; see roster --help")
        }
        return value
    }

    func value<Value>(
        of flag: String,
        _ kind: SettingKind<Value>
    ) throws(Failure) -> Value? {
        guard let text = values[flag] else { return nil }
        return try kind.read(text, flag)
    }
}
