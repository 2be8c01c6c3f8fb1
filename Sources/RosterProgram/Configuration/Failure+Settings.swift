import ListAPI
import SQLite
import TableFiles

/// The errors of command lines, environments and settings files that several readers find.
extension Failure {
    static func unknown(
        _ flag: String,
        value: String?,
        among flags: [String],
        _ commands: [String]
    ) -> Failure {
        let commands = commands + ["--help"]
        guard let value, commands.contains(flag) else {
            let hint = Suggestion.hint(for: flag, among: flags + commands)
            return Failure(.usage, "no option \(flag)\(hint); see roster --help")
        }
        return invalidValue(flag, value: value, allowed: "possible, because it takes no value")
    }

    static func missingValue(_ origin: String) -> Failure {
        Failure(code(of: origin), "\(origin) needs a value")
    }

    static func repeatedFlag(_ flag: String) -> Failure {
        Failure(.usage, "\(flag) is given twice")
    }

    static func secondValue(_ origin: String, of name: String) -> Failure {
        Failure(code(of: origin), "\(origin): two values for \(name)")
    }

    static func invalidValue(_ origin: String, value: String, allowed: String) -> Failure {
        Failure(code(of: origin), "\(origin): '\(value)' is not \(allowed)")
    }

    static func missingArgument(_ name: String) -> Failure {
        Failure(.usage, "\(name) is missing; see roster --help")
    }

    static func unknownImport(_ text: String) -> Failure {
        guard let foreign = ForeignFormat(path: text) else {
            return Failure(
                .usage,
                "'\(text)' is opened and not imported; name it as a source: roster \(text)"
            )
        }
        return Failure(ImportError.foreign(path: text, foreign))
    }

    static func repeatedList(_ name: String) -> Failure {
        Failure(
            .usage,
            "two lists are named '\(name)'; name one by NAME=FILE or NAME=DATABASE#TABLE"
        )
    }

    static func invalidListName(_ name: String) -> Failure {
        Failure(
            .usage,
            "a list cannot be named '\(name)': names have no /, no control characters, are not "
                + "'-' and do not begin with sqlite_ or roster_"
        )
    }

    static func unknownSource(_ text: String) -> Failure {
        Failure(
            .usage,
            "'\(text)' is no source this program reads; allowed: .csv, .tsv, .json, .ndjson, "
                + ".gz, .zip, .xlsx, .sqlite, .db, postgres://…, http://…, https://…, also as NAME=SOURCE"
        )
    }

    private static func code(of origin: String) -> ExitCode {
        origin.hasPrefix("-") ? .usage : .configuration
    }
}
