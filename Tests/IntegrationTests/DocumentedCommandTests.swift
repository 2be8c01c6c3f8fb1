import Foundation
import Testing

/// Runs the commands that the pages show.
///
/// Every fenced block that begins with ```` ```console ```` is executed, in the order of the page.
/// A line that begins with `$ ` is a command for `sh`, which must exit with 0. Lines that begin
/// with `> ` right after a command continue it. The other lines are its standard output: `…` stands
/// for any text within a line, and a line that is `…` alone for any lines. A carriage return before
/// a line feed is not shown.
///
/// The commands of a page run in a folder of their own, where `roster` is this program, while a
/// server runs: that of the sample users with `--allow-anonymous-writes`, or the one that a comment
/// such as `<!-- server: people.csv -->` on a line of its own starts in the folder
/// (`<!-- server: none -->` stops it). In commands and output `127.0.0.1:8080` stands for the
/// address of the server, and `127.0.0.1:9100` for that of `--operations-port 127.0.0.1:9100`.
/// Blocks of other languages, such as `sh`, are not executed.
@Suite("The commands of the pages print the output that the pages show")
struct DocumentedCommandTests {
    @Test("every command of a page, in order", arguments: MarkdownPage.all)
    func commands(page: MarkdownPage) throws {
        let steps = ConsoleStep.all(in: page.text)
        guard !steps.isEmpty else { return }
        let session = try ConsoleSession()
        for step in steps {
            switch step {
            case .server(let arguments): try session.startServer(arguments)
            case .command(let command):
                let run = try session.run(command.text)
                #expect(run.status == 0, "\(page.path): \(command.text)")
                #expect(
                    command.matches(run.output),
                    """
                    \(page.path): \(command.text)
                    shown:
                    \(command.output)
                    printed:
                    \(run.output)
                    """
                )
            }
        }
        try session.startServer(nil)
    }

    @Test("the README and the articles are found, and the README shows commands")
    func pages() {
        #expect(MarkdownPage.all.count > 1)
        #expect(MarkdownPage.all.first?.blocks(of: "console").isEmpty == false)
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
            ConsoleStep.all(in: text) == [
                .server("--allow-anonymous-writes"),
                .command(ConsoleCommand(text: "first", output: "a\n")),
                .command(ConsoleCommand(text: "second | third", output: "")),
                .command(ConsoleCommand(text: "fourth", output: "\nb\n")),
                .command(ConsoleCommand(text: "fifth", output: "")),
            ]
        )
    }

    @Test("lines right after a command continue it, and comments start and stop the server")
    func servers() {
        let text = """
            <!-- server: none -->
            ```console
            $ cat > a.csv <<END
            > id
            >
            > 1
            > END
            $ printf '> a'
            x
            > a
            ```
            <!-- server: a.csv --group-by 'a b' -->
            ```sh
            <!-- server: b.csv -->
            ```
            """
        #expect(
            ConsoleStep.all(in: text) == [
                .server(nil),
                .command(ConsoleCommand(text: "cat > a.csv <<END\nid\n\n1\nEND", output: "")),
                .command(ConsoleCommand(text: "printf '> a'", output: "x\n> a\n")),
                .server("a.csv --group-by 'a b'"),
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
            ("…\nb\n…\n", "a\nb\nc\n", true), ("…\nd\n…\n", "a\nb\nc\n", false),
        ]
    )
    func wildcards(shown: String, printed: String, isEqual: Bool) {
        #expect(ConsoleCommand(text: "", output: shown).matches(printed) == isEqual)
    }
}
