import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("A row is created, replaced, changed and removed")
struct RowWriteTests {
    private static let ada = #"{"firstName":"Ada","lastName":"Byron","occupation":"Engineer"}"#

    @Test("POST creates a row, and says where and in which state", arguments: Way.allCases)
    func create(way: Way) throws {
        let client = try Client(writing: way)
        let before = try client.get("/users").field("ETag")
        let answer = try client.send(.post, "/users", Self.ada)
        #expect(answer.status == 201)
        #expect(answer.field("Location") == "/users/61")
        #expect(answer.mediaType == "application/json")
        #expect(answer.field("Cache-Control") == "no-store")
        let shown = try client.get("/users/61")
        #expect(shown.status == 200)
        #expect(shown.field("ETag") == answer.field("ETag"))
        #expect(answer.body == shown.body)
        #expect(try client.get("/users").field("ETag") != before)
        let named = try client.send(.post, "/users", #"{"id":"99",\#(Self.ada.dropFirst())"#)
        #expect(named.field("Location") == "/users/99")
    }

    @Test("an answer shows the columns that were asked for", arguments: Way.allCases)
    func columns(way: Way) throws {
        let client = try Client(writing: way)
        func names(_ answer: Answer) throws -> [String] {
            guard case .object(let cells)? = try answer.json()["row", "cells"] else { return [] }
            return cells.keys.sorted()
        }
        let created = try client.send(.post, "/users?columns=lastName,city", Self.ada)
        #expect(try names(created) == ["city", "lastName"])
        #expect(created.field("Location") == "/users/61")
        let replaced = try client.send(.put, "/users/61?columns=firstName", Self.ada)
        #expect(try names(replaced) == ["firstName"])
        let changed = try client.send(.patch, "/users/61?columns=city", #"{"city":"Rome"}"#)
        #expect(try names(changed) == ["city"])
        #expect(changed.field("ETag") == nil && changed.field("Content-Location") == nil)
        #expect(try changed.json()["row", "etag"]?.text == client.tag("/users/61"))
        #expect(try client.send(.put, "/users/61?columns=none", Self.ada).status == 400)
    }

    @Test("PUT creates or replaces: what it does not name has no value", arguments: Way.allCases)
    func replace(way: Way) throws {
        let client = try Client(writing: way)
        let created = try client.send(.put, "/users/77", Self.ada)
        #expect(created.status == 201)
        #expect(created.field("Location") == "/users/77")
        // What PUT sends is not what GET shows, so no tag may stand in the head.
        #expect(created.field("ETag") == nil)
        #expect(try created.json()["row", "etag"]?.text == client.tag("/users/77"))
        let replaced = try client.send(.put, "/users/1", Self.ada)
        #expect(replaced.status == 200)
        #expect(replaced.field("Content-Location") == "/users/1")
        #expect(try client.cells("/users/1")?["city"] == .null)
        let tag = try client.tag("/users/1")
        #expect(try client.send(.put, "/users/1", Self.ada).status == 200)
        #expect(try client.tag("/users/1") == tag, "the same again changes nothing")
    }

    @Test(
        "PATCH changes what it names, and null takes a value away",
        arguments: ["application/merge-patch+json", "application/json"]
    )
    func merge(type: String) throws {
        let client = try Client(writing: .throughServer)
        let answer = try client.send(
            .patch,
            "/users/1",
            #"{"city":"Abuja","age":null}"#,
            fields: [(.contentType, type)]
        )
        #expect(answer.status == 200)
        #expect(try answer.field("ETag") == client.tag("/users/1"))
        let cells = try client.cells("/users/1")
        #expect(cells?["city"]?.text == "Abuja")
        #expect(cells?["age"] == .null)
        #expect(cells?["firstName"]?.text == "Grace")
    }

    @Test("PATCH without content changes nothing")
    func mergeNothing() throws {
        let client = try Client(writing: .inMemory)
        let tag = try client.tag("/users/1")
        let answer = try client.ask(.patch, "/users/1")
        #expect(answer.status == 200)
        #expect(answer.field("ETag") == tag)
        #expect(try client.tag("/users/1") == tag)
    }

    @Test(
        "of many unknown names as many are told as of other faults, and thousands are refused",
        arguments: [30, 2_100, 2_101]
    )
    func unknownNames(count: Int) throws {
        let client = try Client(writing: .inMemory)
        let names = (0..<count).map { "x\($0)" }
        let json = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        let form = names.map { "\($0)=1" }.joined(separator: "&")
        let bulk = "[" + Array(repeating: json, count: 3).joined(separator: ",") + "]"
        let isTooMuch = count > 2_100
        for (target, type, body) in [
            ("/users", "application/json", json), ("/users/-/rows", "application/json", bulk),
            ("/users", "application/x-www-form-urlencoded", form),
        ] {
            let answer = try client.ask(
                .post,
                target,
                fields: [(.contentType, type)],
                body: body
            )
            let faults = try answer.faults()
            if isTooMuch {
                #expect(faults.allSatisfy { $0.hasSuffix(" too-many-members") })
                #expect(answer.body.contains("At most 2100 members or fields."))
            } else {
                #expect(answer.status == 422)
                #expect(faults.count == 20, "\(target) \(type)")
            }
        }
    }

    @Test("DELETE removes a row, which is not there the second time", arguments: Way.allCases)
    func delete(way: Way) throws {
        let client = try Client(writing: way)
        let answer = try client.ask(.delete, "/users/1")
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(try client.get("/users/1").status == 404)
        #expect(try client.ask(.delete, "/users/1").status == 404)
        #expect(try client.send(.patch, "/users/1", "{}").status == 404)
        #expect(try client.get("/users?limit=1").json()["total", "value"]?.integer == 59)
    }

    @Test("a whole number may be written with a point, where it is exactly one")
    func wholeNumbers() throws {
        let client = try Client(writing: .inMemory)
        let names = #""firstName":"A","lastName":"B","occupation":"C""#
        let answer = try client.send(.post, "/users", #"{"id":1e2,"age":36.0,\#(names)}"#)
        #expect(answer.status == 201 && answer.field("Location") == "/users/100")
        #expect(try client.cells("/users/100")?["age"]?.integer == 36)
        for age in ["36.5", "1e20", "9007199254740993.0"] {
            #expect(
                try client.send(.patch, "/users/100", #"{"age":\#(age)}"#).status == 422,
                "\(age)"
            )
        }
    }

    @Test(
        "every value that cannot be stored is pointed at",
        arguments: [
            (
                "{}",
                [
                    "/firstName missing-value", "/lastName missing-value",
                    "/occupation missing-value",
                ]
            ),
            (
                #"{"id":"x","firstName":7,"lastName":" ","occupation":"E","age":1.5,"joined":"soon","#
                    + #""email":"@","citty":"","a/b~c":1}"#,
                [
                    "/id wrong-type", "/lastName missing-value", "/email wrong-type",
                    "/firstName wrong-type", "/joined wrong-type", "/age wrong-type",
                    "/a~1b~0c unknown-column", "/citty unknown-column",
                ]
            ),
            (
                #"{"id":true,"firstName":"A","lastName":"B","occupation":"C"}"#,
                ["/id wrong-type"]
            ),
            (
                #"{"id":1.5,"firstName":"A","lastName":"B","occupation":"C"}"#,
                ["/id wrong-type"]
            ),
            (
                #"{"firstName":"a\u0000b","lastName":"B","occupation":"C","age":"9007199254740991"}"#,
                ["/firstName unstorable-text", "/age wrong-type"]
            ),
        ] as [(String, [String])]
    )
    func invalid(json: String, faults: [String]) throws {
        let client = try Client(writing: .throughServer)
        let before = try client.get("/users").field("ETag")
        let answer = try client.send(.post, "/users", json)
        #expect(answer.status == 422)
        #expect(try answer.faults() == faults)
        #expect(try answer.json()["type"]?.text == "/-/problems/invalid-row")
        #expect(try client.get("/users").field("ETag") == before)
    }

    @Test("a column that is nearly right is suggested")
    func suggestion() throws {
        let answer = try Client(writing: .inMemory).send(.patch, "/users/1", #"{"ocupation":"x"}"#)
        let fault = try #require(try answer.json()["errors"]?.elements.first)
        #expect(fault["suggestion"]?.text == "occupation")
    }

    @Test("an integer past 2⁵³ is taken as it is answered: as a text")
    func largeInteger() throws {
        let client = try Client(writing: .inMemory)
        let answer = try client.send(.patch, "/users/1", #"{"age":"9007199254740993"}"#)
        #expect(answer.status == 200)
        #expect(try client.cells("/users/1")?["age"]?.text == "9007199254740993")
    }

    @Test(
        "content that is not what the address takes is refused",
        arguments: [
            (HTTPMethod.post, "/users", "text/csv", "a", 415, "/-/problems/unsupported-media-type"),
            (.put, "/users/1", "application/x-www-form-urlencoded", "a=b", 415, nil),
            (.patch, "/users/1", "application/json-patch+json", "[]", 415, nil),
            (.post, "/users", "application/json", "{", 400, "/-/problems/malformed-content"),
            (.post, "/users", "application/json", "[]", 400, nil),
            (.patch, "/users/1", "application/json", "7", 400, nil),
            (
                .put, "/users/1?limit=2", "application/json", "{}", 400,
                "/-/problems/invalid-parameter"
            ),
            (.put, "/users/1", "application/json", #"{"id":"2"}"#, 422, nil),
            (.post, "/user", "application/json", "{}", 404, nil),
            (.put, "/users/x", "application/json", ada, 422, nil),
        ] as [(HTTPMethod, String, String, String, Int, String?)]
    )
    func refused(
        method: HTTPMethod,
        target: String,
        type: String,
        body: String,
        status: Int,
        problem: String?
    ) throws {
        let client = try Client(writing: .throughServer)
        let answer = try client.send(method, target, body, fields: [(.contentType, type)])
        #expect(answer.status == status, "\(answer.body)")
        if let problem { #expect(try answer.json()["type"]?.text == problem) }
    }

    @Test("an id that is taken is a conflict")
    func conflict() throws {
        let client = try Client(writing: .inMemory)
        let answer = try client.send(.post, "/users", #"{"id":"1",\#(Self.ada.dropFirst())"#)
        #expect(answer.status == 409)
        #expect(try answer.faults() == ["/id existing-row"])
    }

    @Test("who wants no content gets none, and is told so")
    func minimal() throws {
        let client = try Client(writing: .throughServer)
        let prefer: [(FieldName, String)] = [(.prefer, "return=minimal")]
        let created = try client.send(.post, "/users", Self.ada, fields: prefer)
        #expect(created.status == 201)
        #expect(created.body.isEmpty)
        #expect(created.field("Location") == "/users/61")
        let changed = try client.send(.patch, "/users/61", #"{"city":"x"}"#, fields: prefer)
        #expect(changed.status == 204)
        for answer in [created, changed] {
            #expect(answer.field("Preference-Applied") == "return=minimal")
            #expect(answer.field("ETag") != nil)
        }
        let whole: [(FieldName, String)] = [(.prefer, "return=representation")]
        let shown = try client.send(.patch, "/users/61", #"{"city":"y"}"#, fields: whole)
        #expect(shown.field("Preference-Applied") == "return=representation")
        #expect(try shown.json()["row", "cells", "city"]?.text == "y")
    }
}

@Suite("Values of every type are written, as JSON and on forms")
struct ValueWriteTests {
    private let folder: ScratchFolder
    private let client: Client

    init() throws {
        folder = try ScratchFolder()
        let file = """
            id,weight,active,site,mail,day,name
            a,1.5,true,https://a.example/x,a@b.example,2024-02-29,x
            b,-2.25,false,http://b.example,c@d.example,2020-01-01,y

            """
        try folder.write(Array(file.utf8), to: "things.csv")
        var configuration = Configuration()
        configuration.sources = [try SourceArgument("\(folder.path)/things.csv")]
        configuration.allowsAnonymousWrites = true
        configuration.database = ":memory:"
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        client = try Client(try ListRegistry(configuration).lists, options: options)
    }

    private func post(_ form: String) throws -> Answer {
        let type = [(FieldName.contentType, "application/x-www-form-urlencoded")]
        return try client.send(.post, "/things", form, fields: type)
    }

    @Test(
        "a value is shown as it was written",
        arguments: [
            ("weight", "2.5", "2.5"), ("weight", "-1e3", "-1e3"), ("weight", "3", "3"),
            ("weight", "null", ""), ("weight", #""9007199254740993""#, "9007199254740993"),
            ("active", "false", "false"), ("active", "true", "true"),
            ("site", #""https://c.example/?a=b""#, "https://c.example/?a%3Db"),
            ("mail", #""e@f.example""#, "e%40f.example"), ("day", #""1999-12-31""#, "1999-12-31"),
            ("name", #""Zoë""#, "Zo%C3%AB"), ("name", #""7""#, "7"),
        ]
    )
    func taken(column: String, json: String, form: String) throws {
        #expect(try client.send(.patch, "/things/a", #"{"\#(column)":\#(json)}"#).status == 200)
        #expect(try post("id=c&\(column)=\(form)").status == 201)
        for row in ["a", "c"] {
            #expect(try client.cells("/things/\(row)")?[column] == JSON(json), "\(row)")
        }
    }

    @Test(
        "a value of another type is refused",
        arguments: [
            ("weight", #""2.5""#, "2,5"), ("weight", "true", "0x10"),
            ("weight", #""x""#, "inf"), ("active", #""true""#, "yes"),
            ("active", "1", "1"), ("site", #""javascript:alert(1)""#, "javascript:alert(1)"),
            ("site", #""c.example""#, "c.example"), ("mail", #""e f@g.example""#, "e+f@g.example"),
            (
                "mail", "\"" + String(repeating: "m", count: 250) + "@g.example\"",
                String(repeating: "m", count: 250) + "@g.example"
            ),
            ("day", #""2023-02-29""#, "2023-02-29"), ("name", "7", nil), ("name", "[]", nil),
        ] as [(String, String, String?)]
    )
    func refused(column: String, json: String, form: String?) throws {
        let patched = try client.send(.patch, "/things/a", #"{"\#(column)":\#(json)}"#)
        #expect(patched.status == 422)
        #expect(try patched.faults() == ["/\(column) wrong-type"])
        guard let form else { return }
        let posted = try post("id=c&\(column)=\(form)")
        #expect(posted.status == 422)
        #expect(try posted.faults() == ["\(column) wrong-type"])
        #expect(try client.get("/things/c").status == 404)
    }

    @Test(
        "an id is a text that can be stored",
        arguments: [
            ("7", "wrong-type"), ("null", "wrong-type"), (#""""#, "missing-value"),
            (#""a\u0000b""#, "unstorable-text"),
            ("\"" + String(repeating: "i", count: 513) + "\"", "text-too-long"),
        ]
    )
    func ids(json: String, code: String) throws {
        let answer = try client.send(.post, "/things", #"{"id":\#(json)}"#)
        #expect(answer.status == 422)
        #expect(try answer.faults() == ["/id \(code)"])
    }

    @Test(
        "a request that gives no value is refused and says what is missing",
        arguments: [
            (HTTPMethod.post, "/things", nil, ""), (.post, "/things", "application/json", ""),
            (.post, "/things", "application/x-www-form-urlencoded", ""),
            (.post, "/things", "application/x-www-form-urlencoded", "&"),
            (.post, "/things", "application/x-www-form-urlencoded", "id=&name=&day="),
            (.put, "/things/a", nil, ""), (.put, "/things/new", "application/json", ""),
        ] as [(HTTPMethod, String, String?, String)]
    )
    func nothingGiven(method: HTTPMethod, target: String, type: String?, body: String) throws {
        let before = try client.get("/things?limit=9").json()
        for accept in ["application/json", "text/html"] {
            if accept == "text/html", method == .put { continue }
            let fields = (type.map { [(FieldName.contentType, $0)] } ?? []) + [(.accept, accept)]
            let answer = try client.ask(method, target, fields: fields, body: body)
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.mediaType?.hasSuffix(accept == "text/html" ? "html" : "json") == true)
            guard accept != "text/html" else { continue }
            #expect(try answer.json()["type"]?.text == "/-/problems/malformed-content")
            #expect(try answer.faults() == ["- missing-content"])
            #expect(answer.body.contains("id, weight, active, site, mail, day, name"))
        }
        #expect(try client.get("/things?limit=9").json()["sections"] == before["sections"])
    }

    @Test("an explicit {} is a row without values")
    func emptyObject() throws {
        let created = try client.send(.post, "/things", "{}")
        #expect(created.status == 201)
        #expect(try client.cells(#require(created.field("Location")))?["name"] == .null)
        #expect(try client.send(.put, "/things/a", "{}").status == 200)
        #expect(try client.cells("/things/a")?["name"] == .null)
    }
}
