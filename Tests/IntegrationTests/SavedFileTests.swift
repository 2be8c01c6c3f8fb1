import Foundation
import TestSupport
import Testing

/// A file, and what its lines are after an edit of the name of row 2.
struct SavedFile: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// The line of row 2 when its name is `Béla, "x"`.
    let edited: String
    var arguments: [String] = []
    var encoding = String.Encoding.utf8
    /// Whether a new row has the line after that of row 2.
    var inserted = ""

    var testDescription: String { name }
    var list: String { String(name.prefix { $0 != "." }) }
    var bytes: [UInt8] { Array(text.data(using: encoding) ?? Data()) }

    static let all = [
        SavedFile(
            name: "comma.csv",
            text: "id,name,n\n1,Ada,1\n2,\"Bo, B\",2\n3,Cy,\n",
            edited: "2,\"Béla, \"\"x\"\"\",2",
            inserted: "4,New,"
        ),
        SavedFile(
            name: "semicolon.csv",
            text: "id;name;price\n1;Ada;1,5\n2;Bo;2,25\n3;Cy;\n",
            edited: "2;\"Béla, \"\"x\"\"\";2,25",
            inserted: "4;New;"
        ),
        SavedFile(
            name: "tab.tsv",
            text: "id\tname\n1\tAda\n2\tBo\n3\tCy\n",
            edited: "2\tBéla, \"x\"",
            inserted: "4\tNew"
        ),
        SavedFile(
            name: "padded.csv",
            text: "id,name\n 1,Ada\n 2,Bo\n 3,Cy\n",
            edited: " 2,\"Béla, \"\"x\"\"\"",
            inserted: "4,New"
        ),
        SavedFile(
            name: "quoted.csv",
            text: "\"id\",\"name\"\n\"1\",\"Ada\"\n\"2\",\"Bo\"\n\"3\",\"Cy\"\n",
            edited: "\"2\",\"Béla, \"\"x\"\"\"",
            inserted: "\"4\",\"New\""
        ),
        SavedFile(
            name: "marked.csv",
            text: "\u{FEFF}id,name\r\n1,Ada\r\n2,Bo\r\n3,Cy\r\n",
            edited: "2,\"Béla, \"\"x\"\"\"\r",
            inserted: "4,New\r"
        ),
        SavedFile(
            name: "utf16.csv",
            text: "\u{FEFF}id,name\r\n1,Äda\r\n2,Bo\r\n3,Cy",
            edited: "2,\"Béla, \"\"x\"\"\"\r",
            encoding: .utf16LittleEndian,
            inserted: "4,New"
        ),
        SavedFile(
            name: "latin.csv",
            text: "id,name\n1,Jürgen\n2,Bo\n3,Cy\n",
            edited: "2,\"Béla, \"\"x\"\"\"",
            encoding: .windowsCP1252,
            inserted: "4,New"
        ),
        SavedFile(
            name: "report.csv",
            text: "Report\nof 2024\nid,name,n\n1,Ada,1\n2,Bo,2\n3,Cy,3\nTotal,,6\n",
            edited: "2,\"Béla, \"\"x\"\"\",2",
            arguments: ["--skip-lines", "2", "--footer-lines", "1"],
            inserted: "4,New,"
        ),
        SavedFile(
            name: "comments.csv",
            text: "# People, 2024\n#\nid,name\n# x\n1,Ada\n2,Bo\n# y\n3,Cy\n",
            edited: "2,\"Béla, \"\"x\"\"\"",
            inserted: "4,New"
        ),
        SavedFile(
            name: "blanks.csv",
            text: "id, \"name\"\n1, \"Ada\"\n2, \"Bo\"\n3, \"Cy\"\n",
            edited: "2, \"Béla, \"\"x\"\"\"",
            inserted: "4,\"New\""
        ),
        SavedFile(
            name: "numbered.ndjson",
            text: #"{"id":"1","name":"Ada"}"# + "\n" + #"{"id":"2","name":"Bo"}"# + "\n"
                + #"{"id":"3","name":"Cy"}"# + "\n",
            edited: #"{"id":"2","name":"Béla, \"x\""}"#,
            inserted: #"{"id":"4","name":"New"}"#
        ),
        SavedFile(
            name: "nan.json",
            text: """
                [
                  {"id": 1, "name": "Ada", "n": NaN},
                  {"id": 2, "name": "Bo", "n": -Infinity, "at": [NaN]},
                  {"id": 3, "name": "Cy", "n": 1}
                ]

                """,
            edited: #"  {"id": 2, "name": "Béla, \"x\"", "n": -Infinity, "at": [NaN]},"#,
            inserted: #"  {"id": 4, "name": "New", "n": null}"#
        ),
        SavedFile(
            name: "array.json",
            text: """
                [
                  {"id": 1, "name": "Ada", "at": {"city": "Rome"}},
                  {"id": 2, "name": "Bo", "at": {"city": "Bern"}},
                  {"id": 3, "name": "Cy", "at": {"city": "Bonn"}}
                ]

                """,
            edited: #"  {"id": 2, "name": "Béla, \"x\"", "at": {"city": "Bern"}},"#,
            inserted: #"  {"id": 4, "name": "New", "at": {"city": null}}"#
        ),
        SavedFile(
            name: "object.json",
            text: """
                {
                \t"total": 3,
                \t"people": [
                \t\t{ "name":"Ada", "id":1 },
                \t\t{ "name":"Bo", "id":2 },
                \t\t{ "name":"Cy", "id":3 }
                \t]
                }
                """,
            edited: "\t\t{ \"name\":\"Béla, \\\"x\\\"\", \"id\":2 },",
            inserted: "\t\t{ \"name\":\"New\", \"id\":4 }"
        ),
        SavedFile(
            name: "arrays.json",
            text: """
                [["id", "name"],
                 [1, "Ada"],
                 [2, "Bo"],
                 [3, "Cy"]]

                """,
            edited: #" [2, "Béla, \"x\""],"#,
            inserted: #" [4, "New"]]"#
        ),
        SavedFile(
            name: "lines.ndjson",
            text: """
                {"id":1,"name":"Ada"}
                {"id":2,"name":"Bo"}
                {"id":3,"name":"Cy"}

                """,
            edited: #"{"id":2,"name":"Béla, \"x\""}"#,
            inserted: #"{"id":4,"name":"New"}"#
        ),
    ]
}

