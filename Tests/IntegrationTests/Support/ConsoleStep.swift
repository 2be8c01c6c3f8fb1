import Foundation

enum ConsoleStep: Equatable {
    case command(ConsoleCommand)
    /// The server starts with these arguments; nil stops it.
    case server(String?)

    /// The steps of a page, in order.
    ///
    /// The first block starts a server that accepts writes, unless a comment comes first.
    static func all(in page: String) -> [ConsoleStep] {
        var steps: [ConsoleStep] = []
        var reader = ConsoleReader()
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            reader.read(line, into: &steps)
        }
        return steps
    }
}

struct ConsoleCommand: Equatable {
    var text: String
    var output: String

    /// Whether printed text is the output that the page shows.
    func matches(_ printed: String) -> Bool {
        let shown = output.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = printed.replacing("\r\n", with: "\n").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        // The numbers of lines that the patterns so far may have matched.
        var ends: Set<Int> = [0]
        for pattern in shown {
            if pattern == "…" {
                ends = ends.min().map { Set($0...lines.count) } ?? []
            } else {
                ends = Set(
                    ends.filter { $0 < lines.count && Self.match(pattern, lines[$0]) }
                        .map { $0 + 1 }
                )
            }
        }
        return ends.contains(lines.count)
    }

    private static func match(_ pattern: Substring, _ line: Substring) -> Bool {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else {
            return pattern == line
        }
        guard line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

private struct ConsoleReader {
    private var isConsole = false
    private var isFenced = false
    private var hasServer = false
    /// Whether a line that begins with `> ` continues the last command.
    private var isContinued = false

    mutating func read(_ line: Substring, into steps: inout [ConsoleStep]) {
        if line.hasPrefix("```") {
            isConsole = !isFenced && line == "```console"
            isFenced.toggle()
            isContinued = false
            if isConsole, !hasServer {
                hasServer = true
                steps.append(.server("--allow-anonymous-writes"))
            }
        } else if !isFenced {
            guard let arguments = Self.arguments(line) else { return }
            hasServer = true
            steps.append(.server(arguments == "none" ? nil : arguments))
        } else if isConsole {
            readConsole(line, into: &steps)
        }
    }

    private mutating func readConsole(_ line: Substring, into steps: inout [ConsoleStep]) {
        if line.hasPrefix("$ ") {
            steps.append(
                .command(ConsoleCommand(text: String(line.dropFirst(2)), output: ""))
            )
            isContinued = true
        } else if case .command(var command) = steps.last {
            if isContinued, line.hasPrefix("> ") || line == ">" {
                command.text += "\n" + line.dropFirst(2)
            } else {
                isContinued = false
                command.output += line + "\n"
            }
            steps[steps.count - 1] = .command(command)
        }
    }

    /// The arguments in a comment such as `<!-- server: people.csv -->`.
    private static func arguments(_ line: Substring) -> String? {
        guard let match = line.wholeMatch(of: /<!-- server:(.*)-->\s*/) else { return nil }
        return match.1.trimmingCharacters(in: .whitespaces)
    }
}
