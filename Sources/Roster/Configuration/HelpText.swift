/// What `roster --help` prints.
package enum HelpText {
    /// The usage, the sources, and every setting with its variable and default.
    package static var text: String {
        var lines = [
            "Usage: roster [SOURCE ...] [options]",
            "       roster import SOURCE --database FILE [--list NAME] [--errors FILE]",
            "                     [--on-duplicate error|keep-first|replace]",
            "                     [--missing TEXT[,…]] [--types text|COLUMN=TYPE[,…]]",
            "       roster export LIST[?QUERY] --database FILE [--format csv|json|ndjson]",
            "       roster token NAME SCOPE [SCOPE ...]",
            "",
            "Serves lists as JSON and as pages. A SOURCE is a .csv, .tsv, .json or .ndjson file,",
            "a .sqlite or .db database, the postgres:// address of a PostgreSQL database, or the",
            "http:// or https:// address of a list in JSON or one of the other formats; NAME=SOURCE",
            "names the list, users=SOURCE makes it a list of users. Without a source it serves",
            "sample users.",
            "",
            "Options, or the variables behind them; in the file of --config their names stand without",
            "dashes, as in port = 8080:",
        ]
        for option in Option.all {
            let flag = "  " + (option.usage ?? "(variable only)")
            let gap = String(repeating: " ", count: max(2, 36 - flag.count))
            lines.append("\(flag)\(gap)\(option.variable)")
            lines.append("      \(option.summary) (default: \(option.standard))")
        }
        lines += [
            "  --explain",
            "      write how the lists are read, and the SQL of indexes that would help, and end",
            "  --health",
            "      ask the server at this host and port whether it lives; exit 0 if it does",
            "  --print-config",
            "      print each setting, its value and where it is said, and end",
            "  --version",
            "  --help",
            "",
            "Exit codes: 0 done, 64 usage, 65 bad data, 66 input missing or unreadable, 69 database,",
            "address or service not available, 70 our fault, 73 cannot create, 74 input/output,",
            "78 setting.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
