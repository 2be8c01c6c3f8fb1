package struct CommandDescription: Sendable {
    struct Flag: Sendable {
        let usage: String
        let summary: String

        var name: String { String(usage.prefix { $0 != " " && $0 != "," }) }
    }

    let name: String
    let usage: [String]
    let summary: String
    var scopes: [Flag] = []
    let flags: [Flag]
    var closing: String?

    private static let database = Flag(
        usage: "--database FILE",
        summary: "SQLite file that holds the list"
    )

    static let all = [
        CommandDescription(
            name: "import",
            usage: [
                "SOURCE --database FILE [--list NAME] [--errors FILE]",
                "[--on-duplicate number|error|keep-first|replace]",
                "[options for reading files]",
            ],
            summary: "reads a file into a database, all or nothing; - is standard input",
            flags: [
                database,
                Flag(usage: "--list NAME", summary: "name of the list (default: that of the file)"),
                Flag(
                    usage: "--on-duplicate number|error|keep-first|replace",
                    summary: "treatment of a record whose id an earlier one has (default: number)"
                ),
                Flag(usage: "--key COLUMN", summary: "column with the ids of rows (default: id)"),
                Flag(usage: "--errors FILE", summary: "file that all errors are written to"),
            ]
                + Setting.reading.map {
                    Flag(usage: $0.usage ?? "", summary: $0.summary)
                }
        ),
        CommandDescription(
            name: "export",
            usage: ["LIST[?QUERY] --database FILE [--format csv|json|ndjson|xlsx]"],
            summary: "writes the rows of a list, or those of a query as in an address",
            flags: [
                database,
                Flag(
                    usage: "--format csv|json|ndjson|xlsx",
                    summary: "format of the rows (default: csv)"
                ),
            ]
        ),
        CommandDescription(
            name: "describe",
            usage: ["SOURCE [SOURCE ...] [options]"],
            summary: "writes a first file for --describe: labels, formats and relations of lists",
            flags: [],
            closing: "Options are those of serving, such as --key and --password-file."
        ),
        CommandDescription(
            name: "token",
            usage: ["NAME SCOPE [SCOPE ...]"],
            summary: "makes a token, and the line of the file of --tokens that knows it",
            scopes: [
                Flag(usage: "LIST:read", summary: "to read a list"),
                Flag(
                    usage: "LIST:read:CONDITIONS",
                    summary: "to read only the rows that meet conditions, as in "
                        + "'orders:read:team=red'; it limits writes"
                ),
                Flag(usage: "LIST:write", summary: "to read and write a list"),
                Flag(
                    usage: "*:read, *:read:CONDITIONS, *:write",
                    summary: "the same for every list that no other scope names"
                ),
                Flag(usage: "operate", summary: "to read /-/metrics and /-/lists"),
            ],
            flags: [],
            closing: "The server checks the names of lists and columns when it reads the file."
        ),
        CommandDescription(
            name: "help",
            usage: ["[COMMAND]"],
            summary: "prints all options, or those of a command",
            flags: []
        ),
        CommandDescription(
            name: "manual",
            usage: [""],
            summary: "prints the manual page, for man(1)",
            flags: []
        ),
        CommandDescription(
            name: "completions",
            usage: ["bash|zsh|fish"],
            summary: "prints completions for a shell",
            flags: []
        ),
    ]

    var usageLines: [String] {
        let start = "roster \(name) "
        return usage.enumerated().map { index, line in
            let lead = index == 0 ? start : String(repeating: " ", count: start.count)
            return (lead + line).trimmingTrailingSpaces
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
