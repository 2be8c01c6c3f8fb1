import Listings
import Rendering
import Testing

@Suite("Widths of columns in large pages")
struct HTMLColumnWidthsTests {
    private static func page(
        rows: Int,
        columns: Int,
        name: String = "Ada",
        events: RowEvents<Person>? = nil
    ) -> Page {
        Fixture.page(
            [PeopleSection(people: (0..<rows).map { Person(id: "\($0)", name: name) })],
            query: ListQuery(
                columns: (0..<columns).map { $0 % Fixture.schema.columns.count },
                shape: .flow(limit: rows)
            ),
            events: events
        )
    }

    private static func widths(_ page: borrowing Page, layout: PageLayout = .table) -> [String] {
        HTMLOutline(Fixture.html(page, layout: layout)).attributes("data-columns")
    }

    @Test("are told of many cells, one for each column")
    func largePages() throws {
        let told = try #require(Self.widths(Self.page(rows: 500, columns: 20)).first)
        let widths = told.split(separator: " ")
        #expect(widths.count == 20)
        #expect(widths.allSatisfy { $0.hasSuffix("ch") && Int($0.dropLast(2)) ?? 0 >= 7 })
    }

    @Test("are not told where a browser finds them soon, or rows have menus")
    func otherPages() {
        #expect(Self.widths(Self.page(rows: 499, columns: 20)) == [])
        #expect(Self.widths(Self.page(rows: 1500, columns: 6)) == [])
        #expect(Self.widths(Self.page(rows: 500, columns: 20), layout: .grid) == [])
        var events = RowEvents<Person>()
        events.perform = { _, _ in .done(message: nil) }
        events.actions = { _ in [RowAction("delete")] }
        #expect(Self.widths(Self.page(rows: 500, columns: 20, events: events)) == [])
    }

    @Test("follow the texts up to where those are cut")
    func texts() {
        // Of the first column, with room for the edges and the button; its label has five digits.
        let cases = [
            ("a", 5), ("twelve bytes", 12), ("京都市", 6), ("a<b&c\"d", 7),
            (String(repeating: "long ", count: 20), 36),
        ]
        for (name, digits) in cases {
            let told = Self.widths(Self.page(rows: 500, columns: 20, name: name))
            #expect(told.first?.hasPrefix("\(digits + 5)ch ") == true, "\(name): \(told)")
        }
    }
}
