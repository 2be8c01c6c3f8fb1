import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Ids are opaque: every link to a row or section leads to it")
struct AddressTests {
    private static let names = [
        "a", "a b", "a/b", "/", "//", "a.json", "a.html", "a.csv.ndjson", "a.txt", ".json", "x.",
        ".", "..", "...", "..json", "-", "a%2Fb", "%", "%25", "%zz", "+", "a+b", "?", "a?b=c", "#",
        "&", "a&b=c", "=", "a;b,c", ":", "a:initial", "none", "all", "~", "~~", "~a", "é",
        "東京", "نص", "👩‍👧", "'", "\"", "<b>", "\\", "|", "[x]", "{x}", "^", "`", " ", " a ",
        "sections",
        "schema", "$", "!", "*", "(a)", "@", "null", "0", "-1",
    ]

    @Test("the links of a list lead to its rows, in JSON and in pages", arguments: Way.allCases)
    func rows(way: Way) throws {
        let items = Self.names.map { Item(id: $0, title: "Title of \($0)", shelf: "one") }
        let client = try Client([.items(items)], way)
        let list = try client.get("/items?limit=500").json()
        let rows = list["sections"]?.elements.first?["rows"]?.elements ?? []
        #expect(Set(rows.compactMap { $0["id"]?.text }) == Set(Self.names))
        for row in rows {
            let id = try #require(row["id"]?.text)
            let address = try #require(row["links", "self"]?.text)
            let answer = try client.get(address)
            #expect(answer.status == 200, "\(address)")
            let document = try answer.json()
            #expect(document["row", "id"]?.text == id)
            #expect(document["row", "cells"] == row["cells"])
            #expect(document["row", "links", "self"]?.text == address)
            #expect(try client.get(try #require(document.link("self"))).body == answer.body)
            let page = try client.get(try #require(document.link("html")))
            #expect(page.mediaType == "text/html", "\(address)")
            #expect(page.body.unescapedHTML.contains("<dd>\(id)</dd>"), "\(address)")
        }
        let page = try client.get("/items?limit=500", accept: "text/html")
        let pages = try page.htmlValues(of: "href").filter { $0.hasPrefix("/items/") }
            .map { try client.get($0, accept: "text/html").body.unescapedHTML }
        for id in Self.names {
            let isFound = pages.contains { $0.contains("<dd>\(id)</dd>") }
            #expect(isFound, "a page leads to the row \(id)")
        }
    }

    @Test("the links of a list lead to its sections", arguments: Way.allCases)
    func sections(way: Way) throws {
        let items =
            (Self.names + ["", "e\u{301}"]).enumerated().map { Item(id: "\($0)", shelf: $1) }
            + [Item(id: "null", shelf: nil)]
        let client = try Client([.items(items)], way)
        let list = try client.get("/items?limit=500").json()
        let index = try client.get("/items/-/sections?limit=500").json()
        let sections = list["sections"]?.elements ?? []
        #expect(sections.count == items.count)
        #expect(index["sections"]?.elements.count == items.count)
        for section in sections {
            let id = try #require(section["id"]?.text)
            let address = try #require(section["links", "self"]?.text)
            let answer = try client.get(address)
            #expect(answer.status == 200, "\(address)")
            let document = try answer.json()
            #expect(document.rows == [ShownRow(section: id, id: section.firstRowID)])
            let own = try #require(document.link("self"))
            #expect(try client.get(own).body == answer.body, "\(own)")
            for format in ["html", "csv", "ndjson"] {
                let other = try client.get(try #require(document.link(format)))
                let expected = document.rows.map { format == "csv" ? "" : $0.id }
                #expect(try other.rows().map(\.id) == expected, "\(address)")
            }
            let found = index["sections"]?.elements.first { $0["id"]?.text == id }
            #expect(found?["links", "self"]?.text?.hasPrefix("/items/-/sections/") == true)
            let query = "/items?limit=500&section=" + encoded(id)
            #expect(try client.get(query).json().rows == document.rows, "\(query)")
        }
    }

    @Test("the rows without a value are a section like any other, named ~")
    func nullSection() throws {
        let items = [
            Item(id: "1", shelf: nil), Item(id: "2", shelf: "~"), Item(id: "3", shelf: "a"),
        ]
        let client = try Client([.items(items)])
        let list = try client.get("/items").json()
        #expect(list["sections"]?.elements.map { $0["id"]?.text } == ["~~", "a", "~"])
        #expect(
            list["sections"]?.elements.map { $0["header", "title"]?.text }
                == ["~", "a", "No shelf"]
        )
        #expect(try client.get("/items/-/sections/~").json().rows.map(\.id) == ["1"])
        #expect(try client.get("/items/-/sections/~~").json().rows.map(\.id) == ["2"])
        #expect(try client.get("/items?section=~&section=a").json().rows.map(\.id) == ["3", "1"])
    }

    @Test(
        "a list may be called what a format is called by",
        arguments: ["data.json", "a.b", "a b%"]
    )
    func listName(name: String) throws {
        let client = try Client([.items(.numbered(60), list: name)])
        let directory = try client.get("/").json()
        let address = try #require(directory["lists"]?.elements.first?["links", "self"]?.text)
        let list = try client.get(address).json()
        #expect(list.rows.count == 50)
        for link in ["self", "first", "next", "html", "csv", "ndjson", "sections", "schema"] {
            let target = try #require(list.link(link))
            #expect(try client.get(target).status == 200, "\(target)")
        }
        let section = try #require(list["sections"]?.elements.first)
        let row = try #require(section["rows"]?.elements.first?["links", "self"]?.text)
        #expect(try client.get(row).json()["row", "id"] == section["rows"]?.elements.first?["id"])
        let own = try #require(section["links", "self"]?.text)
        #expect(try client.get(own).json()["sections"]?.elements.count == 1)
    }

    /// Encodes everything, which no reader may mind.
    private func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension JSON {
    fileprivate var firstRowID: String { self["rows"]?.elements.first?["id"]?.text ?? "" }
}
