import HTTP
import ListAPITestSupport
import Listings
import Testing

@testable import ListAPI

@Suite("Many rows are written at once")
struct BulkWriteTests {
    private static func user(_ id: String?, _ name: String) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        return #"{\#(id)"firstName":"\#(name)","lastName":"B","occupation":"C"}"#
    }

    @Test("all of them, with one result each", arguments: Way.allCases)
    func all(way: Way) throws {
        let client = try Client(writing: way)
        let rows = "[\(Self.user(nil, "A")),\(Self.user("70", "B"))]"
        let answer = try client.send(.post, "/users/-/rows", rows)
        #expect(answer.status == 200)
        let results = try answer.json()["results"]?.elements ?? []
        #expect(results.map { $0["id"]?.text } == ["61", "70"])
        #expect(results.map { $0["status"]?.integer } == [201, 201])
        #expect(results.map { $0["links", "self"]?.text } == ["/users/61", "/users/70"])
        #expect(try results.last?["etag"]?.text == client.tag("/users/70"))
        #expect(try client.cells("/users/70")?["firstName"]?.text == "B")
    }

    @Test("or none of them, with everything that is wrong")
    func none() throws {
        let client = try Client(writing: .throughServer)
        let rows = #"[\#(Self.user(nil, "A")),{"firstName":"","age":"x"},7]"#
        let answer = try client.send(.post, "/users/-/rows", rows)
        #expect(answer.status == 422)
        #expect(
            try answer.faults() == [
                "/1/firstName missing-value", "/1/lastName missing-value",
                "/1/occupation missing-value", "/1/age wrong-type", "/2 malformed-value",
            ]
        )
        let taken = "[\(Self.user("80", "A")),\(Self.user("1", "B"))]"
        let conflict = try client.send(.post, "/users/-/rows", taken)
        #expect(conflict.status == 409)
        #expect(try conflict.faults() == ["/1/id existing-row"])
        #expect(try client.get("/users?limit=1").json()["total", "value"]?.integer == 60)
    }

    @Test("without content for who wants none; where there is no list there are no rows")
    func minimal() throws {
        let client = try Client(writing: .inMemory)
        let prefer: [(FieldName, String)] = [(.prefer, "return=minimal")]
        let rows = "[\(Self.user(nil, "A"))]"
        let answer = try client.send(.post, "/users/-/rows", rows, fields: prefer)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(answer.field("Preference-Applied") == "return=minimal")
        #expect(try client.cells("/users/61")?["firstName"]?.text == "A")
        #expect(try client.send(.post, "/none/-/rows", rows).status == 404)
    }

    @Test("also as a line each")
    func lines() throws {
        let client = try Client(writing: .throughServer)
        func post(_ lines: String) throws -> Answer {
            try client.send(
                .post,
                "/users/-/rows",
                lines,
                fields: [(.contentType, "application/x-ndjson")]
            )
        }
        let answer = try post(Self.user("70", "A") + "\n" + Self.user("71", "B") + "\n")
        #expect(answer.status == 200)
        #expect(
            try answer.json()["results"]?.elements.map { $0["id"]?.text } == ["70", "71"]
        )
        let faulty = try post(Self.user("72", "A") + "\n{\"firstName\":1}")
        #expect(faulty.status == 422)
        #expect(try faulty.faults().contains("/1/firstName wrong-type"))
        let cut = try post("{}\n\n{}")
        #expect(cut.status == 400)
        #expect(try cut.json()["detail"]?.text?.contains("at byte 3: it ends too early") == true)
        #expect(try client.get("/users/72").status == 404)
    }

    @Test("or as many as can be, for who is lenient")
    func lenient() throws {
        let client = try Client(writing: .throughServer)
        let rows = #"[\#(Self.user("80", "A")),{"firstName":""},\#(Self.user("1", "B"))]"#
        let answer = try client.send(
            .post,
            "/users/-/rows",
            rows,
            fields: [(.prefer, "handling=lenient")]
        )
        #expect(answer.status == 200)
        #expect(answer.field("Preference-Applied") == "handling=lenient")
        let json = try answer.json()
        #expect(json["written"]?.integer == 1)
        #expect(json["refused"]?.integer == 2)
        #expect(json["results"]?.elements.map { $0["status"]?.integer } == [201, 422, 409])
        let second = json["results"]?.elements[1]["errors"]?.elements.first
        #expect(second?["pointer"]?.text == "/1/firstName")
        #expect(try client.get("/users/80").status == 200)
    }

    @Test(
        "a row whose id is there is an error, kept, replaced or merged",
        arguments: [
            ("error", 409, "Lagos"), ("keep-first", 200, "Lagos"), ("replace", 200, nil),
            ("merge", 200, "Lagos"),
        ] as [(String, Int, String?)]
    )
    func duplicates(choice: String, status: Int, city: String?) throws {
        let client = try Client(writing: .throughServer)
        let rows = "[\(Self.user("1", "Z"))]"
        let answer = try client.send(.post, "/users/-/rows?on_duplicate=\(choice)", rows)
        #expect(answer.status == status)
        let cells = try client.cells("/users/1")
        #expect(cells?["city"]?.text == city)
        let isKept = choice == "error" || choice == "keep-first"
        #expect(cells?["firstName"]?.text == (isKept ? "Grace" : "Z"))
    }

    @Test("a merge sets the columns given, and only a new row needs all required ones")
    func partialMerge() throws {
        let client = try Client(writing: .throughServer)
        let target = "/users/-/rows?on_duplicate=merge"
        #expect(try client.send(.post, target, #"[{"id":"1","city":"Rome"}]"#).status == 200)
        let cells = try client.cells("/users/1")
        #expect(cells?["city"]?.text == "Rome" && cells?["firstName"]?.text == "Grace")
        let new = try client.send(.post, target, #"[{"id":"99","city":"Rome"}]"#)
        #expect(new.status == 422)
        #expect(try new.faults().first == "/0/firstName missing-value")
    }

    @Test(
        "a row without an id is found by its value in a column",
        arguments: [("merge", "Ruth"), ("replace", "R"), ("keep-first", "Ruth")]
    )
    func matching(choice: String, name: String) throws {
        let client = try Client(writing: .throughServer)
        let email = "ruth.abernathy@example.com"
        let known =
            choice == "merge"
            ? #"{"email":"\#(email)","city":"Rome"}"#
            : #"{"email":"\#(email)","firstName":"R","lastName":"A","occupation":"Writer"}"#
        let new = #"{"email":"n@example.com","firstName":"N","lastName":"N","occupation":"Writer"}"#
        let target = "/users/-/rows?on_duplicate=\(choice)&on=email"
        // Both rows are there when they are sent once more.
        for statuses in [[200, 201], [200, 200]] {
            let answer = try client.send(.post, target, "[\(known),\(new)]")
            #expect(answer.status == 200, "\(answer.body)")
            let found = try answer.json()["results"]?.elements.map { $0["status"]?.integer }
            #expect(found == statuses)
        }
        let rows = try client.get("/users?email=\(email)&shape=array").json().elements
        #expect(rows.count == 1 && rows.first?["id"]?.text == "51")
        #expect(rows.first?["firstName"]?.text == name)
        #expect((rows.first?["city"]?.text == "Rome") == (choice == "merge"))
    }

    @Test(
        "a column that finds no row by itself is refused",
        arguments: [
            ("on_duplicate=merge&on=occupation", #"[{"occupation":"Writer"}]"#, 409, "occupation"),
            ("on_duplicate=merge&on=email", #"[{"city":"Rome"}]"#, 422, "/0/email missing-value"),
            ("on=email", "[]", 400, "on_duplicate missing-parameter"),
            ("on_duplicate=merge&on=mail", "[]", 400, "on unknown-column"),
            ("on_duplicate=merge&on=email,email", "[]", 400, "on repeated-column"),
        ]
    )
    func unmatched(query: String, body: String, status: Int, fault: String) throws {
        let answer = try Client(writing: .throughServer).send(.post, "/users/-/rows?\(query)", body)
        #expect(answer.status == status, "\(answer.body)")
        #expect(try answer.faults().first?.contains(fault) ?? false, "\(answer.body)")
    }

    @Test(
        "what is no array of rows is refused",
        arguments: [
            ("/users/-/rows", "{}", "/ malformed-value"),
            ("/users/-/rows?on_duplicate=no", "[]", "on_duplicate unknown-option"),
            ("/users/-/rows?limit=1", "[]", "limit unknown-parameter"),
            (
                "/users/-/rows", "[" + String(repeating: "{},", count: 1000) + "{}]",
                "/ too-many-rows"
            ),
        ]
    )
    func malformed(target: String, body: String, fault: String) throws {
        let answer = try Client(writing: .throughServer).send(.post, target, body)
        #expect(answer.status == 400)
        #expect(try answer.faults().map { $0.hasPrefix(" ") ? "/" + $0 : $0 } == [fault])
    }
}

@Suite("A request with a key is performed once")
struct IdempotencyTests {
    private static let ada = #"{"firstName":"Ada","lastName":"Byron","occupation":"Engineer"}"#

    private func post(_ client: Client, _ json: String, _ key: String) throws -> Answer {
        try client.send(.post, "/users", json, fields: [(.idempotencyKey, key)])
    }

    @Test("the same again is answered as the first time; another under its key is refused")
    func repeated() throws {
        let client = try Client(writing: .throughServer)
        let first = try post(client, Self.ada, "\"k-1\"")
        #expect(first.status == 201)
        #expect(try client.send(.patch, "/users/61", #"{"city":"later"}"#).status == 200)
        let second = try post(client, Self.ada, "k-1")
        #expect(second.status == 201)
        #expect(second.body == first.body)
        #expect(second.field("ETag") == first.field("ETag"))
        #expect(second.field("Location") == first.field("Location"))
        #expect(second.field("Idempotent-Replayed") == "true")
        let other = try post(client, Self.ada.replacing("Ada", with: "Eve"), "k-1")
        #expect(other.status == 422)
        #expect(try other.json()["type"]?.text == "/-/problems/reused-key")
        #expect(try post(client, Self.ada, "k-2").field("Location") == "/users/62")
    }

    @Test("what was done is answered as it was then, also where its row has gone since")
    func repeatedWithoutRow() throws {
        let client = try Client(writing: .throughServer)
        func send(_ method: HTTPMethod, _ json: String, _ key: String) throws -> Answer {
            try client.send(method, "/users/7", json, fields: [(.idempotencyKey, key)])
        }
        let changed = try send(.patch, #"{"city":"Bern"}"#, "k-1")
        #expect(changed.status == 200)
        #expect(try send(.delete, "", "k-2").status == 204)
        let again = try send(.delete, "", "k-2")
        #expect(again.status == 204)
        #expect(again.field("Idempotent-Replayed") == "true")
        #expect(try send(.patch, #"{"city":"Bern"}"#, "k-1").body == changed.body)
        for (method, json) in [
            (HTTPMethod.delete, ""), (.patch, #"{"city":"Bonn"}"#), (.patch, #"{"age":"old"}"#),
        ] {
            let absent = try send(method, json, "k-\(method)\(json.count)")
            #expect(absent.status == 404)
            #expect(try absent.json()["type"]?.text == "/-/problems/not-found")
        }
    }

    @Test("an answer is read as it was kept, and what is none is not")
    func kept() throws {
        var answer = IdempotentResponse(HTTPStatus(code: 201))
        answer.addField(.location, "/users/1?a:b")
        answer.body = [0, 0xFF, 0x0A]
        let again = try #require(IdempotentResponse(answer.bytes))
        #expect(again.bytes == answer.bytes)
        #expect(again.fields.first?.value == "/users/1?a:b")
        for text in ["", "\0", "x\n\0", "99\n\0", "600\n\0", "200\nLocation\n\0"] {
            #expect(IdempotentResponse(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(IdempotentResponse([0xFF, 0]) == nil)
    }

    @Test("what a person was answered is not answered to a program")
    func otherFormat() throws {
        let client = try Client(writing: .inMemory)
        let form = "firstName=Ada&lastName=Byron&occupation=Engineer"
        func post(accept: String) throws -> Answer {
            let type = "application/x-www-form-urlencoded"
            return try client.ask(
                .post,
                "/users",
                fields: [(.contentType, type), (.accept, accept), (.idempotencyKey, "k")],
                body: form
            )
        }
        #expect(try post(accept: "text/html").status == 303)
        #expect(try post(accept: "text/html").field("Idempotent-Replayed") == "true")
        let other = try post(accept: "application/json")
        #expect(other.status == 422)
        #expect(try other.json()["type"]?.text == "/-/problems/reused-key")
    }

    @Test(
        "a key that is none is refused",
        arguments: ["a b", "\"\"", "é", String(repeating: "k", count: 256)]
    )
    func malformed(key: String) throws {
        let answer = try post(Client(writing: .inMemory), Self.ada, key)
        #expect(answer.status == 400)
        #expect(try answer.faults() == ["Idempotency-Key malformed-value"])
    }
}
