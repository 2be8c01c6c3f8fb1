import Foundation
import TestSupport
import Testing

@Suite("Importing and exporting by command")
struct ImportExportTests {
    private let folder: TemporaryFolder
    private let database: [String]

    init() throws {
        folder = try TemporaryFolder()
        database = ["--database", folder.path("lists.db")]
    }

    private func run(_ words: String...) throws -> (code: Int32?, output: String, lines: [String]) {
        let run = try RosterProcess.run(words + database)
        guard case .exit(let code) = run.ending else { return (nil, run.output, run.lines) }
        return (code, run.output, run.lines)
    }

    @Test("what is exported is what was imported, in every format, and imports again")
    func roundTrip() throws {
        let csv = "id,name,age\r\n1,\"a, b\",3\r\n2,é,\r\n10,,7\r\n"
        let file = try folder.write(csv, to: "people.csv")
        let first = try run("import", file)
        #expect(first.code == 0)
        #expect(first.lines == ["roster: people: imported 3 rows from \(file)"])
        #expect(try run("export", "people").output == csv)
        let lines = try run("export", "people", "--format", "ndjson").output
        #expect(lines.hasPrefix(#"{"id":1,"name":"a, b","age":3}"# + "\n"))
        let json = try run("export", "people", "--format=json").output
        let rows = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        #expect(rows?.count == 3)
        let again = try folder.write(json, to: "again.json")
        #expect(try run("import", again, "--list", "copies").code == 0)
        #expect(try run("export", "copies").output == csv)
        let current = try run("import", file)
        #expect(current.lines == ["roster: people: is what \(file) holds already"])
    }

    @Test("some rows, in an order of their own, are asked for as in an address")
    func question() throws {
        let csv = "id,name,age\n1,a,3\n2,b,40\n3,c,30\n4,d,\n"
        #expect(try run("import", try folder.write(csv, to: "people.csv")).code == 0)
        let some = try run("export", "people?age__gte=30&sort=-name&columns=name")
        #expect(some.output == "name\r\nc\r\nb\r\n")
        #expect(try run("export", "people?q=d", "--format", "ndjson").output.contains(#""id":4,"#))
        let refused = try run("export", "people?agee=3&name__gtt=2&limit=4")
        #expect(refused.code == 64)
        #expect(refused.lines.count == 3)
        #expect(refused.lines.first?.hasPrefix("roster: agee: ") == true)
        #expect(try run("export", "people?age=%zz").code == 64)
    }

    @Test(
        "a value in another spelling does not change how the others are written",
        arguments: [
            ("2024-01-04", "2024-1-5", "2024-01-05"), ("true", "FALSE", "false"),
            ("04.13.2024", "5.6.2024", "05.06.2024"),
        ]
    )
    func rareSpelling(usual: String, rare: String, exported: String) throws {
        let rows = (1...30).map { "\($0),\(usual)\r\n" }
        let file = try folder.write("id,v\r\n" + rows.joined() + "31,\(rare)\r\n", to: "a.csv")
        let note =
            "roster: a: v: CSV exports spell 1 values otherwise, as '\(exported)' for '\(rare)'"
        #expect(try run("import", file).lines.contains(note))
        #expect(try run("export", "a").output == "id,v\r\n" + rows.joined() + "31,\(exported)\r\n")
    }

    @Test("digits after a blank are codes, too")
    func paddedCodes() throws {
        let csv = "id, zip, phone\r\n1, 01067, +4930123456\r\n2, 01069,\r\n"
        #expect(try run("import", try folder.write(csv, to: "codes.csv")).code == 0)
        #expect(try run("export", "codes").output == csv)
    }

    @Test(
        "a given order of dates reads those that it fits",
        arguments: [[], ["--types", "d=date"]]
    )
    func givenOrder(types: [String]) throws {
        let rows = (1...40).map { "\($0),\(10 + $0 % 3).03.2024\n" }
        let file = try folder.write("id,d\n" + rows.joined() + "41,02.13.2024\n", to: "a.csv")
        let arguments = ["import", file, "--dates", "dmy"] + types + database
        let lines = try RosterProcess.run(arguments).lines
        #expect(lines.contains("roster: a: d: 1 of 41 values are not dates: '02.13.2024' (1)"))
        let found = try run("export", "a?d=2024-03-12&columns=d").output
        #expect(found.hasPrefix("d\r\n12.03.2024\r\n"))
    }

