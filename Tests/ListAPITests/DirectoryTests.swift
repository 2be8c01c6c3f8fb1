import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@testable import ListAPI

@Suite("The directory of lists, and the search of all of them")
struct DirectoryTests {
    private func lists() throws -> [ListDefinition] {
        let about = ListAbout(description: "What stands on the shelves.")
        return [
            try .items(.numbered(40)).described(about),
            try .items(.numbered(3), list: "books"),
            try .items([], list: "titles"),
        ]
    }

    @Test("a list has its description and its number of rows", arguments: Way.allCases)
    func entries(way: Way) throws {
        let client = try Client(try lists(), way)
        let entries = try client.get("/").json()["lists"]?.elements ?? []
        #expect(entries.map { $0["id"]?.text } == ["items", "books", "titles"])
        #expect(entries[0]["description"]?.text == "What stands on the shelves.")
        #expect(entries[1]["description"] == nil)
        #expect(entries.map { $0["total", "value"]?.integer } == [40, 3, 0])
        let page = try client.get("/.html")
        #expect(page.body.contains("What stands on the shelves."))
        #expect(page.body.contains("40 rows"))
    }

    @Test("a search shows the first rows of each list, and a link to all", arguments: Way.allCases)
    func search(way: Way) throws {
        let client = try Client(try lists(), way)
        let entries = try client.get("/.json?q=title+1").json()["lists"]?.elements ?? []
        let matches = entries.map { $0["matches"]?.elements ?? [] }
        #expect(matches.map(\.count) == [3, 1, 0])
        #expect(matches[1][0]["title"]?.text == "Title 1")
        #expect(matches[1][0]["links", "self"]?.text == "/books/item1")
        for match in matches.joined() {
            let address = try #require(match["links", "self"]?.text)
            #expect(try client.get(address).status == 200, "\(address)")
        }
        let page = try client.get("/?q=title+1", accept: "text/html")
        #expect(page.htmlValues(of: "href").contains("/items?q=title%201"))
        #expect(page.body.contains("More in Items") && !page.body.contains("More in Books"))
    }

    @Test("a list is found by its name, too, and nothing else leads back")
    func names() throws {
        let client = try Client(try lists())
        let named = try client.get("/?q=book", accept: "text/html")
        #expect(named.htmlValues(of: "href").contains("/books"))
        #expect(!named.htmlValues(of: "href").contains("/items"))
        let none = try client.get("/?q=nobody", accept: "text/html")
        #expect(none.body.contains("No list has “nobody”"))
        #expect(none.htmlValues(of: "href").contains("/"))
    }

    @Test("a list that cannot be read is named as one that was not searched")
    func unreadable() throws {
        let source = CountingSource(
            base: try MemorySource.items(.numbered(5), list: "closed"),
            failure: { _ in .unavailable(reason: "away") }
        )
        let client = try Client(try lists() + [ListDefinition("closed", source: source)])
        let page = try client.get("/?q=title", accept: "text/html").body
        let parts = page.split(separator: "<h2>Not searched</h2>", maxSplits: 1)
        #expect(parts.count == 2)
        #expect(parts.last?.contains("Not readable now") == true)
        #expect(parts.first?.contains("/items/item1") == true)
    }

    @Test("nobody finds rows or lists that they may not read")
    func scopes() throws {
        let client = try AuthorizedClient(
            try lists(),
            [("some", "items:read:size__gt=9"), ("books", "books:read")]
        )
        let own = try client.ask(.get, "/.json?q=title", as: "some").json()
        #expect(own["lists"]?.elements.map { $0["id"]?.text } == ["items"])
        let matches = own["lists"]?.elements.first?["matches"]?.elements ?? []
        let wanted = [Item].numbered(40).filter { ($0.size ?? 0) > 9 }.map { "/items/\($0.id)" }
        #expect(matches.map { $0["links", "self"]?.text } == wanted.prefix(3).map { $0 })
        let other = try client.ask(.get, "/.html?q=title", as: "books").body
        #expect(other.contains("/books/item1") && !other.contains("/items"))
    }

    @Test("a form without words is the directory, and other questions are refused")
    func parameters() throws {
        let client = try Client(try lists())
        let empty = try client.get("/?q=")
        #expect(empty.status == 303)
        #expect(empty.field("Location") == "/")
        for (query, detail) in [
            ("q=%21", "'q' has no letter or digit to search for."),
            ("limit=3", "No parameter 'limit'. Known here: q."),
            ("q=a&q=b", "'q' may be given once."),
        ] {
            let answer = try client.get("/.json?\(query)")
            #expect(answer.status == 400)
            #expect(try answer.json()["errors"]?.elements.first?["detail"]?.text == detail)
        }
    }
}
