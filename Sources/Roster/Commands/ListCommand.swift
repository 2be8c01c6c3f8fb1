import Database
import SQLite

/// What `roster import`, `roster export` and `roster token` are asked to do.
package enum ListCommand: Hashable, Sendable {
    /// Imports a file as a list of a database.
    case importing(ImportCommand)
    /// Writes a list of a database to standard output.
    case exporting(ExportCommand)
    /// Makes a token.
    case token(TokenCommand)

    /// Reads a command line; the result is nil where it is none of these commands.
    ///
    /// - Throws: ``ConfigurationError``, the first thing that is not understood.
    package init?(
        arguments: [String],
        environment: [String: String]
    ) throws(ConfigurationError) {
        switch arguments.first {
        case "import":
            let words = try CommandWords(arguments.dropFirst(), environment, ImportCommand.flags)
            self = .importing(try ImportCommand(words))
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

/// What `roster import` is asked to do.
package struct ImportCommand: Hashable, Sendable {
    static let flags = [
        "--database", "--list", "--on-duplicate", "--errors", "--missing", "--types",
    ]

    /// The file.
    let path: String
    /// The name of the list.
    let list: String
    /// The database.
    let database: String
    /// What becomes of a record whose id an earlier one has.
    let duplicates: ListImporter.Duplicates
    /// The choices by which it becomes a list.
    let options: ImportOptions
    /// Where all that is wrong with the file is written to; nil writes it nowhere.
    let errors: String?

    init(_ words: CommandWords) throws(ConfigurationError) {
        let source = try SourceArgument(try words.only("SOURCE"))
        guard source.isFile, FileFormat(path: source.path) != nil else {
            throw .unknownImport(source.shown)
        }
        path = source.path
        list = words.values["--list"] ?? source.listName
        try SourceArgument.check(list)
        database = try words.required("--database")
        errors = words.values["--errors"]
        var options = ImportOptions()
        try options.setMissing(words.values["--missing"] ?? "", origin: "--missing")
        try options.setTypes(words.values["--types"] ?? "", origin: "--types")
        self.options = options
        duplicates = try words.choice("--on-duplicate", of: ListImporter.Duplicates.self) ?? .error
    }
}

/// What `roster export` is asked to do.
package struct ExportCommand: Hashable, Sendable {
    static let flags = ["--database", "--format"]

    /// How the rows are written.
    enum Format: String, CaseIterable {
        case csv, json, ndjson
    }

    /// The name of the list.
    let list: String
    /// Which of its rows, and in which order, as in the query of an address; nil for all of them.
    let query: String?
    /// The database.
    let database: String
    /// How the rows are written.
    let format: Format

    init(_ words: CommandWords) throws(ConfigurationError) {
        let parts = try words.only("LIST")
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        list = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        database = try words.required("--database")
        format = try words.choice("--format", of: Format.self) ?? .csv
    }
}

/// The words of a command: flags with their values, and what stands alone.
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
            let parts = argument.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let flag = String(parts[0])
            guard flags.contains(flag) else {
                let suggestion = Suggestion.nearest(to: flag, among: flags)
                throw .unknownFlag(flag, suggestion: suggestion)
            }
            let inline = parts.count == 2 ? String(parts[1]) : nil
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

    /// The one word that stands alone.
    func only(_ name: String) throws(ConfigurationError) -> String {
        guard let first = alone.first else { throw .missingArgument(name) }
        guard alone.count == 1 else { throw .surplusArgument(alone[1]) }
        return first
    }

    /// The value of a flag that is needed.
    func required(_ flag: String) throws(ConfigurationError) -> String {
        guard let value = values[flag] else { throw .missingFlag(flag) }
        return value
    }

    /// The value of a flag that takes one of a few; nil where it is not given.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ flag: String,
        of type: Value.Type
    ) throws(ConfigurationError) -> Value? where Value.RawValue == String {
        guard let value = values[flag] else { return nil }
        if let choice = Value(rawValue: value) { return choice }
        let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidValue(flag, value: value, allowed: "one of \(allowed)")
    }
}
