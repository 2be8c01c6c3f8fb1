import HTTP
import ListAPITestSupport
import Listings
import Testing

@testable import ListAPI

@Suite("Files of rows are imported")
struct ImportTests {
    private static let csv = [(FieldName.contentType, "text/csv")]
    private static let header = "id,firstName,lastName,occupation,city\n"

    /// Asks how far an import is until it has ended.
    private func ending(_ client: Client, _ answer: Answer) throws -> JSON {
        #expect(answer.status == 202, "\(answer.body)")
        let location = try #require(answer.field("Location"))
        #expect(try answer.json()["links", "self"]?.text == location)
        while true {
            let progress = try client.get(location).json()
            if !["waiting", "checking", "writing"].contains(progress["state"]?.text ?? "") {
                return progress
            }
        }
    }

    private func post(
        _ client: Client,
        _ body: String,
        _ query: String = "",
        fields: [(FieldName, String)] = csv
    ) throws -> Answer {
        try client.ask(.post, "/users/-/import" + query, fields: fields, body: body)
    }

    private func counts(_ progress: JSON) -> [Int?] {
        ["read", "inserted", "replaced", "unchanged", "refused"].map {
            progress["rows", $0]?.integer
        }
    }

    @Test("all rows are written, and what became of them is told", arguments: Way.allCases)
    func all(way: Way) throws {
        let client = try Client(writing: way)
        let file = Self.header + "70,Ada,Byron,Engineer,\n,Bo,Li,Cook,Oslo\n"
        let progress = try ending(client, try post(client, file))
        #expect(progress["state"]?.text == "done")
        #expect(counts(progress) == [2, 2, 0, 0, 0])
        #expect(try client.cells("/users/70")?["firstName"]?.text == "Ada")
        #expect(try client.get("/users?limit=1").json()["total", "value"]?.integer == 62)
        // What is exported with the ids can be imported.
        let columns = "id,section,firstName,lastName,occupation,email,city,joined,age"
        let export = try client.get("/users.csv?id__in=35,20&columns=\(columns)").body
        let again = try ending(client, try post(client, export, "?on_duplicate=replace"))
        #expect(again["state"]?.text == "done", "\(again)")
        #expect(counts(again) == [2, 0, 0, 2, 0])
    }

    @Test("nothing is imported for who takes no answer to it")
    func unheard() throws {
        let client = try Client(writing: .inMemory)
        let fields = Self.csv + [(FieldName.accept, "image/png")]
        #expect(try post(client, Self.header + "70,A,B,C,\n", fields: fields).status == 406)
        // The next one does not wait for it.
        let progress = try ending(client, try post(client, Self.header + "71,A,B,C,\n"))
        #expect(progress["state"]?.text == "done")
        #expect(try client.get("/users/70").status == 404)
    }

    @Test(
        "rows that are there are treated as was asked for",
        arguments: [
            ("keep-first", [2, 1, 0, 1, 0], true), ("replace", [2, 1, 1, 0, 0], false),
            ("merge", [2, 1, 1, 0, 0], true),
        ] as [(String, [Int], Bool)]
    )
    func duplicates(word: String, expected: [Int], keepsCity: Bool) throws {
        let client = try Client(writing: .inMemory)
        let old = try #require(try client.cells("/users/1"))
        let lines = """
            {"id": 1, "firstName": "A", "lastName": "B", "occupation": "C"}
            {"id": 90, "firstName": "A", "lastName": "B", "occupation": "C", "age": 3}
            """
        let type = [(FieldName.contentType, "application/x-ndjson")]
        let answer = try post(client, lines, "?on_duplicate=\(word)", fields: type)
        let progress = try ending(client, answer)
        #expect(progress["state"]?.text == "done", "\(progress)")
        #expect(counts(progress) == expected)
        let row = try #require(try client.cells("/users/1"))
        #expect(row["firstName"]?.text == (word == "keep-first" ? old["firstName"]?.text : "A"))
        #expect(row["city"]?.text == (keepsCity ? old["city"]?.text : nil))
    }

