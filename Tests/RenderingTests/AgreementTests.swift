import Foundation
import Listings
import Rendering
import TestSupport
import Testing

/// Every representation of a page shows the same rows in the same order.
@Suite("Agreement of the formats")
struct AgreementTests {
    @Test("all formats name the same rows in the same order", arguments: UInt64(1)...40)
    func ids(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let people = generator.people()
        let page = page(people, cut: generator.next(below: people.count + 1))
        let ids = people.map(\.id)
        #expect(try idsInJSON(Fixture.json(page)) == ids, "seed \(seed)")
        #expect(readCSV(Fixture.csv(page)).dropFirst().map { $0[1] } == ids, "seed \(seed)")
        #expect(try idsInNDJSON(Fixture.ndjson(page)) == ids, "seed \(seed)")
        #expect(idsInHTML(Fixture.html(page)) == ids, "seed \(seed)")
        let grid = Fixture.html(page, layout: .grid)
        #expect(idsInHTML(grid, of: "li") == ids, "seed \(seed), as a grid")
        #expect(HTMLOutline(grid).isBalanced, "seed \(seed), as a grid")
    }

    @Test("all formats show the same texts", arguments: UInt64(1)...40)
    func texts(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let people = generator.people()
        let page = page(people, cut: people.count)
        let names = people.map { $0.fails ? nil : $0.name }
        let html = HTMLOutline(Fixture.html(page))
        #expect(html.isBalanced, "seed \(seed): \(html.fault ?? "")")
        let lines = Fixture.ndjson(page).utf8.split(separator: UInt8(ascii: "\n"))
        let records = readCSV(Fixture.csv(page)).dropFirst()
        for (index, record) in records.enumerated() where !people[index].fails {
            #expect(record[2] == names[index] ?? "", "seed \(seed), row \(index)")
            let line = try JSONSerialization.jsonObject(with: Data(lines[index])) as? [String: Any]
            #expect(line?["name"] as? String == names[index], "seed \(seed), row \(index)")
        }
    }

    @Test(
        "rows that are nothing but their cells are drawn as other rows are",
        arguments: UInt64(1)...60
    )
    func bareRows(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Rows are looked at 64 at a time.
        let drawn = (0..<(seed % 4 == 0 ? 40 : 1)).flatMap { _ in generator.people() }
        let people = drawn.enumerated().map { index, person in
            let number = Int64(generator.next(below: 1_000_000))
            let id = generator.next(below: 4) == 0 ? "\(index)\(person.id)" : "\(index)-x_~"
            var changed = Person(id: id, name: person.name, email: person.email)
            changed.age = generator.next(below: 3) == 0 ? nil : number
            changed.score = generator.next(below: 3) == 0 ? nil : Double(number) / 7
            changed.active = generator.next(below: 3) == 0 ? nil : number % 2 == 0
            changed.since = CalendarDate(year: 2026, month: 1 + Int(number % 12), day: 1)
            changed.ageDisplay = generator.next(below: 3) == 0 ? person.email : nil
            changed.revision = generator.next(below: 3) == 0 ? nil : number
            return changed
        }
        let page = page(people, cut: people.count / 2)
        let links = FixtureLinks(hasStem: false)
        #expect(Fixture.json(page) == Fixture.json(page, links: links), "seed \(seed)")
        #expect(Fixture.html(page) == Fixture.html(page, links: links), "seed \(seed)")
    }

    @Test(
        "initials are the same for rows that are nothing but their cells",
        arguments: [
            "Émile Zola", "Jörg Ø", "A\u{301}b C", "e\u{301} x", "李 雷", "👩‍👩‍👧 x", "A", "é",
            "ab é", "Zoë Ünal", "x \u{AD}y", "& <", "ß", "a  b", "Ǆ ǆ", " a b", "a b ",
            "\u{2BB}a b",
            "a\u{2BB} b\u{300}", "a\tb c", "x \r\ny", "z \u{7F}",
        ]
    )
    func initials(_ name: String) {
        let page = page([Person(id: "a", name: name, email: "x@example.org")], cut: 1)
        let links = FixtureLinks(hasStem: false)
        #expect(Fixture.html(page) == Fixture.html(page, links: links))
    }

    @Test(
        "texts of which every byte needs an escape have room, however long they are",
        arguments: [
            0, 1, 7, 8, 9, 31, 32, 33, 2_047, 2_048, 2_049, 4_082, 4_083, 4_084, 4_096, 4_097,
            20_000,
        ]
    )
    func escapes(_ count: Int) throws {
        for character in ["\u{1}", "\"", "&"] {
            let name = String(repeating: character, count: count)
            var person = Person(id: "a", name: name, email: "x@example.org")
            person.score = -.leastNormalMagnitude
            person.age = .min
            person.revision = .max
            let id = String(repeating: "b", count: count + 1)
            let people = [person, Person(id: id, name: name, email: name)]
            var page = page(people, cut: 2)
            let links = FixtureLinks(hasStem: false)
            #expect(Fixture.json(page) == Fixture.json(page, links: links))
            #expect(Fixture.html(page) == Fixture.html(page, links: links))
            // As often as an embedder shows it.
            page.show(columns: [0, 1, 0, 0])
            #expect(Fixture.json(page) == Fixture.json(page, links: links))
            #expect(Fixture.html(page) == Fixture.html(page, links: links))
        }
    }

