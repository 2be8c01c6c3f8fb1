import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import Testing

@Suite("A write says which state it means")
struct WriteConditionTests {
    private static let ada = #"{"firstName":"Ada","lastName":"Byron","occupation":"Engineer"}"#

    @Test(
        "the tag of a row lets one write pass, and the next one only with the next tag",
        arguments: ["/users/1", "/users/1.json"]
    )
    func chain(address: String) throws {
        let client = try Client(writing: .throughServer)
        var tag = try #require(try client.get(address).field("ETag"))
        for city in ["a", "b", "c"] {
            let answer = try client.send(
                .patch,
                "/users/1",
                #"{"city":"\#(city)"}"#,
                fields: [(.ifMatch, tag)]
            )
            #expect(answer.status == 200)
            #expect(answer.field("ETag") != tag)
            tag = try #require(answer.field("ETag"))
        }
    }

    @Test(
        "a state that is not the row's is answered with the row as it is",
        arguments: [
            (HTTPMethod.put, [(FieldName.ifMatch, #""1-1""#)], ada),
            (.patch, [(.ifMatch, #""1-1", "2-7""#)], #"{"city":"x"}"#),
            (.patch, [(.ifMatch, "nonsense")], #"{"city":"x"}"#),
            (.delete, [(.ifMatch, #""1-1""#)], ""),
            (.put, [(.ifNoneMatch, "*")], ada),
            (.put, [(.ifMatch, #""1-1""#)], "{}"),
        ] as [(HTTPMethod, [(FieldName, String)], String)]
    )
    func otherState(method: HTTPMethod, fields: [(FieldName, String)], body: String) throws {
        let client = try Client(writing: .throughServer)
        let answer = try client.send(method, "/users/1", body, fields: fields)
        #expect(answer.status == 412)
        #expect(try answer.json()["row"] == client.get("/users/1").json()["row"])
        #expect(try client.cells("/users/1")?["city"]?.text == "Lagos")
    }

    @Test("a weak tag never matches, a star matches every row there is")
    func weakAndStar() throws {
        let client = try Client(writing: .inMemory)
        let tag = try client.tag("/users/1")
        func status(_ target: String, _ condition: String) throws -> Int {
            try client.send(.put, target, Self.ada, fields: [(.ifMatch, condition)]).status
        }
        #expect(try status("/users/1", "W/" + tag) == 412)
        #expect(try status("/users/1", "*") == 200)
        #expect(try status("/users/700", "*") == 412)
        let absent: [(FieldName, String)] = [(.ifNoneMatch, "*")]
        #expect(try client.send(.put, "/users/700", Self.ada, fields: absent).status == 201)
        #expect(try client.send(.put, "/users/700", Self.ada, fields: absent).status == 412)
    }

    @Test("a state that is not meant lets no write pass, and every other one does")
    func excludedState() throws {
        let client = try Client(writing: .inMemory)
        func status(_ method: HTTPMethod, _ target: String, _ tag: String) throws -> Int {
            let fields = [(FieldName.ifNoneMatch, tag)]
            return try client.send(method, target, #"{"city":"\#(tag.count)"}"#, fields: fields)
                .status
        }
        let tag = try client.tag("/users/1")
        for excluded in [tag, "W/" + tag, "\"1-1\", " + tag] {
            #expect(try status(.patch, "/users/1", excluded) == 412)
        }
        #expect(try status(.patch, "/users/1", "\"1-1\"") == 200)
        #expect(try status(.patch, "/users/1", tag) == 200)
        #expect(try status(.patch, "/users/2", tag) == 200)
        #expect(try status(.delete, "/users/1", try client.tag("/users/1")) == 412)
        #expect(try status(.delete, "/users/1", tag) == 204)
    }

    @Test(
        "a row is created where the list is in a state that is meant",
        arguments: [
            (FieldName.ifMatch, "*", 201), (.ifMatch, "\"x\"", 412), (.ifMatch, "nonsense", 412),
            (.ifNoneMatch, "*", 412), (.ifNoneMatch, "\"x\"", 201),
        ]
    )
    func stateOfList(field: FieldName, value: String, status: Int) throws {
        let client = try Client(writing: .inMemory)
        let answer = try client.send(.post, "/users", Self.ada, fields: [(field, value)])
        #expect(answer.status == status)
        #expect(try client.get("/users/61").status == (status == 201 ? 200 : 404))
    }

    @Test("where conditions are asked for, a change without one is not made")
    func required() throws {
        let client = try Client(writing: .throughServer, requiresCondition: true)
        for method in [HTTPMethod.put, .patch, .delete] {
            #expect(try client.send(method, "/users/1", Self.ada).status == 428)
        }
        #expect(try client.send(.post, "/users", Self.ada).status == 201)
        let tag = try client.tag("/users/1")
        let answer = try client.ask(.delete, "/users/1", fields: [(.ifMatch, tag)])
        #expect(answer.status == 204)
        let rows = "[\(Self.ada)]"
        #expect(try client.send(.post, "/users/-/rows", rows).status == 200)
        let replacing = try client.send(.post, "/users/-/rows?on_duplicate=replace", rows)
        #expect(replacing.status == 428)
    }
}

@Suite("Where rows may be written, and by whom")
struct WritePolicyTests {
    @Test("a list that is only read says so", arguments: [HTTPMethod.put, .patch, .delete])
    func readOnly(method: HTTPMethod) throws {
        let client = try Client(samples: .throughServer)
        for (method, target) in [(method, "/users/1"), (.post, "/users"), (.post, "/users.json")] {
            let answer = try client.send(method, target, "{}")
            #expect(answer.status == 405)
            #expect(answer.field("Allow") == "GET, HEAD, OPTIONS")
            #expect(try client.ask(.options, target).field("Allow") == "GET, HEAD, OPTIONS")
        }
        #expect(try client.send(.post, "/users/-/rows", "[]").status == 405)
    }

    @Test("a list that can be written to says how")
    func allowed() throws {
        let client = try Client(writing: .throughServer)
        let row = "GET, HEAD, OPTIONS, PUT, PATCH, DELETE"
        for (target, methods) in [
            ("/users", "GET, HEAD, OPTIONS, POST"), ("/users/1", row), ("/users/1.json", row),
            ("/users/-/rows", "OPTIONS, POST"), ("/users/-/schema", "GET, HEAD, OPTIONS"),
        ] {
            let options = try client.ask(.options, target)
            #expect(options.status == 204)
            let allowed = Set((options.field("Allow") ?? "").split(separator: ", "))
            #expect(allowed == Set(methods.split(separator: ", ")), "\(target)")
        }
        #expect(try client.send(.post, "/users/1", "{}").status == 405)
        #expect(try client.send(.put, "/users", "{}").status == 405)
        #expect(try client.ask(.get, "/users/-/rows").status == 405)
    }

    @Test("the schema of a list says what is needed to write")
    func schema() throws {
        let writes = try Client(writing: .inMemory).get("/users/-/schema").json()["writes"]
        let required = writes?["required"]?.elements.map(\.text)
        #expect(required == ["firstName", "lastName", "occupation"])
        #expect(writes?["links", "rows"]?.text == "/users/-/rows")
        #expect(try Client(samples: .inMemory).get("/users/-/schema").json()["writes"] == nil)
    }

    @Test("a form is taken from pages of this service alone, JSON from those that may use it")
    func foreignPages() throws {
        let form = "firstName=A&lastName=B&occupation=C"
        let json = #"{"firstName":"A","lastName":"B","occupation":"C"}"#
        let foreign: [(FieldName, String)] = [(.origin, "https://other.example")]
        let formType: [(FieldName, String)] = [(.contentType, "application/x-www-form-urlencoded")]
        let closed = try Client(writing: .throughServer)
        let open = try Client(writing: .throughServer, crossOrigin: .any)
        #expect(try closed.send(.post, "/users", form, fields: formType + foreign).status == 403)
        #expect(try open.send(.post, "/users", form, fields: formType + foreign).status == 403)
        #expect(try closed.send(.post, "/users", json, fields: foreign).status == 403)
        #expect(try open.send(.post, "/users", json, fields: foreign).status == 201)
        for (origins, status) in [("https://other.example", 201), ("https://mine.example", 403)] {
            let some = try Client(writing: .inMemory, crossOrigin: CrossOrigin(origins))
            #expect(try some.send(.post, "/users", json, fields: foreign).status == status)
        }
    }

    @Test("a person who sends a form is led back to the list as it was looked at")
    func form() throws {
        let client = try Client(writing: .throughServer)
        let type: [(FieldName, String)] = [
            (.contentType, "application/x-www-form-urlencoded"), (.accept, "text/html"),
        ]
        let answer = try client.send(
            .post,
            "/users?sort=-age&limit=5",
            "firstName=Ada&lastName=Byron&occupation=Engineer&age=&city=London+%26+Kent",
            fields: type
        )
        #expect(answer.status == 303)
        #expect(answer.field("Location")?.hasPrefix("/users?sort=-age&limit=5&notice=") == true)
        #expect(try client.cells("/users/61")?["city"]?.text == "London & Kent")
        #expect(try client.cells("/users/61")?["age"] == .null)
    }

    @Test("a large body is read where it is written, and left alone elsewhere")
    func largeBody() throws {
        let client = try Client(writing: .throughServer)
        let city = String(repeating: "x", count: 200_000)
        let answer = try client.send(.patch, "/users/1", #"{"city":"\#(city)"}"#)
        #expect(answer.status == 200)
        #expect(try client.cells("/users/1")?["city"]?.text == city)
    }
}
