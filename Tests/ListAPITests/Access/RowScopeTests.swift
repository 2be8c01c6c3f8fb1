import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Rows that are not for who asks are as if they were not")
struct RowScopeTests {
    /// What a program or a person may ask, of people who are there and of others who are not.
    private static let questions =
        [
            "/people.json?limit=7", "/.json?q=oslo", "/people.json?group=city&limit=50",
            "/people.json?group=city&per_section=3", "/people.json?facets=city,age&limit=1",
            "/people.json?facets=city&city=Oslo&limit=2", "/people.json?facets=city&city=Paris",
            "/people.json?sort=-age&limit=5", "/people.json?count=exact&limit=3",
            "/people.json?group=name:initial&limit=40", "/people.json?jump=K&sort=name",
            "/people.json?group=city&section=Oslo", "/people.json?group=city&section=Paris",
            "/people.json?group=city&section=~", "/people.json?group=city&section=Rome",
            "/people/-/sections?group=city", "/people/-/sections/Oslo?group=city",
            "/people/-/sections/Paris?group=city", "/people/-/sections/Rome?group=city",
            "/people.csv", "/people.csv?age__gte=30&group=city", "/people.ndjson?city__ne=Oslo",
            "/people/1", "/people/2", "/people/3", "/people/999", "/people/66", "/people.html",
            "/people.html?group=city", "/people.html?city=Paris", "/people.json?page=3&limit=10",
            "/people.json?q=ann&limit=4", "/people.json?q=Hnn1&limit=4", "/people.json?age__gte=50",
            "/people.json?city=Paris", "/people.json?city__isnull=true", "/people/-/schema", "/",
            "/people.json?or=(city=Paris,age__lt=30)", "/people.json?not=(city=Oslo)&shape=array",
            "/people.json?or=(id=2,not(city=Paris,age__gt=20))&group=city&limit=50",
            "/people.json?sum=age&avg=age&min=age,name&max=joined&limit=2",
            "/people.json?group=city&sum=age&max=name&limit=50",
            "/people.html?group=city&avg=age", "/people.json?offset=7&limit=5",
            "/people.json?shape=objects&limit=500",
            "/people.json?facets=?&limit=1", "/people/3.html",
            "/people.json?group=age&per_section=2&limit=5", "/.html",
        ]

    @Test(
        "every answer is that of a list without them",
        arguments: PeopleList.Location.installed
    )
    func answers(location: PeopleList.Location) throws {
        let client = try AuthorizedClient(location.lists(), [("north", PeopleList.northern)])
        let other = try AuthorizedClient(
            location.lists(PeopleList.isNorthern),
            [("north", "people:read")]
        )
        // What words are compared by is made for the first question of the process that has some:
        // with a sanitizer that takes longer than a question may, so that it is told to come again.
        _ = try client.ask(.get, "/people.json?q=a", as: "north")
        for question in Self.questions { try compare(question, client, other) }
    }