    @Test("pages drawn one after the other are what each is alone", arguments: UInt64(1)...20)
    func succession(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let context = Fixture.context
        for _ in 0..<8 {
            let people = generator.people().filter { !$0.fails || generator.next(below: 2) == 0 }
            var query = ListQuery(shape: .flow(limit: 4 + generator.next(below: 2)))
            if generator.next(below: 2) == 0 { query.sort = [SortKey(.column(0))] }
            if generator.next(below: 2) == 0 { query.columns = [3, 0] }
            if generator.next(below: 2) == 0 { query.search = TextSearch("writer") }
            if generator.next(below: 2) == 0 {
                query.filters = [Filter(column: 0, .contains, [.text("<b>")])]
            }
            if generator.next(below: 2) == 0 { query.grouping = Grouping(column: 0) }
            let sections = people.isEmpty ? [] : [PeopleSection(people: people)]
            var page = Fixture.page(sections, query: query)
            if generator.next(below: 3) == 0 {
                page.emptyState = EmptyState(.loading, title: "Soon", message: "Wait.")
            }
            #expect(
                Fixture.text { JSONPageRenderer().render(page, in: context, to: &$0) }
                    == Fixture.json(page),
                "seed \(seed)"
            )
            for language in PageLanguage.allCases {
                var site = Fixture.site
                site.language = language
                let renderer = HTMLPageRenderer(site: site)
                #expect(
                    Fixture.text { renderer.render(page, in: context, to: &$0) }
                        == Fixture.text { renderer.render(page, in: Fixture.context, to: &$0) },
                    "seed \(seed)"
                )
            }
        }
    }

    @Test("rows of kinds that come to a page later are drawn as on a page of their own")
    func kinds() throws {
        var registry = ControllerRegistry()
        let people = try registry.register(PersonController())
        let cats = try registry.register(
            ClosureController<Cat>(
                columns: [
                    column("active", \.isAwake), column("name", \.name), column("paws", \.paws),
                ]
            )
        )
        let context = Fixture.context
        var page = Page(list: "people", schema: Fixture.schema)
        for round in 0..<3 {
            page.begin(
                ListQuery(shape: .flow(limit: 4)),
                version: ListVersion(epoch: 1, counter: 1)
            )
            page.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
            if round != 1 { page.append(Person(id: "p"), using: people) }
            if round > 0 { page.append(Cat(id: "c"), using: cats) }
            try page.end()
            var alone = Page(list: "people", schema: Fixture.schema)
            alone.begin(page.query, version: page.version)
            alone.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
            if round > 0 { alone.append(Cat(id: "c"), using: cats) }
            if round != 1 { alone.append(Person(id: "p"), using: people) }
            try alone.end()
            let drawn = Fixture.text { JSONPageRenderer().render(page, in: context, to: &$0) }
            let rows = try self.rows(drawn)
            #expect(rows.count == (round == 2 ? 2 : 1))
            #expect(try rows == self.rows(Fixture.json(alone)).reversed(), "round \(round)")
        }
    }

    /// The rows of a page, each as sorted JSON.
    private func rows(_ json: String) throws -> [String] {
        let page = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let sections = page?["sections"] as? [[String: Any]] ?? []
        return try sections.flatMap { $0["rows"] as? [Any] ?? [] }.map { row in
            let data = try JSONSerialization.data(withJSONObject: row, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
    }

    private func page(_ people: [Person], cut: Int) -> Page {
        Fixture.page([
            PeopleSection(key: .value(.text("a")), people: Array(people[..<cut]), header: "A"),
            PeopleSection(key: .value(.null), people: Array(people[cut...]), header: "None"),
        ])
    }

    private func idsInJSON(_ json: String) throws -> [String] {
        let page = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let sections = page?["sections"] as? [[String: Any]] ?? []
        return sections.flatMap { $0["rows"] as? [[String: Any]] ?? [] }
            .compactMap { $0["id"] as? String }
    }

    private func idsInNDJSON(_ lines: String) throws -> [String] {
        try lines.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let row = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
            return row?["id"] as? String
        }
    }

    private func idsInHTML(_ html: String, of element: String = "tr") -> [String] {
        HTMLOutline(html).attributes("id", of: element)
            .compactMap {
                $0.hasPrefix("r-") ? String($0.dropFirst(2)).removingPercentEncoding : nil
            }
    }
}

/// A model with fewer columns than a person, in another order.
private struct Cat: Identifiable, Sendable {
    let id: String
    let name = "Minka"
    let paws = 4
    let isAwake = true
}

extension SeededGenerator {
    mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func people() -> [Person] {
        (0...next(below: 10)).map { index in
            Person(
                id: "\(index)\(text())",
                name: next(below: 5) == 0 ? nil : text(),
                email: text(),
                site: "https://example.org/" + text(),
                fails: next(below: 8) == 0
            )
        }
    }

    mutating func text() -> String {
        let pieces = [
            "<script>alert(1)</script>", "\"", "'", "</td>", "&amp;", "\\", "\n", "\r\n", ",", "\0",
            "\u{1B}", "\u{202E}", "李", "é", " ", "a", "=", "]]>", "<!--", "\u{2028}", "%41", "/",
        ]
        return (0..<next(below: 6)).map { _ in pieces[next(below: pieces.count)] }.joined()
    }
}
