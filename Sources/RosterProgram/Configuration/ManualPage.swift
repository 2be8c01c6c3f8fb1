import ListAPI

/// The manual page, in the man macros of roff (man-pages(7)).
package enum ManualPage {
    package static var text: String {
        var lines = [
            #".TH ROSTER 1 "" "roster \#(RosterVersion.current)""#,
            ".SH NAME", #"roster \- serves lists as JSON and as pages"#,
            ".SH SYNOPSIS", ".B roster", "[SOURCE ...] [options]",
        ]
        for command in CommandDescription.all {
            lines += [".br", ".B roster \(escaped(command.name))"]
            lines.append(escaped(command.usage.joined(separator: " ")))
        }
        lines += [".SH DESCRIPTION", escaped(HelpText.description.joined(separator: " "))]
        lines += [".SH OPTIONS"]
        for setting in Setting.all {
            let summary = "\(setting.summary) (default: \(setting.standard))"
            lines += entry(setting.usage ?? setting.variable, summary)
            if setting.flag != nil { lines.append(".RI ( \(setting.variable) )") }
        }
        lines += HelpText.actions.flatMap { entry($0.usage, $0.summary) }
        lines.append(".SH COMMANDS")
        for command in CommandDescription.all {
            lines += entry(command.name, command.summary)
            let described = command.scopes + command.flags
            guard !described.isEmpty else { continue }
            lines.append(".RS")
            lines += described.flatMap { entry($0.usage, $0.summary) }
            lines.append(".RE")
        }
        lines += [".SH EXIT STATUS", escaped(HelpText.exitCodes.joined(separator: " "))]
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private static func entry(_ title: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(title))", escaped(text)]
    }

    private static func escaped(_ text: String) -> String {
        var escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        if escaped.hasPrefix(".") || escaped.hasPrefix("'") { escaped = "\\&" + escaped }
        return escaped
    }
}
