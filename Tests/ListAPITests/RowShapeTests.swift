import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Rows of JSON without a page around them")
struct RowShapeTests {
    private func client() throws -> Client { try Client([.items(.numbered(5, shelves: 2))]) }

    @Test("an array has the rows with their ids; fields have the number and the links")
    func array() throws {
        let answer = try client().get("/items?shape=array&columns=title&group=none&limit=2&sort=id")
        #expect(
            answer.body == """
                [{"id":"item1","title":"Title 1"},{"id":"item2","title":"Title 2"}]

                """
        )
        #expect(answer.field("X-Total-Count") == "5")
        #expect(answer.field("X-Total-Relation") == nil)
        #expect(answer.field("Content-Disposition") == nil)
        let link = try #require(answer.field("Link"))
        let next = try #require(link.firstMatch(of: /<([^>]*)>; rel="next"/)?.output.1)
        #expect(next.contains("shape=array"))
        let further = try client().get(String(next)).json().elements.compactMap { $0["id"]?.text }
        #expect(further == ["item3", "item4"])
    }

    @Test("an object has the rows by their ids, and names sections of grouped lists")
    func objects() throws {
        let answer = try client().get("/items?shape=objects&columns=size&limit=2")
        #expect(try answer.json()["item2", "section"] == .text("shelf 0"))
        #expect(try answer.json()["item2", "size"]?.integer == 2)
    }

    @Test("no row is an empty array")
    func empty() throws {
        let answer = try client().get("/items?shape=array&size=99&count=none")
        #expect(answer.body == "[]\n")
        #expect(answer.field("X-Total-Count") == nil)
    }

    @Test("pretty JSON has the same values in lines, also of rows and the schema")
    func pretty() throws {
        let client = try client()
        let answer = try client.get("/items?shape=array&columns=title&limit=1&group=none&pretty=1")
        #expect(
            answer.body == """
                [
                  {
                    "id": "item1",
                    "title": "Title 1"
                  }
                ]

                """
        )
        let addresses = [
            ("/items?limit=3", "columns"), ("/items/item1", "row"), ("/items/-/schema", "columns"),
        ]
        for (address, member) in addresses {
            let plain = try client.get(address)
            let pretty = try client.get("\(address)\(address.contains("?") ? "&" : "?")pretty=1")
            #expect(pretty.body.contains("\n  \"") && !plain.body.contains("\n  \""))
            #expect(try plain.json()[member] == pretty.json()[member])
            #expect(plain.field("ETag") == nil || plain.field("ETag") != pretty.field("ETag"))
        }
    }

    @Test(
        "shapes are for JSON",
        arguments: [
            ("/items.csv?shape=array", "is for JSON only."),
            ("/items.html?pretty=1", "is for JSON only."),
            ("/items?shape=list", "No option 'list'; allowed: array, objects."),
            ("/items?pretty=yes", "No option 'yes'; allowed: 1."),
        ]
    )
    func errors(address: String, detail: String) throws {
        let answer = try client().get(address)
        #expect(answer.status == 400)
        #expect(answer.body.contains(detail), "\(answer.body)")
    }

    @Test("an offset skips rows, as far as readers of JSON represent numbers")
    func offset() throws {
        let client = try client()
        let answer = try client.get("/items?offset=3&limit=2&group=none&sort=id")
        #expect(try answer.rows().map(\.id) == ["item4", "item5"])
        #expect(try answer.json()["links", "self"]?.text?.contains("offset=3") == true)
        let back = try #require(answer.json()["links", "prev"]?.text)
        #expect(try client.get(back).rows().map(\.id) == ["item2", "item3"])
        // An offset that begins a page is written as its number.
        let page = try client.get("/items?offset=4&limit=2").json()["links", "self"]?.text
        #expect(page?.contains("page=3") == true)
        let largest = 9_007_199_254_740_989
        #expect(try client.get("/items?offset=\(largest)&limit=2").rows().isEmpty)
        let line = try client.get("/items?offset=\(largest + 1)&limit=2").errorLines().first
        #expect(
            line == "offset offset-too-large: With this limit, 'offset' is at most \(largest).; "
                + "maxOffset \(largest)"
        )
        let both = try client.get("/items?offset=1&page=2").faults()
        #expect(both == ["offset conflicting-parameters"])
    }
}
