import HTTP
import ListAPITestSupport
import Listings
import Rendering
import Testing

@testable import ListAPI

@Suite("The description of the service")
struct OpenAPITests {
    private static func document(_ client: Client) throws -> JSON {
        let answer = try client.get("/-/openapi.json")
        #expect(answer.status == 200 && answer.mediaType == "application/json")
        return try answer.json()
    }

    private static func queryNames(_ operation: JSON?, in document: JSON) -> [String] {
        (operation?["parameters"]?.elements ?? []).compactMap { parameter in
            let name = parameter["$ref"]?.text?.split(separator: "/").last.map(String.init)
            let described = name.map { document["components", "parameters", $0] } ?? parameter
            return described?["in"]?.text == "query" ? described?["name"]?.text : nil
        }
    }

    private static func references(in part: JSON) -> [String] {
        switch part {
        case .object(let members):
            (members["$ref"]?.text.map { [$0] } ?? [])
                + members.values.flatMap { references(in: $0) }
        case .array(let elements): elements.flatMap { references(in: $0) }
        case .null, .boolean, .number, .text: []
        }
    }

    private static func names(of part: JSON?) -> Set<String> {
        guard case .object(let members)? = part else { return [] }
        return Set(members.keys)
    }

    private static func members(in part: JSON) -> Set<String> {
        switch part {
        case .object(let members):
            members.values.reduce(into: Set(members.keys)) { $0.formUnion(Self.members(in: $1)) }
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(Self.members(in: $1)) }
        case .null, .boolean, .number, .text: []
        }
    }

    @Test("generated clients get enumerations, and no defaults that they would send")
    func generatedClients() throws {
        let document = try Self.document(try Client(writing: .inMemory))
        #expect(!Self.members(in: document).contains("const"))
        let parameters = try #require(document["components", "parameters"])
        #expect(!Self.members(in: parameters).contains("default"))
        let page = document["components", "parameters", "page", "description"]
        #expect(page?.text?.hasSuffix("Default: 1.") == true)
        let responses = try #require(document["components", "responses"])
        for name in Self.names(of: responses) where name.hasPrefix("Problem") {
            let problem = responses[name, "content", "application/problem+json", "schema", "$ref"]
            #expect(problem?.text == "#/components/schemas/Problem", "\(name)")
        }
    }

    @Test("a list of four columns adds little to the description")
    func size() throws {
        func size(_ lists: [ListDefinition]) throws -> Int {
            try Client(lists).get("/-/openapi.json").body.utf8.count
        }
        let one = try size([.items(.numbered(3))])
        let two = try size([.items(.numbered(3)), .items(.numbered(3), list: "parts")])
        #expect(two - one < 17_200)
    }

    @Test("what it refers to is there, for lists of every kind", arguments: [false, true])
    func references(writes: Bool) throws {
        let clients = [
            try Client(writing: .inMemory), try Client(samples: .inMemory),
            try Client(tasksIn: TaskLog()),
            try Client([try .items(.numbered(3), list: "köln, a/b.json")]),
        ]
        for client in clients {
            let document = try Self.document(client)
            for reference in Set(Self.references(in: document)) {
                let path = reference.split(separator: "/").dropFirst().map(String.init)
                let found = path.reduce(Optional(document)) { $0?[$1] }
                #expect(found != nil, "\(reference)")
            }
            for kind in Self.names(of: document["components"]) {
                let names = Self.names(of: document["components", kind])
                for name in names {
                    let isLegal = name.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil
                    #expect(isLegal, "\(name)")
                }
            }
        }
    }

    @Test("an address is described with the parameters that it takes, and no other")
    func parameters() throws {
        let service = try APIHandler([try .sampleUsers()], isDraining: { false })
        let endpoint = try #require(service.loop.lists["users"])
        let document = try Self.document(try Client(samples: .inMemory))
        let locations: [(String, ListPlace)] = [
            ("/users", .list), ("/users/{row}", .row("1")), ("/users/-/sections", .sections),
            ("/users/-/sections/{section}", .section("a")), ("/users/-/schema", .schema),
        ]
        for (path, location) in locations {
            let target = ListResource(endpoint, location, nil, segments: [])
            let names = Self.queryNames(document["paths", path, "get"], in: document)
            #expect(names.count == Set(names).count)
            let named = Set(names).subtracting(["conditions"])
            #expect(named == Set(target.accepted.named.map(\.name)), "\(path)")
            #expect(names.contains("conditions") == target.accepted.contains(.conditions))
        }
        let columns = endpoint.schema.filterable.map { endpoint.schema.columns[$0].type }
        let operators = columns.map { Filter.Operator.allowed(for: $0).count }
        let count = operators.reduce(Filter.Operator.allowedForIDs.count, +)
        let conditions = document["components", "schemas", "users.Conditions", "properties"]
        #expect(Self.names(of: conditions).count == count)
    }

    @Test("conditions are of the type of their column")
    func conditions() throws {
        let components = try Self.document(try Client(samples: .inMemory))["components"]
        func schema(_ name: String) -> JSON? {
            let operand = components?["schemas", "users.Conditions", "properties", name]
            let path = operand?["$ref"]?.text?.split(separator: "/").last.map(String.init)
            return path.map { components?["schemas", $0] } ?? operand
        }
        #expect(schema("age__gte")?["type"]?.text == "string")
        #expect(schema("age__in")?["pattern"]?.text?.hasSuffix("*$") == true)
        #expect(schema("joined")?["pattern"]?.text?.hasPrefix("^((?!0000)([0-9]{4}(-") == true)
        #expect(schema("city__isnull")?["type"]?.text == "boolean")
        #expect(schema("city__contains")?["type"]?.text == "string")
        #expect(schema("age__contains") == nil)
        let limit = components?["parameters", "users.limit", "schema", "maximum"]
        #expect(limit?.integer == 500)
        func words(_ name: String) -> [JSON] {
            components?["schemas", "users.\(name).value", "enum"]?.elements ?? []
        }
        let sort = components?["parameters", "users.sort", "schema", "items", "pattern"]
        let isSort = try Regex(try #require(sort?.text))
        #expect("-age:nullslast".wholeMatch(of: isSort) != nil)
        #expect("ages".wholeMatch(of: isSort) == nil)
        #expect(words("group").contains(.text("lastName:initial")))
        #expect(words("facets").contains(.text("email")) == false)
    }

    @Test("writes are described where they are allowed, as the rules of the rows have them")
    func writes() throws {
        let reading = try Self.document(try Client(samples: .inMemory))
        #expect(Self.names(of: reading["paths", "/users"]) == ["get"])
        #expect(Self.names(of: reading["paths", "/users/{row}"]) == ["get"])
        #expect(reading["paths", "/users/-/rows"] == nil)
        let document = try Self.document(try Client(writing: .inMemory))
        #expect(Self.names(of: document["paths", "/users"]) == ["get", "post"])
        #expect(
            Self.names(of: document["paths", "/users/{row}"]) == ["get", "put", "patch", "delete"]
        )
        let schemas = document["components", "schemas"]
        let required = Set(
            schemas?["users.WholeRow", "required"]?.elements.compactMap(\.text) ?? []
        )
        #expect(required == ["firstName", "lastName", "occupation"])
        #expect(schemas?["users.Change", "required"] == nil)
        #expect(schemas?["users.NewRow", "properties", "id", "type"]?.text == "integer")
        #expect(schemas?["users.NewRow", "additionalProperties"] == .boolean(false))
        let isDemanded = document["paths", "/users/{row}", "put", "responses", "428"] != nil
        #expect(!isDemanded)
        let strict = try Self.document(try Client(writing: .inMemory, requiresCondition: true))
        #expect(strict["paths", "/users/{row}", "put", "responses", "428"] != nil)
    }

    @Test("actions, moves and outlines are described where a list offers them")
    func actions() throws {
        let document = try Self.document(try Client(tasksIn: TaskLog()))
        #expect(document["paths", "/tasks/{row}/-/{action}", "post"] != nil)
        #expect(document["paths", "/tasks/-/actions/{action}", "post", "requestBody"] != nil)
        #expect(document["paths", "/tasks/{row}/-/children"] == nil)
        let users = try Self.document(try Client(samples: .inMemory))
        #expect(users["paths", "/users/{row}/-/{action}"] == nil)
    }

    @Test("every kind of problem is described under its status, or as another problem")
    func problems() throws {
        let document = try Self.document(try Client(samples: .inMemory))
        for kind in ProblemKind.all {
            let responses = document["components", "responses"]
            let texts = ["Problem\(kind.status)", "Problem"].compactMap { name in
                responses?[name, "description"]?.text
            }
            #expect(texts.count { $0.contains(kind.explanation) } == 1, "\(kind)")
        }
    }

    @Test("every name of an operation stands once, and every route of a list has one")
    func operations() throws {
        let document = try Self.document(try Client(writing: .inMemory))
        var ids: [String] = []
        for path in Self.names(of: document["paths"]) {
            for method in Self.names(of: document["paths", path]) {
                ids.append(try #require(document["paths", path, method, "operationId"]?.text))
            }
        }
        #expect(Set(ids).count == ids.count)
        // Pages for people and what this list does not offer are left out.
        let absent: Set<Route> = [.refresh, .rowAction, .bulkAction, .lists, .draft]
        for entry in Route.table
        where !absent.contains(entry.route) && (entry.method, entry.route) != (.post, .directory) {
            let pattern = entry.pattern.replacing("{list}", with: "users")
            let path = pattern.replacing("{view}", with: "schema")
            #expect(
                document["paths", path, entry.method.name.lowercased()] != nil,
                "\(entry.method.name) \(path)"
            )
        }
    }

    @Test("it has an entity tag and is compressed", arguments: Way.allCases)
    func caching(way: Way) throws {
        let client = try Client(samples: way)
        let tag = try #require(try client.get("/-/openapi.json").field("ETag"))
        let again = try client.ask(.get, "/-/openapi.json", fields: [(.ifNoneMatch, tag)])
        #expect(again.status == 304)
        let packed = try client.ask(.head, "/-/openapi.json", fields: [(.acceptEncoding, "gzip")])
        #expect(packed.field("Content-Encoding") == "gzip")
        #expect(try client.get("/-/openapi.json?q=1").status == 400)
        let link = try client.get("/").field("Link")
        #expect(link?.contains(#"</-/openapi.json>; rel="service-desc""#) == true)
    }
}
