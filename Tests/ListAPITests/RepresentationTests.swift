import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import TestSupport
import Testing

@Suite("Every representation shows the same rows in the same order")
struct RepresentationTests {
    @Test("texts that a spreadsheet would run are kept in CSV, unless they are to be neutralised")
    func formulas() throws {
        let items = [Item(id: "1", title: "=1+1", shelf: "a", size: -1)]
        var options = ServiceOptions()
        let target = "/items.csv?columns=title,size"
        let kept = try Client([.items(items)], options: options).get(target)
        #expect(kept.body.hasSuffix("\r\na,=1+1,-1\r\n"))
        options.formulas = .neutralised
        let safe = try Client([.items(items)], options: options).get(target)
        #expect(safe.body.hasSuffix("\r\na,'=1+1,-1\r\n"))
        #expect(kept.field("ETag") != safe.field("ETag"))
    }

    @Test(
        "JSON, pages, tables and lines show the same ids",
        arguments: [
            "limit=500", "limit=7", "limit=7&page=3", "sort=-age,city&limit=60",
            "group=none&limit=60",
            "group=city&limit=60", "group=lastName:initial&limit=60", "section=Writer&limit=60",
            "section=Writer&section=Engineer&limit=20&page=2", "limit=60&sort=city",
            "per_section=3", "per_section=1&group=city&limit=30", "group=age&sort=-id&limit=60",
        ]
    )
    func sameRows(query: String) throws {
        for way in Way.allCases {
            let client = try Client(samples: way)
            let rows = try client.get("/users.json?\(query)").rows()
            #expect(!rows.isEmpty)
            for format in ["html", "csv", "ndjson"] {
                let answer = try client.get("/users.\(format)?\(query)&columns=city,id,section")
                #expect(try answer.rows() == rows, "\(format)")
            }
        }
    }

    @Test("chosen columns come in the order they were asked for", arguments: Way.allCases)
    func columns(way: Way) throws {
        let client = try Client(samples: way)
        let query = "columns=age,lastName&limit=2"
        let page = try client.get("/users?\(query)").json()
        #expect(page["columns"]?.elements.map { $0["id"]?.text } == ["age", "lastName"])
        #expect(try client.get("/users.csv?\(query)").body.hasPrefix("section,age,lastName\r\n"))
        let line = try client.get("/users.ndjson?\(query)").body.prefix { $0 != "\n" }
        let order = try ["id", "section", "age", "lastName"].map { name in
            try #require(line.firstRange(of: "\"\(name)\":")).lowerBound
        }
        #expect(order == order.sorted())
        let row = try client.get("/users/3?columns=age,lastName").json()
        #expect(row["row", "cells"] == .object(["age": .number(47), "lastName": .text("O'Brien")]))
        let heads = try client.get("/users.html?\(query)").body.split(
            separator: "<th scope=\"col\""
        )
        #expect(heads.count == 3)
        #expect(heads[1].contains(">Age<") && heads[2].contains(">Last name"))
    }

    @Test("a table of the rows that meet a condition is sent in few pieces")
    func narrowedExport() throws {
        let client = try Client([try ListDefinition.items(.numbered(7_000, shelves: 1))])
        // Each is read by looking at all rows that meet it: 200, 400, 800, 1,600 and then 2,000.
        let some = try client.get("/items.csv?size__gte=0&columns=id")
        #expect(some.body.split(separator: "\r\n").count == 7_001)
        #expect(some.pieces == 6)
        #expect(try some.rows() == client.get("/items.csv?columns=id").rows())
    }

    @Test(
        "a table is sent whole, piece by piece, unless a limit is asked for",
        arguments: ["csv", "ndjson"]
    )
    func export(format: String) throws {
        let lists = [try ListDefinition.items(.numbered(1_345, shelves: 7))]
        let client = try Client(lists)
        var expected: [ShownRow] = []
        var next: String? = "/items?limit=500&sort=-size"
        while let target = next {
            let page = try client.get(target).json()
            expected += page.rows
            next = page.link("next")
        }
        #expect(Set(expected).count == 1_345)
        let target = "/items.\(format)?sort=-size&columns=id,section,title"
        let whole = try client.get(target)
        #expect(try whole.rows() == expected)
        #expect(whole.pieces > 5)
        let served = try Client(lists, .throughServer).get(target)
        #expect(served.body == whole.body)
        #expect(served.field("Transfer-Encoding") == "chunked")
        let links = try LinkField(whole)
        #expect(links["next"] == nil && links["prev"] == nil)

        var walked: [ShownRow] = []
        next = target + "&limit=50"
        while let target = next {
            let page = try client.get(target)
            let rows = try page.rows()
            #expect(rows.count <= 50)
            walked += rows
            next = try LinkField(page)["next"]
        }
        #expect(walked == expected)
    }

    @Test("a table may begin at a cursor or be one section")
    func partOfTable() throws {
        let client = try Client([.items(.numbered(700))])
        let page = try client.get("/items?limit=300").json()
        let after = try #require(page["page", "after"]?.text)
        let rest = try client.get("/items.csv?after=\(after)&columns=id,section").rows()
        #expect(rest.count == 400)
        #expect(Set(rest).isDisjoint(with: page.rows))
        let section = try client.get("/items/-/sections/shelf%201.ndjson").rows()
        #expect(section.count == 234)
        #expect(Set(section.map(\.section)) == ["shelf 1"])
    }

    @Test("an empty list has a header line and nothing else", arguments: Way.allCases)
    func emptyTable(way: Way) throws {
        let client = try Client([.items([])], way)
        #expect(try client.get("/items.csv").body == "section,title,shelf,size,note\r\n")
        let lines = try client.get("/items.ndjson")
        #expect(lines.status == 200)
        #expect(lines.body == "")
        #expect(try client.get("/items").status == 200)
        #expect(try client.get("/items.html").status == 200)
        #expect(try client.get("/items/-/sections").status == 200)
    }

    @Test(
        "a row whose controller fails stands in its place, and the others stay",
        arguments: Way.allCases
    )
    func failedRow(way: Way) throws {
        let items = (1...5).map { Item(id: "\($0)", title: "T\($0)", shelf: "s") }
        let source = try MemorySource.items(
            items,
            grouping: nil,
            controller: ItemController(refusedIDs: ["3"])
        )
        let client = try Client([ListDefinition("items", source: source)], way)
        let answer = try client.get("/items")
        #expect(answer.status == 200)
        #expect(try answer.rows().map(\.id) == ["1", "2", "3", "4", "5"])
        let row = try answer.json()["sections"]?.elements.first?["rows"]?.elements[2]
        #expect(row?["error", "code"]?.text == "row-failed")
        #expect(row?["cells"] == nil)
        for format in ["html", "csv", "ndjson"] {
            let other = try client.get("/items.\(format)?columns=id,title")
            #expect(other.status == 200)
            #expect(try other.rows().map(\.id) == ["1", "2", "3", "4", "5"])
        }
        #expect(try client.get("/items/3").status == 200)
        #expect(try client.get("/items/3.html").status == 200)
    }
}
