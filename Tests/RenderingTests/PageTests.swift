import Bytes
import Foundation
import Listings
import Testing

@testable import Rendering

@Suite("What stands in a page")
struct PageTests {
    @Test(
        "counts are grouped by thousands",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (33_406, "33,406"),
            (1_234_567, "1,234,567"), (-1000, "-1,000"), (Int.min, "-9,223,372,036,854,775,808"),
        ]
    )
    func numbers(_ value: Int, _ expected: String) {
        #expect(PageLanguage.english.texts.number(value) == expected)
    }

    @Test("a count says whether there may be more")
    func counts() {
        #expect(PageLanguage.english.texts.rows(Count(1)) == "1 row")
        #expect(PageLanguage.english.texts.rows(Count(10_000, .atLeast)) == "10,000+ rows")
    }

    @Test("days are written for people")
    func dates() throws {
        let date = try #require(CalendarDate("2021-03-04"))
        #expect(Fixture.text { PageLanguage.english.texts.write(date, to: &$0) } == "4 Mar 2021")
    }

    @Test("the caption says how the list is cut and sorted")
    func captions() {
        func caption(_ grouping: Grouping?, _ sort: [SortKey]) -> String {
            let query = ListQuery(grouping: grouping, sort: sort, shape: .flow(limit: 1))
            return PageLanguage.english.texts.caption("People", query, Fixture.schema)
        }
        #expect(caption(nil, []) == "People")
        #expect(caption(Grouping(column: 5), []) == "People by active")
        #expect(
            caption(nil, [SortKey(.column(0), .descending), SortKey(.id, .descending)])
                == "People, sorted by name and id, descending"
        )
        let mixed = [SortKey(.column(3), .descending), SortKey(.column(0)), SortKey(.id)]
        #expect(
            caption(nil, mixed)
                == "People, sorted by age descending, then name ascending, then id ascending"
        )
        let german = PageLanguage.german.texts.caption(
            "Leute",
            ListQuery(sort: Array(mixed.prefix(2)), shape: .flow(limit: 1)),
            Fixture.schema
        )
        #expect(german == "Leute, sortiert nach Age absteigend, dann Name aufsteigend")
    }

    @Test("a page without rows says why in JSON")
    func emptiness() throws {
        func reason(_ page: borrowing Page) throws -> String? {
            let data = Data(Fixture.json(page).utf8)
            let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            return (json?["empty"] as? [String: Any])?["reason"] as? String
        }
        let nothing = Fixture.page([])
        #expect(try reason(nothing) == "noData")
        let behind = ListQuery(shape: .flow(limit: 4), start: .after(Fixture.cursor("9")))
        let elsewhere = Fixture.page([], query: behind)
        #expect(try reason(elsewhere) == "noMatch")
        let section = PeopleSection(people: [], header: "A", count: Count(2))
        let index = Fixture.page([section], query: ListQuery(shape: .peek(limit: 4, rows: 0)))
        #expect(try reason(index) == nil)
        let fixed = PeopleSection(people: [], header: "A", count: Count(0))
        #expect(try reason(Fixture.page([fixed])) == "noData")
        var collapsed = section
        collapsed.isCollapsed = true
        #expect(try reason(Fixture.page([collapsed])) == nil)
        var loading = Fixture.page([])
        loading.emptyState = EmptyState(.loading)
        #expect(try reason(loading) == "loading")
        loading.emptyState = EmptyState(.failed, title: "Down")
        #expect(try reason(loading) == "failed")
    }

    @Test("members that are missing are null, and an empty header stays empty")
    func nulls() {
        let section = PeopleSection(people: [], header: "")
        let json = Fixture.json(Fixture.page([section]))
        #expect(json.contains(#""header":{"title":""},"footer":null,"count":null,"#))
        #expect(json.contains(#""total":null"#))
        #expect(json.contains(#""prev":null,"next":null"#))
    }

    @Test("only the columns asked for are shown, in their order")
    func projection() {
        let query = ListQuery(columns: [3, 0], shape: .flow(limit: 4))
        let page = Fixture.page([PeopleSection(people: [Samples.barbara])], query: query)
        #expect(Fixture.json(page).contains(#""cells":{"age":70,"name":"Barbara Allen"}"#))
        #expect(Fixture.csv(page) == "section,id,age,name\r\nall,19,70,Barbara Allen\r\n")
        #expect(HTMLOutline(Fixture.html(page)).tags.count { $0.name == "td" } == 1)
    }

    @Test(
        "the entity tag of a row holds no byte that a field may not",
        arguments: [("19", "\"19-3\""), ("a \"b\"\r\n%é", "\"a%20%22b%22%0D%0A%25%C3%A9-3\"")]
    )
    func entityTags(_ id: String, _ expected: String) {
        let tag = Fixture.text { RowETag.write(id: id.utf8.span, revision: 3, to: &$0) }
        #expect(tag == expected)
    }

    @Test("rows of several pages make one document")
    func exports() {
        let first = Fixture.page(Samples.barbara)
        let second = Fixture.page(Samples.elodie)
        let csv = CSVRowRenderer()
        let text = Fixture.text { buffer in
            csv.renderStart(of: first, to: &buffer)
            csv.renderRows(of: first, to: &buffer)
            csv.renderRows(of: second, to: &buffer)
        }
        #expect(readCSV(text).map { $0[1] } == ["id", "19", "127"])
    }
}
