import Foundation
import TestSupport
import Testing

@Suite("A file that is not what it should be is refused, all of it")
struct BadInputTests {
    private static let files = InputRow.table(
        #"""
        a.csv
          1:1: the file is empty; a header line or a JSON array is expected
        a.csv id,name\n1,"Ada\n2,Bo\n
          2:3: the quote that opens here is never closed
        a.csv id,name\n1,Ada,Oslo\n
          2:7: 2 values are expected, as in the header, and 3 found
        a.tsv id\tname\n1\ta\tb\n
          2:5: 2 values are expected, as in the header, and 3 found
        a.json
          1:1: the file is empty; a header line or a JSON array is expected
        a.json [{"id": 1}
          1:11: the file ends where ',' or ']' is expected
        a.json [\n{"id": 1},\n5]
          3:1: '5' where '{', an object, is expected
        a.json [{"id": 1} {}]
          1:12: '{' where ',' or ']' is expected
        a.json [{"a": 1, "a": 2}]
          1:11: a second member 'a' in one object
        a.json [{"a": 01}]
          1:8: not a number as JSON writes them
        a.json [{"a": nul}]
          1:11: '}' where true, false or null is expected
        a.json [{"a": "\\x"}]
          1:9: a backslash followed by nothing that JSON knows
        a.ndjson {"id": 1}\n{"id":\n2}\n
          2:7: a line break inside an object; each line is one object
        a.ndjson {"id": 1} x\n
          1:11: 'x' where a line break is expected
        """#
    )

    @Test("the place and the fault are told in one line, and nothing is kept", arguments: files)
    func refused(_ row: InputRow) throws {
        let folder = try TemporaryFolder()
        let name = row.input.prefix { $0 != " " }
        let content = InputRow.unescaped(row.input.dropFirst(name.count + 1))
        let file = try folder.write(content, to: String(name))
        let database = folder.path("lists.db")
        for kept in [[], ["--database", database]] {
            let run = try RosterProcess.run(["--port", "0", file] + kept)
            #expect(run.ending == .exit(65))
            #expect(run.lines.first == row.expected.map { "roster: \(file):\($0)" }.joined())
            #expect(run.output == "")
        }
        try expectNothing(in: database)
    }

    @Test(
        "what cannot be opened is told by its path",
        arguments: [
            ("missing.csv", "no such file"),
            ("file.csv/x.csv", "no such file"),
            ("device.csv", "is not a file on a disk; it must be read twice"),
            ("broken.csv", "cannot be read: Input/output error"),
        ]
    )
    func unreadable(name: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("id\n1\n", to: "file.csv")
        let files = FileManager.default
        for name in ["folder", "folder.csv"] {
            try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        }
        // Regular to look at, and an error to read, also for the superuser.
        for (link, target) in [
            ("device.csv", "/dev/null"), ("broken.csv", "/proc/self/mem"),
        ] {
            try files.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        let database = folder.path("lists.db")
        let file = folder.path(name)
        let run = try RosterProcess.run(["--port", "0", "--database", database, file])
        #expect(run.ending == .exit(66))
        #expect(run.lines == ["roster: \(file): \(message)"])
        try expectNothing(in: database)
    }

    @Test("a file that may not be read is told by its path, but for the superuser")
    func forbidden() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id\n1\n", to: "a.csv")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        if getuid() == 0 {
            let server = try RosterProcess(serving: [file])
            #expect(try server.page("/a").ids == ["1"])
        } else {
            let run = try RosterProcess.run(["--port", "0", file])
            #expect(run.ending == .exit(66))
            #expect(run.lines == ["roster: \(file): cannot be read: Permission denied"])
        }
    }

    @Test(
        "a document, a picture and a page are refused, whatever their names",
        arguments: [
            ("a.pdf", "%PDF-1.7\u{1}\n", "is a PDF document; \(copy)"),
            ("a.csv", "%PDF-1.4\n1 0 obj\n", "is a PDF document; \(copy)"),
            ("a.tsv", "GIF89a,b\n1,2\n", "is a picture, and no table"),
            ("a.csv", "<?xml version=\"1.0\"?>\n<a/>", "is a document in XML, and no table"),
            (
                "a.sql", "-- MySQL dump 10\n",
                "is a dump of MySQL; load it, and save its tables as CSV"
            ),
        ]
    )
    func noTable(name: String, text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: name)
        let run = try RosterProcess.run(["--port", "0", file])
        #expect(run.ending == .exit(65))
        #expect(run.lines == ["roster: \(file): \(message)"])
    }

    private static let copy = "copy its table to a spreadsheet, and save that as CSV"

    @Test(
        "a file of another program is refused with the command that converts it",
        arguments: [
            ("a.csv", "<!DOCTYPE html>\n<title>Sign in</title>\n", "a download may need a sign-in"),
            ("a.json", "\u{FEFF}\r\n  <HTML lang=en>", "pandas.read_html("),
            ("a.sql", "INSERT INTO a VALUES (1, 'x');\n", "sqlite3 "),
            ("a.md", "| a |\n|---|\n| 1 |\n", "sed -E"), ("a.tar", "x", "tar -xf "),
            ("a.csv", "| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n", "sed -E"),
            ("a.csv", "CREATE TABLE a (x, y);\n", "a.sqlite < "),
            ("a.csv", "[{\"a\": 1, \"b\": 2}]\n", "is a document in JSON, and not what its name"),
        ]
    )
    func converted(name: String, text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: name)
        let run = try RosterProcess.run(["--port", "0", file])
        #expect(run.ending == .exit(65))
        #expect(run.lines.count == 1 && run.lines[0].contains(message), "\(run.lines)")
    }

    @Test("a table in Markdown is converted by the command of its error")
    func markdown() throws {
        let folder = try TemporaryFolder()
        let text = "# People\n\n| id | name |\n|----|:----:|\n| 1 | Ada B |\n  | 2 | Bo |\n"
        let file = try folder.write(text, to: "a.md")
        let refused = try RosterProcess.run(["--port", "0", file])
        let line = try #require(refused.lines.first)
        let command = try #require(line.split(separator: "convert it by: ").last)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", String(command)]
        try shell.run()
        shell.waitUntilExit()
        let server = try RosterProcess(serving: [folder.path("a.tab")])
        #expect(try server.get("/a.csv").text == "id,name\r\n1,Ada B\r\n2,Bo\r\n")
    }

    @Test(
        "a file of no known format is refused",
        arguments: [("a.bin", "BIN\u{1}\n"), ("a.log", "Title\nText\n"), ("a", "\u{2}")]
    )
    func unknownFormat(name: String, text: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: name)
        let run = try RosterProcess.run(["--port", "0", file])
        #expect(run.ending == .exit(65))
        let formats = "CSV, TSV, JSON, NDJSON, XLSX, ZIP and SQLite; --delimiter reads other texts"
        #expect(
            run.lines == [
                "roster: \(file): the format is unknown; allowed: \(formats)"
            ]
        )
    }

    @Test("a database that is none is told by its path", arguments: ["--database", ""])
    func notADatabase(option: String) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "not a database ", count: 100)
        let file = try folder.write(text, to: "a.db")
        let run = try RosterProcess.run(["--port", "0"] + [option, file].filter { !$0.isEmpty })
        #expect(run.ending == .exit(65))
        #expect(run.lines == ["roster: \(file): is not an SQLite database"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test(
        "a database that cannot be created is told by its path",
        arguments: [
            ("none/a.db", "the folder '"), ("folder", "is a folder, not a file"),
        ]
    )
    func cannotCreate(name: String, reason: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("folder"),
            withIntermediateDirectories: false
        )
        let path = folder.path(name)
        let run = try RosterProcess.run(["--port", "0", "--database", path])
        #expect(run.ending == .exit(73))
        #expect(run.lines.count == 1)
        #expect(run.lines.first?.hasPrefix("roster: \(path): \(reason)") == true)
    }

    @Test(
        "an irregular file is served, and what was found is told at the start",
        arguments: InputRow.table(
            #"""
            a.csv id;name\n1;Ada\n
              a.csv: semicolon
            a.csv id,name,city\n1,Ada,Oslo\n2,Bo\n
              a.csv: fewer fields than the header: 1, the first at 3:5; missing values are null
            a.csv id,name\n7,a\n7,c\n
              a.csv:3:1: id '7' stands at 2:1 already; the rows are numbered instead
              a: column 'id' is listed as 'id_', because 'id' is the number of the row
            a.csv id,name\n1,a\n,b\n
              a.csv:3:1: no value under 'id', which gives the ids; the rows are numbered instead
              a: column 'id' is listed as 'id_', because 'id' is the number of the row
            a.csv id,name\n1,Zo\xEB\n
              a.csv: Windows-1252 by its letters (--encoding names another)
            a.csv id,name\n1,Zo\xC3\xAB\n2,\xC3\xA9\xC3\xA8\n3,caf\xE9\n4,\xC3\xA9t\xC3\xA9
              a.csv: UTF-8 by its letters (--encoding names another), bytes that are no character: 1, read as U+FFFD
            a.csv 3,2,x,y\n0.5,1,2,3,4,5\n0.25,1,2,3,4,5\n0.75,1,2,3,4,5\n
              a.csv: comma, no header, first row on line 2
            a.csv n,2023 rate\n1,15 %\n2,20 %\n
              --types '2023 rate=text' keeps texts
            a.csv n,ok\n1,Yes\n2,No\n3,Yes\n4,Yes\n5,Yes\n6,Yes\n7,Yes\n8,Yes\n9,Yes\n10,Yes\n11,Yes\n12,Yes\n13,Yes\n14,Yes\n15,Yes\n16,Yes\n17,Yes\n18,Yes\n19,Yes\n20,perhaps\n
              a: ok: 1 of 20 values are not true or false: 'perhaps' (1)
            a.csv n,v\n1,$100\n2,$101\n3,$102\n4,$103\n5,$104\n6,$105\n7,$106\n8,$107\n9,$108\n10,$109\n11,$110\n12,$111\n13,$112\n14,$113\n15,$114\n16,$115\n17,$116\n18,$117\n19,$118\n20,950\n
              a: v: 1 of 20 values are not numbers: '950' (1)
            a.csv n,ok,day\n1,Yes,14.1.2024\n2,no,2.1.2024\n3,Yes,03.1.2024\n
              a: ok: CSV exports spell 1 values otherwise, as 'No' for 'no'
              a: day: CSV exports spell 1 values otherwise, as '3.1.2024' for '03.1.2024'
            a.json {"n": 1, "rows": [{"id": 1}]}
              a.json: rows of 'rows'
            """#
        )
    )
    func irregular(_ row: InputRow) throws {
        let folder = try TemporaryFolder()
        let name = row.input.prefix { $0 != " " }
        let content = InputRow.unescaped(row.input.dropFirst(name.count + 1))
        let file = try folder.write(content, to: String(name))
        let server = try RosterProcess(serving: [file])
        #expect(try server.get("/a").status == 200)
        for note in row.expected {
            #expect(server.lines.contains { $0.hasSuffix(note) }, "\(server.lines)")
        }
        try server.stop()
    }

    @Test("a bad file leaves the list of an earlier run as it was")
    func earlierList() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id,name\n1,old\n", to: "a.csv")
        let database = folder.path("lists.db")
        let first = try RosterProcess(serving: [file, "--database", database])
        try first.stop()
        try folder.write("id,name\n1,new\n2,\"new\n", to: "a.csv")
        let run = try RosterProcess.run(["--port", "0", file, "--database", database])
        #expect(run.ending == .exit(65))
        let second = try RosterProcess(serving: ["--database", database])
        let rows = try second.page("/a").sections.flatMap(\.rows)
        #expect(rows.map(\.cells) == [["id": .number(1), "name": .text("old")]])
    }

    @Test("one bad file among good ones keeps a strict program from serving any")
    func amongGoodOnes() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write("id,name\n1,a\n", to: "good.csv")
        let bad = try folder.write("id,name\n1,a,b\n", to: "bad.csv")
        let run = try RosterProcess.run(["--port", "0", good, bad, "--strict"])
        #expect(run.ending == .exit(65))
        #expect(
            run.lines.first
                == "roster: \(bad):2:5: 2 values are expected, as in the header, and 3 found"
        )
    }

    private func expectNothing(in database: String) throws {
        let run = try RosterProcess.run(["--port", "0", "--database", database])
        #expect(run.ending == .exit(65))
        #expect(run.lines == ["roster: there is no list to serve"])
    }
}
