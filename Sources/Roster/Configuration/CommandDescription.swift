/// A command of the program, as shown in the help, the manual and completions.
package struct CommandDescription: Sendable {
    /// An option of the command.
    struct Flag: Sendable {
        let usage: String
        let summary: String

        /// The name of the flag without its value.
        var name: String { String(usage.prefix { $0 != " " }) }
    }

    let name: String
    /// The arguments, on one or more lines.
    let usage: [String]
    let summary: String
    let flags: [Flag]

    private static let database = Flag(
        usage: "--database FILE",
        summary: "SQLite file that holds the list"
    )

    /// All commands, in the order of the help.
    static let all = [
        CommandDescription(
            name: "import",
            usage: [
                "SOURCE --database FILE [--list NAME] [--errors FILE]",
                "[--on-duplicate number|error|keep-first|replace]",
                "[--missing TEXT[,…]] [--types text|COLUMN=TYPE[,…]]",
            ],
            summary:
                "reads a .csv, .tsv, .json, .ndjson or .xlsx file into a database, all or nothing",
            flags: [
                database,
                Flag(usage: "--list NAME", summary: "name of the list (default: that of the file)"),
                Flag(
                    usage: "--on-duplicate number|error|keep-first|replace",
                    summary: "treatment of a record whose id an earlier one has (default: number)"
                ),
                Flag(usage: "--errors FILE", summary: "file that all errors are written to"),
                Flag(usage: "--missing TEXT[,…]", summary: "fields that mean no value, as NA,?"),
                Flag(
                    usage: "--types text|COLUMN=TYPE[,…]",
                    summary: "types of columns instead of those found"
                ),
            ]
        ),
        CommandDescription(
            name: "export",
            usage: ["LIST[?QUERY] --database FILE [--format csv|json|ndjson]"],
            summary: "writes the rows of a list, or those of a query as in an address",
            flags: [
                database,
                Flag(
                    usage: "--format csv|json|ndjson",
                    summary: "format of the rows (default: csv)"
                ),
            ]
        ),
        CommandDescription(
            name: "token",
            usage: ["NAME SCOPE [SCOPE ...]"],
            summary: "makes a token, and the line of the file of --tokens that knows it",
            flags: []
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

    /// The lines of the usage, with aligned continuation lines.
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