    @Test("what is wrong is told with its place, and nothing is written", arguments: Way.allCases)
    func faults(way: Way) throws {
        let client = try Client(writing: way)
        func faults(_ file: String) throws -> [String] {
            let progress = try ending(client, try post(client, file))
            #expect(progress["state"]?.text == "failed")
            #expect(progress["rows", "inserted"]?.integer == 0)
            #expect(try client.get("/users?limit=1").json()["total", "value"]?.integer == 60)
            return (progress["faults"]?.elements ?? []).map { fault in
                let field = fault["field"]?.text ?? "-"
                let location = [fault["line"], fault["column"]].map { "\($0?.integer ?? 0)" }
                return "\(location.joined(separator: ":")) \(field) \(fault["code"]?.text ?? "")"
            }
        }
        #expect(
            try faults("id,firstName,lastName,ocupation,age\nx,A,B,C,1\n71,,B,C,y\n")
                == [
                    "1:23 ocupation unknown-column", "2:1 id wrong-type",
                    "2:1 occupation missing-value", "3:9 age wrong-type",
                    "3:4 firstName missing-value", "3:1 occupation missing-value",
                ]
        )
        #expect(try faults("") == ["1:1 - malformed-content"])
        #expect(
            try faults(Self.header + "70,A,B,C,\n1,A,B,C,\n") == ["3:1 id existing-row"]
        )
        let many = (100..<150).map { "\($0),,B,C,\n" }.joined()
        #expect(try faults(Self.header + many).count == 20)
    }

    @Test("a person sees a page that looks again, and ends an import that has ended by deleting it")
    func page() throws {
        let client = try Client(writing: .inMemory)
        let answer = try post(client, Self.header + "70,Ada,Byron,Engineer,\n")
        let location = try #require(answer.field("Location"))
        _ = try ending(client, answer)
        let page = try client.get(location, accept: "text/html")
        #expect(page.body.contains("<h1>Import into Users</h1>"))
        #expect(page.body.contains(">Done.</p>"))
        #expect(!page.body.contains("http-equiv"))
        #expect(try client.get(location + ".html").body == page.body)
        #expect(try client.get(location, accept: "text/csv").status == 406)
        #expect(try client.get(location + "?x=1").status == 400)
        #expect(try client.ask(.delete, location).status == 204)
        #expect(try client.get(location).status == 404)
    }

    @Test("what cannot be imported is refused before it is read")
    func refused() throws {
        let client = try Client(writing: .throughServer)
        let untyped = try post(client, "x", fields: [])
        #expect(untyped.status == 415)
        let readable =
            "text/csv, text/tab-separated-values, application/json, application/x-ndjson"
        #expect(untyped.field("Accept") == readable)
        #expect(try post(client, "x", fields: [(.contentType, "text/plain")]).status == 415)
        #expect(try post(client, "x", "?on_duplicate=maybe").status == 400)
        #expect(try post(client, "x", "?limit=1").status == 400)
        let foreign = Self.csv + [(FieldName("Sec-Fetch-Site"), "cross-site")]
        #expect(try post(client, "x", fields: foreign).status == 403)
        #expect(try client.get("/users/-/import/none").status == 404)
        let nowhere = try client.ask(.post, "/none/-/import", fields: Self.csv, body: Self.header)
        #expect(nowhere.status == 404)
        let strict = try Client(writing: .inMemory, requiresCondition: true)
        for choice in ["replace", "merge"] {
            #expect(try post(strict, Self.header, "?on_duplicate=\(choice)").status == 428)
        }
        let writes = try client.get("/users/-/schema").json()["writes", "links", "import"]
        #expect(writes?.text == "/users/-/import")
        let reader = try Client(samples: .inMemory)
        #expect(try post(reader, "x").status == 405)
        let stopping = try Client(writing: .inMemory, isDraining: { true })
        let late = try post(stopping, Self.header)
        #expect(late.status == 503 && late.field("Retry-After") != nil)
    }

    @Test("one import into a list goes on at a time")
    func alone() throws {
        let board = ImportQueue()
        let first = board.take("users")
        #expect(first != nil)
        #expect(board.take("users") == nil)
        #expect(board.take("people") != nil)
        withExtendedLifetime(first) {}
        var options = ServiceOptions()
        options.importFolder = "/none/such"
        let client = try Client(writing: .inMemory, options: options)
        let unkept = try post(client, Self.header)
        #expect(unkept.status == 507)
        // The list is free again.
        #expect(try post(client, Self.header).status == 507)
    }
}