    @Test("blanks around integers are no part of the ids")
    func paddedIDs() throws {
        let file = try folder.write("name,id\nAda, 5\nBo,12\n", to: "people.csv")
        #expect(
            try run("import", file).lines == [
                "roster: people: id: CSV exports spell 1 values otherwise, as '5' for ' 5'",
                "roster: people: imported 2 rows from \(file)",
            ]
        )
        #expect(
            try run("export", "people?id__gt=4&sort=id").output == "name,id\r\nAda,5\r\nBo,12\r\n"
        )
        let twice = try folder.write("id,name\n 5,Ada\n5,Bo\n", to: "twice.csv")
        #expect(
            try run("import", twice, "--on-duplicate", "error").lines.first
                == "roster: \(twice):3:1: id '5' stands at 2:1 already"
        )
    }

    @Test(
        "a given spelling that no value has is told",
        arguments: [
            (
                "--dates", "dmy", "03/14/2024",
                "1 of 1 values are dates in the order month, day, year, as '03/14/2024'"
            ),
            (
                "--thousands", "point", "\"1,234,567\"",
                "1 of 1 values are numbers with thousands, as"
            ),
            (
                "--dates", "ymd", "03/04/2024",
                "the order of day and month is open, as in '03/04/2024'; --dates dmy"
            ),
        ]
    )
    func excluded(option: String, value: String, text: String, note: String) throws {
        let file = try folder.write("id,x\n1,\(text)\n", to: "values.csv")
        let line = try run("import", file, option, value).lines.first ?? ""
        #expect(line.hasPrefix("roster: values: x: \(note)"), "\(line)")
        let isOpen = note.contains("open")
        #expect(
            line.hasSuffix("; the given --dates, --thousands or --decimal keeps texts") != isOpen
        )
    }

    @Test("an empty list is an empty table")
    func empty() throws {
        let file = try folder.write("id,name\n", to: "none.csv")
        #expect(try run("import", file).code == 0)
        #expect(try run("export", "none").output == "id,name\r\n")
        #expect(try run("export", "none", "--format", "json").output == "[]\n")
        #expect(try run("export", "none", "--format", "ndjson").output == "")
    }

    @Test(
        "an id that comes twice is an error, left out, or put in place of the first",
        arguments: [
            ("error", nil), ("keep-first", "id,name\r\n1,a\r\n2,b\r\n"),
            ("replace", "id,name\r\n1,c\r\n2,b\r\n"),
        ] as [(String, String?)]
    )
    func duplicates(choice: String, table: String?) throws {
        let file = try folder.write("id,name\n1,a\n2,b\n1,c\n1,c\n", to: "people.csv")
        let imported = try run("import", file, "--on-duplicate", choice)
        guard let table else {
            #expect(imported.code == 65)
            #expect(
                imported.lines == [
                    "roster: \(file):4:1: id '1' stands at 2:1 already",
                    "roster: \(file):5:1: id '1' stands at 2:1 already",
                    "roster: \(file): --key names another column",
                ]
            )
            return
        }
        #expect(imported.lines == ["roster: people: imported 2 rows from \(file)"])
        #expect(try run("export", "people").output == table)
    }

    @Test("everything that is wrong with a file is told: the first of it here, all of it in a file")
    func allErrors() throws {
        let bad = (1...30).map { "\($0),x,y,z\n" }.joined()
        let file = try folder.write("id,name\n0,a\n" + bad + "31,b\n", to: "people.csv")
        let errors = folder.path("errors.txt")
        let imported = try run("import", file, "--errors", errors)
        #expect(imported.code == 65)
        #expect(imported.lines.count == 22)
        let text = "2 values are expected, as in the header, and 4 found"
        #expect(imported.lines.first == "roster: \(file):3:5: \(text)")
        #expect(imported.lines[20] == "roster: \(file): 10 more errors; all are in \(errors)")
        let all = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n")
        #expect(all.count == 30)
        #expect(all.last == "\(file):32:6: \(text)")
        #expect(try run("export", "people").code == 66)
        let lines = try folder.write(
            "{\"id\":1}\n{\"id\":}\n{\"id\":3\n{\"id\":4,\"id\":5}\n{\"id\":6}\n",
            to: "lines.ndjson"
        )
        let locations = try run("import", lines).lines.map { $0.split(separator: ":")[2] }
        #expect(locations == ["2", "3", "4"])
    }

    @Test("a list that has been written to is not replaced")
    func written() throws {
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        let server = try RosterProcess(serving: [file] + database + ["--allow-anonymous-writes"])
        let client = try server.connect()
        try client.send("DELETE /people/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.receiveResponse(to: "DELETE").status == 204)
        try server.stop()
        try folder.write("id,name\n1,a\n2,b\n", to: "people.csv")
        let imported = try run("import", file)
        #expect(imported.code == 73)
        #expect(imported.lines.first?.contains("have been written to") == true)
        let again = try RosterProcess(serving: [file] + database)
        #expect(again.lines.contains { $0.contains("is not imported again") })
        #expect(try again.page("/people").ids == [])
        try again.stop()
    }

    @Test("a database with the name of a table is not taken for one, and that is said")
    func disguised() throws {
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        #expect(try run("import", file).code == 0)
        let disguised = folder.path("shop.csv")
        try FileManager.default.copyItem(atPath: database[1], toPath: disguised)
        let refused = try run("import", disguised)
        #expect(refused.code == 64)
        let text = "'\(disguised)' is opened and not imported; name it as a source"
        #expect(refused.lines.first?.contains(text) == true)
    }

    @Test("an import that is asked to stop leaves nothing", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let text = String(repeating: "x", count: 700)
        let lines = (1...20_000).map { "\($0),\(text)\n" }
        let file = try folder.write("id,name\n" + lines.joined(), to: "large.csv")
        let process = try RosterProcess(["import", file] + database)
        let deadline = ContinuousClock.now + .seconds(60)
        while folder.size(of: "lists.db-wal") < 500_000, ContinuousClock.now < deadline {
            sched_yield()
        }
        process.send(signal)
        let ending = try process.waitForEnding()
        #expect(ending.ending == .exit(74))
        #expect(ending.lines == ["roster: interrupted; nothing was imported"])
        #expect(try run("export", "large").code == 66)
    }

    @Test(
        "what is not understood is said in one line",
        arguments: [
            (["import"], 64, "SOURCE is missing; see roster --help"),
            (["import", "a.csv", "b.csv"], 64, "'b.csv' is one too many; see roster --help"),
            (
                ["import", "a.db"], 64,
                "'a.db' is opened and not imported; name it as a source: roster a.db"
            ),
            (
                ["import", "a.csv", "--lits", "x"], 64,
                "no option --lits; did you mean --list?; see roster --help"
            ),
            (
                ["import", "a.csv", "--on-duplicate", "no"], 64,
                "--on-duplicate: 'no' is not number, error, keep-first or replace"
            ),
            (
                ["export", "x", "--format", "xml"], 64,
                "--format: 'xml' is not csv, json, ndjson or xlsx"
            ),
        ] as [([String], Int32, String)]
    )
    func refused(words: [String], code: Int32, text: String) throws {
        let run = try RosterProcess.run(words + database)
        #expect(run.ending == .exit(code))
        #expect(run.lines == ["roster: \(text)"])
    }

    @Test(
        "sections that no column makes are refused before a file is written",
        arguments: [true, false]
    )
    func unknownSections(namesList: Bool) throws {
        let file = try folder.write("id,name,age\n1,a,3\n", to: "people.csv")
        let text = "--group-by: no list makes sections of 'town'; people has id, name, age"
        let refused = try run(file, "--group-by", namesList ? "people=town" : "town")
        #expect(refused.code == 64)
        #expect(refused.lines == ["roster: \(text)"])
        #expect(try run("export", "people").code != 0)
        // A file that comes later may have the column.
        let other = try folder.write("id,town\n1,Oslo\n", to: "places.csv")
        let explained = try run(file, other, "--group-by", "town", "--explain")
        #expect(explained.code == 0, "\(explained.lines)")
    }

    @Test("a list that gets other columns while it is served says so until it is served anew")
    func otherColumns() throws {
        let file = try folder.write("id,name\n1,a\n", to: "people.csv")
        #expect(try run("import", file).code == 0)
        let server = try RosterProcess(serving: database)
        #expect(try server.get("/people.json").status == 200)
        // The same columns need nothing.
        _ = try folder.write("id,name\n1,a\n2,b\n", to: "people.csv")
        let same = try run("import", file)
        #expect(same.lines == ["roster: people: imported 2 rows from \(file)"])
        #expect(try server.get("/people.json").text.contains(#""name":"b""#))
        _ = try folder.write("id,name,city\n1,a,Oslo\n", to: "people.csv")
        let changed = try run("import", file)
        #expect(changed.code == 0)
        #expect(
            changed.lines.first
                == "roster: people: it has other columns than before; a server that has it open shows "
                + "it again after a restart"
        )
        for target in ["/people.json", "/people/1.json", "/people.csv"] {
            let answer = try server.get(target)
            #expect(answer.status == 503)
            #expect(
                answer.text.contains("columns of the list have changed since"),
                "\(answer.text)"
            )
        }
        try server.stop()
        let again = try RosterProcess(serving: database)
        #expect(try again.get("/people.json").text.contains("Oslo"))
    }

    @Test("both commands need a database", arguments: [["import", "a.csv"], ["export", "a"]])
    func noDatabase(words: [String]) throws {
        let run = try RosterProcess.run(words)
        #expect(run.ending == .exit(64))
        #expect(run.lines == ["roster: --database is needed; see roster --help"])
    }
}