@Suite("Edits of a file are written back to it")
struct SavedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ file: SavedFile) throws -> RosterProcess {
        try RosterProcess(
            serving: [folder.path(file.name), "--allow-anonymous-writes"] + file.arguments
        )
    }

    private func lines(_ file: SavedFile) throws -> [String] {
        let bytes = try Data(contentsOf: URL(filePath: folder.path(file.name)))
        let text = try #require(String(data: bytes, encoding: file.encoding))
        return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    private func row(_ number: Int, in lines: [String]) throws -> Int {
        let names = ["", "Ada|Äda|Jürgen", "Bo|Béla", "Cy"][number].split(separator: "|")
        return try #require(lines.firstIndex { line in names.contains { line.contains($0) } })
    }

    @Test(
        "an edit changes one line, and taking it back gives the same bytes",
        arguments: SavedFile.all
    )
    func edit(file: SavedFile) throws {
        try folder.write(file.bytes, to: file.name)
        let before = try lines(file)
        let server = try serve(file)
        let edit = try server.send(["name": #"Béla, "x""#], "PATCH", "/\(file.list)/2")
        #expect(edit.status == 200, "\(edit.text)")
        var expected = before
        expected[try row(2, in: before)] = file.edited
        #expect(try lines(file) == expected)
        #expect(try server.get("/\(file.list)/2").text.contains("Béla"))
        let old = file.name == "comma.csv" ? "Bo, B" : "Bo"
        #expect(try server.send(["name": old], "PATCH", "/\(file.list)/2").status == 200)
        let areQuoted = ["comma.csv", "quoted.csv", "blanks.csv"].contains(file.name)
        if areQuoted || !file.name.hasSuffix(".csv") {
            #expect(try lines(file) == before)
        } else {
            expected[try row(2, in: before)] = before[try row(2, in: before)]
                .replacingOccurrences(of: "Bo", with: "\"Bo\"")
            #expect(try lines(file) == expected, "a field that was quoted stays quoted")
        }
        try server.stop()
    }

    @Test(
        "new rows follow the last, deleted ones leave, and the next start has the same rows",
        arguments: SavedFile.all
    )
    func insertAndDelete(file: SavedFile) throws {
        try folder.write(file.bytes, to: file.name)
        var expected = try lines(file)
        let server = try serve(file)
        let made = try server.send(["name": "New"], "POST", "/\(file.list)")
        #expect(made.status == 201 && made.field("Location") == "/\(file.list)/4")
        let last = try row(3, in: expected)
        if file.name.hasSuffix(".json") {
            expected[last] =
                file.name == "arrays.json"
                ? String(expected[last].dropLast()) + "," : expected[last] + ","
        } else if file.name == "utf16.csv" {
            expected[last] += "\r"
        }
        expected.insert(file.inserted, at: last + 1)
        #expect(try lines(file) == expected)
        #expect(try server.send(nil, "DELETE", "/\(file.list)/1").status == 204)
        expected.remove(at: try row(1, in: expected))
        #expect(try lines(file) == expected)
        let shown = try server.get("/\(file.list).csv").text
        try server.stop()
        let again = try serve(file)
        #expect(try again.get("/\(file.list).csv").text == shown)
        try again.stop()
    }

    @Test("conditions, upserts, bulk writes and imports hold", arguments: SavedFile.all)
    func manyRows(file: SavedFile) throws {
        try folder.write(file.bytes, to: file.name)
        let before = try lines(file)
        let server = try serve(file)
        let tag = try #require(try server.get("/\(file.list)/2").field("ETag"))
        let stale = "If-Match: \"2-1\"\r\n"
        let row = "/\(file.list)/2"
        #expect(try server.send(["name": "X"], "PATCH", row, fields: stale).status == 412)
        #expect(try lines(file) == before)
        let fresh = "If-Match: \(tag)\r\n"
        #expect(try server.send(["name": "X"], "PATCH", row, fields: fresh).status == 200)
        #expect(try server.send(["name": "Nine"], "PUT", "/\(file.list)/9").status == 201)
        #expect(try server.send(["name": "Ten"], "PUT", "/\(file.list)/9").status == 200)
        let bulk = #"[{"name":"B1"},{"name":"B2"}]"#
        #expect(try server.send(text: bulk, "POST", "/\(file.list)/-/rows").status == 200)
        let table = "id,name\n2,Imported\n20,Also\n"
        let imported = try server.send(
            text: table,
            "POST",
            "/\(file.list)/-/import?on_duplicate=merge",
            type: "text/csv"
        )
        let progress = try #require(imported.field("Location"))
        var state = ""
        while !state.contains(#"state":"done"#), !state.contains(#"state":"failed"#) {
            state = try server.get(progress).text
        }
        #expect(state.contains(#"state":"done"#), "\(state)")
        let shown = try server.get("/\(file.list).csv").text
        for name in ["Ten", "B1", "B2", "Imported", "Also"] {
            #expect(shown.contains(name), "\(name)")
            #expect(try lines(file).contains { $0.contains(name) }, "\(name)")
        }
        try server.stop()
        let again = try serve(file)
        #expect(try again.get("/\(file.list).csv").text == shown)
        try again.stop()
    }

    @Test("many clients share the saving, and each row is there")
    func manyClients() throws {
        let rows = (1...200).map { "\($0),Name \($0)\n" }
        let path = try folder.write("id,name\n" + rows.joined(), to: "many.csv")
        let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
        let clients = try (0..<16).map { _ in try server.connect() }
        for (number, client) in clients.enumerated() {
            for write in 0..<8 {
                let body = #"{"name":"new \#(number) \#(write)"}"#
                try client.send(
                    "PATCH /many/\(12 * number + write + 1) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)"
                        + "\r\n\r\n\(body)"
                )
            }
        }
        for client in clients {
            for _ in 0..<8 { #expect(try client.receiveResponse(to: "PATCH").status == 200) }
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for number in 0..<16 {
            for write in 0..<8 {
                #expect(text.contains("\n\(12 * number + write + 1),new \(number) \(write)\n"))
            }
        }
        try server.stop()
    }

    @Test("numbered rows keep their numbers while the program runs")
    func numbered() throws {
        let path = try folder.write("name\nAda\nBo\nCy\n", to: "names.csv")
        let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
        #expect(try server.send(nil, "DELETE", "/names/2").status == 204)
        #expect(try server.send(["name": "Cyd"], "PATCH", "/names/3").status == 200)
        #expect(try server.send(["name": "Di"], "POST", "/names").field("Location") == "/names/4")
        #expect(try server.send(["name": "Dia"], "PATCH", "/names/4").status == 200)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "name\nAda\nCyd\nDia\n")
        let refused = try server.send(["name": "Ed"], "PUT", "/names/77")
        #expect(refused.status == 422 && refused.text.contains("numbers its rows"))
        try server.stop()
    }

    @Test("columns that a key names make the id")
    func keyed() throws {
        let path = try folder.write("a,b,n\nx,1,5\ny,2,6\n", to: "pairs.csv")
        let server = try RosterProcess(
            serving: [path, "--key", "pairs=a,b", "--allow-anonymous-writes"]
        )
        #expect(try server.send(["n": "7"], "PATCH", "/pairs/y,2").status == 422)
        let edit = try server.send(text: #"{"n":7}"#, "PATCH", "/pairs/y,2")
        #expect(edit.status == 200, "\(edit.text)")
        let made = try server.send(text: #"{"a":"z","b":3,"n":8}"#, "POST", "/pairs")
        #expect(made.status == 201 && made.field("Location") == "/pairs/z,3", "\(made.text)")
        #expect(try server.send(text: #"{"b":9}"#, "PATCH", "/pairs/x,1").status == 422)
        #expect(try server.send(text: #"{"n":9}"#, "POST", "/pairs").status == 422)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "a,b,n\nx,1,5\ny,2,7\nz,3,8\n")
        try server.stop()
    }

    @Test(
        "a value that the file cannot hold is refused, with its column",
        arguments: [
            ("a.tsv", "id\tname\n1\tAda\n", [], #"a\nb"#, "no quotation marks"),
            ("b.csv", "id,name\n1,Jürgen\n", ["--encoding", "latin1"], "Ж", "lacks a character"),
            ("c.csv", "id,name\n1,Ada\n2,NA\n", ["--missing", "NA"], "NA", "means no value"),
            ("d.csv", "id;name;n\n1;Ada;1,5\n2;Bo;2,5\n", [], "1,25", "would take this for"),
            ("e.csv", "id,name\n1,Ada\n2,Bo\n", [], "5", "would take this for a whole number"),
        ] as [(String, String, [String], String, String)]
    )
    func refusals(
        _ name: String,
        _ text: String,
        _ arguments: [String],
        _ value: String,
        _ reason: String
    ) throws {
        let encoding: String.Encoding = arguments.contains("latin1") ? .isoLatin1 : .utf8
        let bytes = Array(try #require(text.data(using: encoding)))
        let path = try folder.write(bytes, to: name)
        let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"] + arguments)
        let list = name.prefix(1)
        let refused = try server.send(text: #"{"name":"\#(value)"}"#, "PATCH", "/\(list)/1")
        #expect(refused.status == 422, "\(refused.text)")
        #expect(refused.text.contains("/name") && refused.text.contains(reason), "\(refused.text)")
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
        try server.stop()
    }

    @Test("a column keeps its type in the file, and an empty one gets that of its first value")
    func types() throws {
        let text = "id,name,note,code\n1,Ada,,a\n2,Bo,,7\n"
        let path = try folder.write(text, to: "people.csv")
        let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
        #expect(try server.send(["note": "7"], "PATCH", "/people/1").status == 200)
        #expect(try server.send(["note": "x"], "PATCH", "/people/2").status == 422)
        #expect(try server.send(text: #"{"code":8}"#, "PATCH", "/people/1").status == 200)
        #expect(try server.send(["name": "true"], "PATCH", "/people/1").status == 422)
        let saved = try String(contentsOfFile: path, encoding: .utf8)
        #expect(saved == "id,name,note,code\n1,Ada,7,8\n2,Bo,,7\n")
        let before = try server.get("/people.ndjson").text
        try server.stop()
        let again = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
        #expect(try again.get("/people.ndjson").text == before)
        #expect(try again.send(["note": "x"], "PATCH", "/people/2").status == 422)
        try again.stop()
    }

    @Test("a deleted row that is sent again stands where it was")
    func undo() throws {
        for (name, lines) in [
            ("a.csv", ["id,name", "1,Ada", "2,Bo", "3,Cy"]),
            ("b.csv", ["name", "Ada", "Bo", "Cy"]),
            ("c.ndjson", (1...3).map { #"{"id":\#($0),"name":"Ada"}"# }),
        ] {
            let text = lines.joined(separator: "\n") + "\n"
            let path = try folder.write(text, to: name)
            let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
            let list = "/\(name.prefix(1))"
            for id in ["2", "1", "3"] {
                let row = try server.get("\(list)/\(id)?columns=name").text
                let found = row.firstMatch(of: /"name":"(\w+)"/)
                #expect(try server.send(nil, "DELETE", "\(list)/\(id)").status == 204)
                let json = #"{"id":\#(id),"name":"\#(found?.1 ?? "")"}"#
                let made = try server.send(text: json, "POST", list)
                #expect(made.status == 201, "\(made.text)")
                #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "\(name) \(id)")
            }
            try server.stop()
        }
    }

    @Test("all rows are deleted, and later ones have their layout")
    func emptied() throws {
        for (name, start, row, end) in [
            ("a.json", "{\"n\":1,\"rows\":[\n  ", #"{"id": 1, "name": "Ada"}"#, "\n]}\n"),
            ("b.json", "[\n\t", #"{"id":1,"name":"Ada"}"#, "\n]\n"),
            ("c.csv", "Report\nof 2024\nid,name,n\n", "1,Ada,", "\n"),
            ("d.tsv", "id\tname\n", "1\tAda", "\n"),
        ] {
            let path = try folder.write(start + row + end, to: name)
            let server = try RosterProcess(serving: [path, "--allow-anonymous-writes"])
            let list = "/\(name.prefix(1))"
            #expect(try server.send(nil, "DELETE", "\(list)/1").status == 204, "\(name)")
            #expect(try server.page(list).ids.isEmpty)
            let made = try server.send(text: #"{"id":1,"name":"Ada"}"#, "POST", list)
            #expect(made.status == 201, "\(made.text)")
            let saved = try String(contentsOfFile: path, encoding: .utf8)
            #expect(saved == start + row + end, "\(name)")
            try server.stop()
        }
    }

    @Test("a row that would be read as a footer is refused")
    func footer() throws {
        let text = "id,name,n\n1,Ada,1\n2,Bo,2\n"
        let path = try folder.write(text, to: "people.csv")
        let server = try RosterProcess(
            serving: [path, "--types", "id=text", "--allow-anonymous-writes"]
        )
        let refused = try server.send(["id": "Total"], "POST", "/people")
        #expect(refused.status == 422 && refused.text.contains("read differently"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(try server.page("/people").ids == ["1", "2"])
        try server.stop()
    }
}

extension RosterProcess {
    func send(
        _ values: [String: String]?,
        _ method: String,
        _ target: String,
        fields: String = ""
    ) throws -> RawResponse {
        let body = try values.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        return try send(text: body ?? "", method, target, fields: fields)
    }

    func send(
        text: String,
        _ method: String,
        _ target: String,
        fields: String = "",
        type: String = "application/json"
    ) throws -> RawResponse {
        let client = try connect()
        let content =
            text.isEmpty
            ? "" : "Content-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n"
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\(content)\r\n\(text)"
        )
        return try client.receiveResponse(to: method)
    }
}
