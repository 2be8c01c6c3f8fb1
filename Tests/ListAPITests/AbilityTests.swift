import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("Abilities of sources")
struct AbilityTests {
    private func client(
        _ abilities: ListAbilities,
        operators: [Filter.Operator] = Filter.Operator.allCases
    ) throws -> Client {
        var registry = ControllerRegistry()
        let source = try MemorySource(
            models: [
                Item(id: "a", title: "One", shelf: "s"), Item(id: "b", title: "Two", shelf: "t"),
            ],
            using: registry.register(ItemController()),
            schema: try ListSchema(columns: ItemController().columns)
                .limited(to: abilities, operators: operators),
            version: ListVersion(epoch: 1, counter: 1)
        )
        return try Client([ListDefinition("items", source: source)])
    }

    private func parameters(_ client: Client) throws -> Set<String> {
        let schema = try client.get("/items/-/schema").json()
        return Set(schema["parameters"]?.elements.compactMap { $0["name"]?.text } ?? [])
    }

    @Test(
        "a query that the source does not answer is refused",
        arguments: [
            "sort=-id", "sort=title", "id__in=a,b", "id=a", "title=One", "or=(title=One,title=Two)",
            "q=one", "group=shelf", "count=exact", "facets=shelf", "sum=size", "page=2", "offset=1",
            "jump=A",
        ]
    )
    func refused(query: String) throws {
        let whole = try client(.all).get("/items?\(query)")
        #expect(whole.status == 200 || query.hasPrefix("jump"), "\(query): \(whole.body)")
        let plain = try client([]).get("/items?\(query)")
        #expect(plain.status == 400, "\(query)")
        let known =
            "Known here: limit, after, before, around, columns, section, per_section, q, layout"
        #expect(
            plain.body.contains(known) || plain.body.contains("no text to search"),
            "\(query): \(plain.body)"
        )
    }

    @Test("the schema and the page have only what the source answers")
    func described() throws {
        let all = try parameters(client(.all))
        #expect(all.isSuperset(of: ["sort", "q", "count", "group", "page", "or"]))
        let plain = try client([])
        #expect(
            try parameters(plain).isDisjoint(with: [
                "sort", "q", "count", "group", "page", "offset", "or", "not", "facets", "sum",
                "min",
                "jump", "{column}__{operator}",
            ])
        )
        let openAPI = try plain.get("/-/openapi.json").body
        for name in ["sort", "count", "conditions"] {
            #expect(!openAPI.contains("\"name\":\"\(name)\""), "\(name)")
        }
        #expect(!openAPI.contains("title__contains") && !openAPI.contains("id__in"))
        // The directory alone has a search.
        #expect(openAPI.split(separator: "\"name\":\"q\"").count == 2)
        let page = try plain.get("/items", accept: "text/html").body
        for control in ["name=\"q\"", "sort=", "aria-sort", "group=", "count="] {
            #expect(!page.contains(control), "\(control)")
        }
        #expect(page.contains("One"))
        #expect(try plain.get("/items").json()["page", "total"]?.text == nil)
    }

    @Test("comparisons that the source lacks are refused with those that it has")
    func operators() throws {
        let client = try client([.filtering, .filteringByID], operators: [.equal, .among])
        #expect(try client.get("/items?title__in=One,Two").status == 200)
        let refusal = try client.get("/items?title__contains=n")
        #expect(refusal.status == 400)
        #expect(refusal.body.contains("eq, in"), "\(refusal.body)")
        #expect(try client.get("/items?id__ne=a").status == 400)
        #expect(try client.get("/items?id__in=a").status == 200)
        let columns = try client.get("/items/-/schema").json()["columns"]?.elements
        #expect(columns?.first?["operators"]?.elements.compactMap(\.text) == ["eq", "in"])
        let page = try client.get("/items", accept: "text/html").body
        #expect(page.contains("title") && !page.contains("startswith"))
    }
}
