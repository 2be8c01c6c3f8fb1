package enum HelpText {
    static let description = [
        "Serves lists as JSON and as pages. A SOURCE is a .csv, .tsv, .json or .ndjson file,",
        "also as .gz or in a .zip, an .xlsx or .ods workbook, a .sqlite or .db database, the postgres://",
        "address of a PostgreSQL database, or the http:// or https:// address of a list in JSON or",
        "one of the other formats; NAME=SOURCE names the list, users=SOURCE makes it a list of",
        "users. Without a source it serves sample users.",
    ]

    static let actions = [
        CommandDescription.Flag(
            usage: "--explain",
            summary: "write how the lists are read, and the SQL of indexes that would help, and end"
        ),
        CommandDescription.Flag(
            usage: "--health",
            summary: "check the server at this host and port, and end; exit 0 if it is alive"
        ),
        CommandDescription.Flag(
            usage: "--print-config",
            summary: "print each setting, its value and where it is said, and end"
        ),
        CommandDescription.Flag(
            usage: "--version, -v",
            summary: "print the version and end"
        ),
        CommandDescription.Flag(
            usage: "--help, -h",
            summary: "print this text, or that of a command in front of it, and end"
        ),
    ]

    static let exitCodes = [
        "Exit codes: 0 done, 64 usage, 65 bad data, 66 input missing or unreadable, 69 database,",
        "address or service not available, 70 internal error, 73 cannot create, 74 input/output,",
        "78 setting.",
    ]

    package static var text: String {
        var lines = ["Usage: roster [SOURCE ...] [options]"]
        for command in CommandDescription.all {
            lines += command.usageLines.map { "       " + $0 }
        }
        lines +=
            [""] + description + [
                "",
                "Options with their environment variables; in the file of --config the names",
                "have no dashes, as in port = 8080:",
            ]
        lines += rows(of: Setting.all) + rows(of: actions) + [""] + exitCodes
        return lines.joined(separator: "\n") + "\n"
    }

    static func rows(of settings: [Setting]) -> [String] {
        settings.flatMap { setting in
            let flag = "  " + (setting.usage ?? "(variable only)")
            let gap = String(repeating: " ", count: max(2, 36 - flag.count))
            return [
                "\(flag)\(gap)\(setting.variable)",
                "      \(setting.summary) (default: \(setting.standard))",
            ]
        }
    }

    static func rows(of flags: [CommandDescription.Flag]) -> [String] {
        flags.flatMap { ["  \($0.usage)", "      \($0.summary)"] }
    }

    package static func text(of command: String) -> String? {
        guard let command = CommandDescription.all.first(where: { $0.name == command }) else {
            return nil
        }
        var lines = command.usageLines.enumerated()
            .map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element }
        lines += ["", command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."]
        if !command.scopes.isEmpty { lines += ["", "A SCOPE is one of these:"] }
        if !command.flags.isEmpty { lines.append("") }
        lines += rows(of: command.scopes + command.flags)
        if let closing = command.closing { lines += ["", closing] }
        return lines.joined(separator: "\n") + "\n"
    }
}
