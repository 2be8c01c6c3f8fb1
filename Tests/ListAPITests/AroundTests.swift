import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("The page around a row")
struct AroundTests {
    private func client() throws -> Client {
        let items = (0..<30).map {
            Item(id: "n\($0)", title: "Title \(29 - $0)", shelf: "s\($0 % 2)")
        }
        return try Client([
            ListDefinition("items", source: try MemorySource.items(items, grouping: nil))
        ])
    }

    @Test(
        "the page around a row has it in its middle, in every order",
        arguments: [
            ("", 5, "n20"), ("sort=title&", 5, "n7"), ("sort=-title&", 4, "n29"),
            ("group=shelf&", 7, "n3"), ("shelf=s1&", 3, "n15"), ("q=title&", 3, "n0"),
        ]
    )
    func middle(condition: String, limit: Int, id: String) throws {
        let client = try client()
        let query = "\(condition)limit=\(limit)"
        let redirect = try client.get("/items?\(query)&around=\(id)")
        #expect(redirect.status == 303)
        let location = try #require(redirect.field("Location"))
        let parts = location.split(separator: "#")
        #expect(parts.count == 2 && parts[1] == "r-\(id)", "\(location)")
        let page = try client.get(String(parts[0])).rows().map(\.id)
        // The walk from the beginning has the same order.
        var all: [String] = []
        var next: String? = "/items?\(query)"
        while let address = next {
            let json = try client.get(address).json()
            all += try client.get(address).rows().map(\.id)
            next = json["links", "next"]?.text
        }
        let position = try #require(all.firstIndex(of: id))
        let first = max(0, position - limit / 2)
        #expect(page == Array(all[first..<min(first + limit, all.count)]))
    }

    @Test("a row that the query does not have is unknown, and the parameter has its conflicts")
    func refused() throws {
        let client = try client()
        #expect(try client.get("/items?around=none").status == 404)
        #expect(try client.get("/items?shelf=s1&around=n2").status == 404)
        #expect(try client.get("/items?around=n2&page=2").status == 400)
        #expect(try client.get("/items?around=n2&per_section=2").status == 400)
    }
}
