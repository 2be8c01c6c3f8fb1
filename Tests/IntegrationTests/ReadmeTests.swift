import Foundation
import Testing

/// What the README shows is what happens.
///
/// Every fenced block that begins with ```` ```console ```` is executed, in order, while a server
/// with the sample users runs that everybody may write to. A line that begins with `$ ` is a command for `sh`; the lines below
/// it, up to the next command or the end of the block, are what it prints on standard output, and
/// it ends with 0. Commands run in a folder of their own, where `roster` is this program. In commands and output `127.0.0.1:8080` stands for the address of the server. In
/// the output `…` stands for any text within a line, and a line that is `…` alone for any lines.
/// A carriage return before a line feed, which nobody sees, is left out of what is printed. Blocks of
/// other languages, such as `sh`, are not executed.
@Suite("The README's commands print what it shows")
struct ReadmeTests {
    @Test("every command of a console block, in order")
    func commands() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")
        let commands = ConsoleCommand.all(in: try String(contentsOf: readme, encoding: .utf8))
        #expect(!commands.isEmpty, "the README shows no command")
        let server = try RosterProcess(serving: ["--allow-anonymous-writes"])
        let port = try server.port
        let folder = try TemporaryFolder()
        for command in commands {
            let text = command.text.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
            let run = try shell(text, in: folder.url)
            #expect(run.status == 0, "\(command.text)")
            let printed = run.output.replacing("127.0.0.1:\(port)", with: "127.0.0.1:8080")
            #expect(
                command.matches(printed),
                "\(command.text)\nshown:\n\(command.output)\nprinted:\n\(printed)"
            )
        }
    }

    @Test("commands and their output are found in console blocks only")
    func parsing() {
        let text = """
            ```sh
            $ make run
            ```
            $ no command
            ```console
            $ first
            a
            $ second | third
            $ fourth

            b
            ```
            ```console
            $ fifth
            ```
            """
        #expect(
            ConsoleCommand.all(in: text) == [
                ConsoleCommand(text: "first", output: "a\n"),
                ConsoleCommand(text: "second | third", output: ""),
                ConsoleCommand(text: "fourth", output: "\nb\n"),
                ConsoleCommand(text: "fifth", output: ""),
            ]
        )
    }

    @Test(
        "three dots stand for any text within a line, alone for any lines",
        arguments: [
            ("a…c\n", "abbc\n", true), ("a…c\n", "ac\n", true), ("a…c\n", "ab\nbc\n", false),
            ("…\n", "a\nb\n", true), ("a\n…\nz\n", "a\nb\nc\nz\n", true), ("…\n", "", true),
            ("a\n", "a\n", true), ("a\n", "a", false), ("a\n", "b\n", false),
            ("a\nb\n", "a\r\nb\r\n", true), ("", "a\n", false),
            ("a.b…\n", "axb\n", false), ("[…]\n", "[1]\n", true), ("a…\n", "ab\nc\n", false),
        ]
    )
    func wildcards(shown: String, printed: String, isEqual: Bool) {
        #expect(ConsoleCommand(text: "", output: shown).matches(printed) == isEqual)
    }

    private func shell(_ command: String, in folder: URL) throws -> (status: Int32, output: String)
    {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        let programs = RosterProcess.program.deletingLastPathComponent().path
        process.environment = ["PATH": "\(programs):/usr/local/bin:/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}

/// A command that a document shows, and what it prints.
struct ConsoleCommand: Equatable {
    var text: String
    var output: String

    /// The commands of a document's console blocks, in order.
    static func all(in document: String) -> [ConsoleCommand] {
        var commands: [ConsoleCommand] = []
        var isConsole = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = !isConsole && line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                commands.append(ConsoleCommand(text: String(line.dropFirst(2)), output: ""))
            } else if isConsole, let last = commands.indices.last {
                commands[last].output += line + "\n"
            }
        }
        return commands
    }

    /// Whether something printed is what the document shows.
    func matches(_ printed: String) -> Bool {
        let shown = output.split(separator: "\n", omittingEmptySubsequences: false)[...]
        let lines = printed.replacing("\r\n", with: "\n").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )[...]
        return Self.match(shown, lines)
    }

    private static func match(
        _ shown: ArraySlice<Substring>,
        _ lines: ArraySlice<Substring>
    ) -> Bool {
        guard let first = shown.first else { return lines.isEmpty }
        let rest = shown.dropFirst()
        if first == "…" {
            return (lines.startIndex...lines.endIndex).contains { match(rest, lines[$0...]) }
        }
        guard let line = lines.first, matchLine(first, line) else { return false }
        return match(rest, lines.dropFirst())
    }

    private static func matchLine(_ shown: Substring, _ line: Substring) -> Bool {
        let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return shown == line }
        guard var rest = line.prefix(parts[0]), let last = parts.last else { return false }
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

extension Substring {
    /// What follows a beginning; nil for a text that begins otherwise.
    fileprivate func prefix(_ beginning: Substring) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