    private func compare(
        _ question: String,
        _ client: AuthorizedClient,
        _ other: AuthorizedClient
    ) throws {
        let scoped = try counted(question, by: client, as: "north")
        let whole = try counted(question, by: other, as: "north")
        #expect(bare(scoped) == bare(whole), "\(question)")
        #expect(
            !scoped.body.contains("Paris") || question.contains("Paris")
                || question.contains("schema")
        )
    }

    @Test("a walk from page to page meets each of them once, and no other")
    func walk() throws {
        let client = try AuthorizedClient(try PeopleList.list(), [("north", PeopleList.northern)])
        let wanted = (1...300).filter(PeopleList.isNorthern).map(String.init)
        for query in ["limit=7", "limit=7&group=city", "limit=9&sort=-joined"] {
            var seen: [String] = []
            var next: String? = "/people.json?\(query)"
            while let address = next, seen.count <= wanted.count {
                let page = try client.ask(.get, address, as: "north").json()
                for section in page["sections"]?.elements ?? [] {
                    seen += (section["rows"]?.elements ?? []).compactMap { $0["id"]?.text }
                }
                next = page["links", "next"]?.text
            }
            #expect(seen.sorted() == wanted.sorted(), "\(query)")
        }
    }

    @Test("a scope may join conditions by or and not")
    func joined() throws {
        let items = [Item].numbered(60)
        let scope = "items:read:or=(shelf=shelf+1,not(size__lt=6))"
        let client = try AuthorizedClient([try .items(items)], [("some", scope)])
        let kept = items.filter { $0.shelf == "shelf 1" || ($0.size ?? 0) >= 6 }
        let other = try AuthorizedClient([try .items(kept)], [("some", "items:read")])
        for question in [
            "/items.json?limit=100", "/items.json?facets=shelf,size&sum=size", "/items.csv",
            "/items.json?or=(size=1,size=2,size=7)", "/items.json?not=(size__gte=6)",
            "/items/item1", "/items/item2", "/items/item3", "/items?shape=array&limit=100",
        ] {
            let scoped = try client.ask(.get, question, as: "some")
            let whole = try other.ask(.get, question, as: "some")
            #expect(bare(scoped) == bare(whole), "\(question)")
        }
    }

    @Test("the page around a row is found among the rows of the scope only")
    func around() throws {
        let items = [Item].numbered(60)
        let scope = "items:read:shelf=shelf+1"
        let client = try AuthorizedClient([try .items(items)], [("some", scope)])
        let kept = items.filter { $0.shelf == "shelf 1" }
        let other = try AuthorizedClient([try .items(kept)], [("some", "items:read")])
        for item in items {
            for query in ["limit=3", "limit=4&sort=-size", "limit=5&group=shelf"] {
                let question = "/items?\(query)&around=\(item.id)"
                let scoped = try client.ask(.get, question, as: "some")
                let whole = try other.ask(.get, question, as: "some")
                #expect(scoped.status == (kept.contains { $0.id == item.id } ? 303 : 404))
                #expect(scoped.status == whole.status, "\(question)")
                guard let location = scoped.field("Location"), let same = whole.field("Location")
                else { continue }
                let page = try client.ask(.get, String(location.prefix { $0 != "#" }), as: "some")
                let asked = try other.ask(.get, String(same.prefix { $0 != "#" }), as: "some")
                #expect(try page.rows().map(\.id) == asked.rows().map(\.id), "\(question)")
            }
        }
    }

    @Test("writes touch no other row, and lead none out", arguments: PeopleList.Location.installed)
    func writes(location: PeopleList.Location) throws {
        let lists = try location.lists()
        let scopes = [("north", PeopleList.northern + " people:write"), ("all", "*:write")]
        let client = try AuthorizedClient(lists, scopes, writes: true)
        func ask(_ method: HTTPMethod, _ target: String, _ json: String?) throws -> Int {
            try client.ask(method, target, as: "north", json: json).status
        }
        // 1 is of Bergen, 2 of Paris.
        #expect(try ask(.patch, "/people/1", #"{"name":"Ada"}"#) == 200)
        #expect(try ask(.patch, "/people/1", #"{"city":"Paris"}"#) == 403)
        #expect(try ask(.patch, "/people/1", #"{"age":null}"#) == 403)
        #expect(try ask(.put, "/people/1", #"{"name":"Ada"}"#) == 403)
        #expect(try ask(.patch, "/people/2", #"{"name":"Ada"}"#) == 404)
        #expect(try ask(.patch, "/people/2", #"{"city":"Oslo","age":1}"#) == 404)
        #expect(try ask(.put, "/people/2", #"{"name":"Ada","city":"Oslo","age":1}"#) == 409)
        #expect(try ask(.put, "/people/2", #"{"name":"Ada","city":"Paris","age":1}"#) == 403)
        #expect(try ask(.put, "/people/998", #"{"name":"Ada","city":"Paris","age":1}"#) == 403)
        #expect(try ask(.delete, "/people/2", nil) == 404)
        #expect(try ask(.delete, "/people/999", nil) == 404)
        #expect(try ask(.post, "/people", #"{"name":"Bo","city":"Paris","age":1}"#) == 403)
        #expect(try ask(.post, "/people", #"{"name":"Bo","city":"Oslo"}"#) == 403)
        #expect(try ask(.post, "/people", #"{"name":"Bo","city":"Oslo","age":3}"#) == 201)
        #expect(try ask(.post, "/people/-/rows", #"[{"name":"Bo","city":"Oslo","age":3}]"#) == 403)
        let file = #"[{"name":"Bo","city":"Oslo","age":3}]"#
        #expect(try ask(.post, "/people/-/import", file) == 403)
        #expect(try ask(.get, "/people/-/import/1", nil) == 403)
        #expect(try ask(.get, "/people/2/-/edit", nil) == 404)
        #expect(try ask(.get, "/people/1/-/edit", nil) == 200)
        let paris = try client.ask(.get, "/people/2", as: "all").json()
        #expect(paris["row", "cells", "city"]?.text == "Paris")
        #expect(paris["row", "cells", "name"]?.text != "Ada")
        #expect(try ask(.delete, "/people/1", nil) == 204)
        let form = try client.ask(
            .post,
            "/people/2/-/delete",
            as: "north",
            fields: [(.contentType, "application/x-www-form-urlencoded")]
        )
        #expect(form.status == 404)
    }

    @Test(
        "an id that another row has is taken, and nothing else is told of that row",
        arguments: PeopleList.Location.installed
    )
    func takenIDs(location: PeopleList.Location) throws {
        let lists = try location.lists()
        let scopes = [("north", PeopleList.northern + " people:write"), ("all", "*:write")]
        let client = try AuthorizedClient(lists, scopes, writes: true)
        let row = #""name":"Ada","city":"Oslo","age":1}"#
        func ask(
            _ method: HTTPMethod,
            _ target: String,
            _ json: String,
            _ fields: [(FieldName, String)] = []
        ) throws -> (status: Int, body: String) {
            let answer = try client.ask(method, target, as: "north", fields: fields, json: json)
            let body = answer.body.replacing(/"instance":"[^"]*"/, with: "")
            return (answer.status, body)
        }
        let before = try client.ask(.get, "/people/2.json", as: "all").body
        let tag = try #require(try client.ask(.get, "/people/2", as: "all").field("ETag"))
        // 1 is visible, 2 is not.
        let visible = try ask(.post, "/people", #"{"id":1,"# + row)
        let hidden = try ask(.post, "/people", #"{"id":2,"# + row)
        let replaced = try ask(.put, "/people/2", "{" + row)
        #expect(visible.status == 409 && hidden.status == 409 && replaced.status == 409)
        #expect(visible.body.replacing("'1'", with: "'2'") == hidden.body)
        #expect(hidden.body.contains("The id '2' is taken.") && !hidden.body.contains("Paris"))
        #expect(replaced.body.contains("The id '2' is taken.") && !replaced.body.contains("Paris"))
        let absent = (FieldName.ifNoneMatch, "*")
        #expect(try ask(.put, "/people/2", "{" + row, [absent]).status == 409)
        // No tag of a hidden row holds, so that it cannot be guessed.
        for tag in [tag, "*", "\"999-1\""] {
            for id in [2, 999] {
                let fields = [(FieldName.ifMatch, tag)]
                #expect(try ask(.put, "/people/\(id)", "{" + row, fields).status == 404)
            }
        }
        #expect(try client.ask(.get, "/people/2.json", as: "all").body == before)
        // New ids can be chosen, once.
        let created = try client.ask(.put, "/people/999", as: "north", json: "{" + row)
        #expect(created.status == 201 && created.field("Location") == "/people/999")
        #expect(try ask(.put, "/people/999", "{" + row).status == 200)
        #expect(try ask(.put, "/people/999", "{" + row, [absent]).status == 412)
        #expect(try ask(.put, "/people/998", "{" + row, [absent]).status == 201)
        let key = [(FieldName.idempotencyKey, "k")]
        #expect(try ask(.put, "/people/997", "{" + row, key).status == 201)
        #expect(try ask(.put, "/people/997", "{" + row, key).status == 201)
        #expect(try ask(.put, "/people/2", "{" + row, [(.idempotencyKey, "m")]).status == 409)
    }

    @Test("rows are given by their ids, too")
    func identities() throws {
        let scopes = [("some", "people:read:id__in=1,6 people:write")]
        let client = try AuthorizedClient(try PeopleList.list(), scopes, writes: true)
        func ask(_ method: HTTPMethod, _ target: String, _ json: String?) throws -> Int {
            try client.ask(method, target, as: "some", json: json).status
        }
        #expect(try client.ask(.get, "/people.json", as: "some").rows().map(\.id) == ["1", "6"])
        #expect(try ask(.get, "/people/2", nil) == 404)
        #expect(try ask(.patch, "/people/1", #"{"city":"Paris"}"#) == 200)
        #expect(try ask(.patch, "/people/2", #"{"city":"Paris"}"#) == 404)
        #expect(try ask(.delete, "/people/6", nil) == 204)
        // A row that would get another id is not theirs, and neither is one that is there.
        #expect(try ask(.post, "/people", #"{"city":"Oslo"}"#) == 403)
        #expect(try ask(.post, "/people", #"{"id":2,"city":"Oslo"}"#) == 403)
        #expect(try ask(.post, "/people", #"{"id":6,"city":"Oslo"}"#) == 201)
    }

    @Test(
        "what was answered to a key is answered again, also where the row has gone since",
        arguments: PeopleList.Location.installed
    )
    func repeatedWrites(location: PeopleList.Location) throws {
        let lists = try location.lists()
        let scopes = [("north", PeopleList.northern + " people:write"), ("all", "*:write")]
        let client = try AuthorizedClient(lists, scopes, writes: true)
        func ask(_ method: HTTPMethod, _ row: Int, _ json: String?, _ key: String) throws -> Answer
        {
            let fields = [(FieldName.idempotencyKey, key)]
            return try client.ask(method, "/people/\(row)", as: "north", fields: fields, json: json)
        }
        let changed = try ask(.patch, 1, #"{"name":"Ada"}"#, "a")
        #expect(changed.status == 200)
        #expect(try ask(.delete, 1, nil, "b").status == 204)
        let again = try ask(.delete, 1, nil, "b")
        #expect(again.status == 204)
        #expect(again.field("Idempotent-Replayed") == "true")
        #expect(try ask(.patch, 1, #"{"name":"Ada"}"#, "a").body == changed.body)
        // Of other rows nothing was answered, and nothing is told: 1 has gone, 2 is of Paris.
        for row in [1, 2, 999] {
            #expect(try ask(.patch, row, #"{"name":"Eve"}"#, "c\(row)").status == 404)
            let absent = try ask(.delete, row, nil, "e\(row)")
            #expect(absent.status == 404)
            #expect(!absent.body.contains("Paris"))
        }
        let paris = try client.ask(.get, "/people/2", as: "all").json()
        #expect(paris["row", "cells", "city"]?.text == "Paris")
        #expect(paris["row", "cells", "name"]?.text != "Eve")
        #expect(try client.ask(.get, "/people/999", as: "all").status == 404)
    }

    @Test("changes are told of their own rows alone", arguments: PeopleList.Location.installed)
    func changes(location: PeopleList.Location) throws {
        let lists = try location.lists()
        let scopes = [("north", PeopleList.northern), ("all", "*:write")]
        let client = try AuthorizedClient(lists, scopes, writes: true)
        func page() throws -> JSON {
            try client.ask(.get, "/people.json?limit=20&sort=id", as: "north").json()
        }
        let changes = try #require(try page()["links", "changes"]?.text)
        func stages() throws -> [JSON] {
            let answer = try client.ask(.get, changes, as: "north")
            #expect(answer.status == 200)
            return try answer.json()["stages"]?.elements ?? []
        }
        func patch(_ row: Int) throws -> Int {
            try client.ask(.patch, "/people/\(row)", as: "all", json: #"{"name":"Ada"}"#).status
        }
        #expect(try patch(2) == 200)
        #expect(try stages() == [])
        #expect(try patch(1) == 200)
        #expect(try stages().count == 1)
    }
}
