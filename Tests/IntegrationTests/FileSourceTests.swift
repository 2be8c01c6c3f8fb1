import Foundation
import TestSupport
import Testing

@Suite("Files of any kind are sources")
struct FileSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a document with several lists is served as one list for each")
    func severalLists() throws {
        let file = try folder.write(
            #"{"posts":[{"id":7,"t":"a"}],"comments":[{"id":1,"on":{"post":7}}],"v":{"x":1}}"#,
            to: "db.json"
        )
        let server = try RosterProcess(serving: [file])
        #expect(try server.page("/posts").ids == ["7"])
        let comments = try server.get("/comments.ndjson").text
        #expect(comments.contains(#""on.post":7"#))
        try server.stop()
        let named = try RosterProcess(serving: ["x=\(file)"])
        #expect(try named.page("/x-posts").ids == ["7"])
        try named.stop()
        let chosen = try RosterProcess(serving: [file, "--rows-at", "comments"])
        #expect(try chosen.page("/db").ids == ["1"])
        try chosen.stop()
    }

    @Test("a folder is served as a list for each file, and hidden files are not")
    func folderOfFiles() throws {
        for (name, text) in [
            ("a.csv", "id\n1\n"), ("b.json", "[{\"id\":2}]"), (".c.csv", "id\n3\n"),
        ] {
            try folder.write(text, to: name)
        }
        try folder.write("notes", to: "README.md")
        let server = try RosterProcess(serving: [folder.path("")])
        #expect(try server.page("/a").ids == ["1"])
        #expect(try server.page("/b").ids == ["2"])
        #expect(try server.get("/.c").status == 404)
        try server.stop()
        let run = try RosterProcess.run(["--port", "0", "x=\(folder.path(""))"])
        #expect(run.ending == .exit(64))
    }

    @Test("one file that cannot be read does not stop the others, unless that is wanted")
    func oneBadFile() throws {
        let good = try folder.write("id\n1\n", to: "good.csv")
        let bad = try folder.write("id,n\n1,2,3,4\n3,4,5,6\n", to: "bad.csv")
        let server = try RosterProcess(serving: [bad, good])
        #expect(try server.page("/good").ids == ["1"])
        #expect(try server.get("/bad").status == 404)
        for line in ["2:5", "3:5"] {
            #expect(
                server.lines.contains(
                    "roster: \(bad):\(line): 2 values are expected, as in the header, and 4 found"
                )
            )
        }
        try server.stop()
        let strict = try RosterProcess.run(["--port", "0", bad, good, "--strict"])
        #expect(strict.ending == .exit(65))
        let worse = try folder.write("id,n\n1,2,3,4\n", to: "worse.csv")
        let alone = try RosterProcess.run(["--port", "0", bad, worse])
        #expect(alone.ending == .exit(65))
        let missing = try RosterProcess.run(["--port", "0", good, folder.path("none.csv")])
        #expect(missing.ending == .exit(66))
    }

    @Test("the first twenty errors of a file are shown, then the number of the others")
    func manyErrors() throws {
        let file = try folder.write(
            "a,b\n" + String(repeating: "1,2,3,4\n", count: 30),
            to: "a.csv"
        )
        let run = try RosterProcess.run(["--port", "0", file])
        #expect(run.ending == .exit(65))
        #expect(run.lines.count == 22)
        #expect(run.lines[20] == "roster: \(file): 10 more errors")
    }

    private func run(
        _ words: [String],
        input: String
    ) throws -> (ending: RosterProcess.Ending, output: String, lines: [String]) {
        let file = try FileHandle(forReadingFrom: URL(filePath: folder.write(input, to: "input")))
        let arguments = ["import", "--database", folder.path("lists.db")] + words
        return try RosterProcess(arguments, input: file).waitForEnding()
    }

    @Test("standard input is a source, named or not, and is imported")
    func standardInput() throws {
        let run = try run(["users=-"], input: "id;name\n1;Ada\n")
        #expect(run.ending == .exit(0))
        #expect(run.lines == ["roster: -: semicolon", "roster: users: imported 1 rows from -"])
        let unnamed = try self.run(["-"], input: "{\"id\":5}")
        #expect(unnamed.lines.last == "roster: stdin: imported 1 rows from -")
        let empty = try self.run(["-"], input: "")
        #expect(empty.ending == .exit(65))
    }

    @Test("the form that is given or found is the form that is read")
    func form() throws {
        let file = try folder.write("id;n\n1;1,5\n2;1.000\n", to: "de.csv")
        let server = try RosterProcess(serving: [file])
        #expect(server.lines.contains("roster: \(file): semicolon, decimal comma"))
        #expect(try server.get("/de.csv?n__gte=2").text.contains("1000"))
        try server.stop()
        let point = try RosterProcess(serving: [file, "--decimal", "de=point"])
        #expect(try point.get("/de.csv").text.contains("1,5"))
        try point.stop()
        let unknown = try RosterProcess.run(["--port", "0", file, "--decimal", "ed=point"])
        #expect(unknown.ending == .exit(64))
        #expect(unknown.lines.last == "roster: --decimal: no list 'ed'; did you mean de?")
    }
}
