import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Sums, averages and extremes")
struct AggregateTests {
    private func client() throws -> Client { try Client([.items(.numbered(5, shelves: 2))]) }

    @Test("a page has those of the list, and each section its own, whatever the page shows")
    func members() throws {
        let page = try client().get("/items?sum=size&avg=size&min=title,size&max=size&limit=1")
            .json()
        let all = page["aggregates"]
        #expect(all?["sum", "size"]?.integer == 15 && all?["avg", "size"]?.integer == 3)
        #expect(all?["min", "title"]?.text == "Title 1" && all?["max", "size"]?.integer == 5)
        let section = page["sections"]?.elements.first
        #expect(section?["id"]?.text == "shelf 0")
        #expect(section?["aggregates", "sum", "size"]?.integer == 6)
        #expect(section?["count", "value"]?.integer == 2)
    }

    @Test("only rows that meet the conditions count; without any there is no value")
    func conditions() throws {
        let client = try client()
        let some = try client.get("/items?sum=size&or=(size=1,size=4)").json()
        #expect(some["aggregates", "sum", "size"]?.integer == 5)
        let none = try client.get("/items?sum=size&size__gt=99").json()
        #expect(none["aggregates", "sum", "size"] == .null)
        #expect(try client.get("/items?limit=1").json()["aggregates"] == nil)
    }

    @Test("a page for people shows them below each section, and those of the list above")
    func shown() throws {
        let page = try client().get("/items.html?sum=size&max=title").body
        for (sum, greatest) in [(6, "Title 4"), (9, "Title 5")] {
            #expect(page.contains(#"<span class="n">Sum</span> <bdi>\#(sum)</bdi>"#))
            #expect(page.contains(#"<span class="n">Greatest</span> <bdi>\#(greatest)</bdi>"#))
        }
        #expect(page.contains("Sum of Size: 15 · Greatest Title: Title 5"))
        let whole = try client().get("/items.html?sum=size&group=none").body
        #expect(whole.ranges(of: "<bdi>15</bdi>").count == 1)
        let narrow = try client().get("/items.html?sum=size&group=none&columns=title").body
        #expect(narrow.ranges(of: "Sum of Size: 15").count == 1)
        let filled = try client().get("/items?filled=size,title&group=none").json()
        #expect(filled["aggregates", "filled", "size"]?.integer == 5)
    }

    @Test("links keep them, and rows alone have none")
    func links() throws {
        let client = try client()
        let page = try client.get("/items?sum=size&avg=size&limit=2").json()
        #expect(page["links", "next"]?.text?.contains("sum=size&avg=size") == true)
        #expect(try client.get("/items.csv?sum=size").status == 200)
        #expect(try client.get("/items?sum=size&shape=array&limit=1").json().elements.count == 1)
    }

    @Test(
        "a column without the aggregate is refused",
        arguments: [
            ("sum=title", "sum unusable-column: 'sum' is not for 'title'; columns for it: size."),
            (
                "min=note",
                "min unusable-column: 'min' is not for 'note'; columns for it: title, shelf, size."
            ),
            ("avg=size,size", "avg repeated-column: Column 'size' is named twice."),
            ("max=siz", "max unknown-column: No column 'siz'.; suggestion size"),
        ]
    )
    func refusals(query: String, line: String) throws {
        #expect(try client().get("/items?\(query)").errorLines().first == line)
    }

    @Test("the statistics of a column are those of the rows that match")
    func statistics() throws {
        let client = try Client([try .items(.numbered(40))])
        func statistics(_ query: String) throws -> JSON? {
            try client.get("/items.json?\(query)").json()["statistics"]
        }
        let sizes = [Item].numbered(40).filter { $0.shelf == "shelf 1" }.compactMap(\.size)
        let found = try statistics("statistics=size&shelf=shelf+1")
        #expect(found?["present"]?.integer == sizes.count)
        #expect(found?["min"]?.integer == sizes.min().map(Int.init))
        #expect(found?["max"]?.integer == sizes.max().map(Int.init))
        #expect(found?["distinct"]?.integer == Set(sizes).count)
        let bars = found?["histogram"]?.elements ?? []
        #expect(bars.compactMap { $0["count"]?.integer }.reduce(0, +) == sizes.count)
        for bar in bars {
            let (start, end) = (bar["start"]?.integer ?? 0, bar["end"]?.integer ?? 0)
            let rows = sizes.count { Int($0) >= start && Int($0) < end }
            #expect(bar["count"]?.integer == rows, "\(start)..<\(end)")
        }
        let titles = try statistics("statistics=title")
        #expect(titles?["shortest"]?.text == "Title 0")
        #expect(titles?["frequent"]?.elements.count == 5)
        #expect(try statistics("limit=1") == nil)
        let page = try client.get("/items.html?statistics=size").body
        #expect(page.contains("Statistics of Size") && page.contains("<svg role=\"img\""))
        #expect(try client.get("/items.csv?statistics=size").body == client.get("/items.csv").body)
    }

    @Test(
        "statistics are of one column that has an order",
        arguments: [
            ("size,title", "statistics too-many-columns: One column may be named."),
            ("siz", "statistics unknown-column: No column 'siz'.; suggestion size"),
        ]
    )
    func refusedStatistics(columns: String, line: String) throws {
        let answer = try client().get("/items?statistics=\(columns)")
        #expect(try answer.errorLines().first == line)
    }
}
