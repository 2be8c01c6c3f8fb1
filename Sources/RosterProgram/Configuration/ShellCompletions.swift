package enum ShellCompletions: String, CaseIterable {
    case bash, zsh, fish

    package var text: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh:
            "#compdef roster\nautoload -U +X bashcompinit && bashcompinit\n" + Self.bashScript
        case .fish: Self.fishScript
        }
    }

    private static var options: [(flag: String, summary: String)] {
        Setting.all.compactMap { setting in setting.flag.map { ($0, setting.summary) } }
            + HelpText.actions.map { ($0.name, $0.summary) }
    }

    private static var bashScript: String {
        var cases = ""
        for command in CommandDescription.all where !command.flags.isEmpty {
            let flags = command.flags.map(\.name).joined(separator: " ")
            cases += "        \(command.name)) words=\"\(flags) --help\" ;;\n"
        }
        let commands = CommandDescription.all.map(\.name).joined(separator: " ")
        let flags = options.map(\.flag).joined(separator: " ")
        return """
            _roster() {
                local current="${COMP_WORDS[COMP_CWORD]}" words
                case "${COMP_WORDS[1]}" in
            \(cases)        *) words="\(flags)"
                       if [ "$COMP_CWORD" -eq 1 ]; then words="$words \(commands)"; fi ;;
                esac
                COMPREPLY=($(compgen -W "$words" -- "$current"; compgen -f -- "$current"))
            }
            complete -o filenames -F _roster roster

            """
    }

    private static var fishScript: String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var lines: [String] = []
        let commands = CommandDescription.all.filter { !$0.flags.isEmpty }.map(\.name)
        let none = "'not __fish_seen_subcommand_from \(commands.joined(separator: " "))'"
        for command in CommandDescription.all {
            lines.append(
                "complete -c roster -n __fish_use_subcommand -a \(command.name) "
                    + "-d \(quoted(command.summary))"
            )
            for flag in command.flags {
                lines.append(
                    "complete -c roster -n '__fish_seen_subcommand_from \(command.name)' "
                        + "-l \(flag.name.dropFirst(2)) -r -d \(quoted(flag.summary))"
                )
            }
        }
        for (flag, summary) in options {
            let takesValue = Setting.all.contains { $0.flag == flag && !$0.isSwitch }
            lines.append(
                "complete -c roster -n \(none) -l \(flag.dropFirst(2)) "
                    + (takesValue ? "-r " : "") + "-d \(quoted(summary))"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
