import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListAPI

@Suite("Conditions joined by or and not")
struct FilterGroupTests {
    private func client() throws -> Client { try Client([.items(.numbered(30))]) }

    @Test(
        "a row meets or if it meets one of the conditions, and not if it misses one of them",
        arguments: InputRow.table(
            """
            or=(size=10,title=Title+3)&group=none&sort=id
              item10 item17 item21 item24 item3
            or=(size=10,and(size__gte=3,size__lt=4))&group=none&sort=id
              item10 item14 item21 item25 item3
            not=(size__lt=10)&group=none&sort=id
              item10 item21
            not=(size__gte=3,size__lt=4)&size__lt=5&size__gt=2&group=none&sort=id
              item15 item26 item4
            or=(size=3,size=4)&or=(title=Title+3,title=Title+4)&group=none&sort=id
              item25 item3 item4
            or=(id__in=(item7,item8),not(size__isnull=true,size__lt=100))&id__in=item7,item9&group=none
              item7 item9
            or=(title=%22Title+3%22,title__in=(%22Title+4%22,none))&size=3&group=none&sort=id
              item25 item3
            """
        )
    )
    func conditions(_ row: InputRow) throws {
        let answer = try client().get("/items.json?\(row.input)")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try answer.rows().map(\.id).joined(separator: " ") == row.expected.joined())
    }

    @Test("links keep the conditions, and lead to the same rows")
    func links() throws {
        let query = "or=(size=3,not(title__in=(%22a,b%22,c),size__gt=1))&limit=1"
        let page = try client().get("/items.json?\(query)&group=none")
        let next = try #require(page.json()["links", "next"]?.text)
        #expect(next.contains("or=(size=3,not(title__in=(%22a%2Cb%22,c),size__gt=1))"), "\(next)")
        #expect(try client().get(next).status == 200)
    }

    @Test("a page shows joined conditions as one condition, with a link that removes it")
    func shown() throws {
        let page = try client().get("/items.html?or=(size__lt=3,not(title=a,shelf=b))&size__gt=1")
        let label = "Size below 3 or (Not: Title is a and Shelf is b)"
        #expect(page.body.contains(label), "\(page.body)")
        #expect(page.body.contains("<a class=\"btn\" href=\"/items.html?size__gt=1\""))
    }

    @Test(
        "an error names the character",
        arguments: [
            ("or=size=3", "or malformed-group: Character 1 of 'or' must be (.; position 1"),
            (
                "or=(size=3",
                "or malformed-group: Character 8 of 'or' must be a comma or ).; position 8"
            ),
            (
                "or=(size=3)x",
                "or malformed-group: Character 9 of 'or' must be the end.; position 9"
            ),
            (
                "or=()",
                "or malformed-group: Character 2 of 'or' must be a condition.; position 2"
            ),
            (
                "or=(size)",
                "or malformed-group: Character 7 of 'or' must be = and a value.; position 7"
            ),
            (
                "not=(title=%22a)",
                "not malformed-group: Character 8 of 'not' must be a second quotation mark after this one.; position 8"
            ),
            (
                "or=(size__in=3)",
                "or malformed-group: Character 11 of 'or' must be ( before the values.; position 11"
            ),
            (
                "or=(size=3,sizo=4)",
                "or unknown-column: Character 9: No column 'sizo'.; position 9; suggestion size"
            ),
            (
                "or=(size=3,and(size__lt=x))",
                "or wrong-type: Character 13: 'size__lt' takes a whole number in digits, not 'x'.; position 13"
            ),
            (
                "or=" + String(repeating: "(not", count: 9),
                "or malformed-group: Character 33 of 'or' must be at most 8 groups inside one another.; position 33"
            ),
        ]
    )
    func errors(query: String, line: String) throws {
        let answer = try client().get("/items?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.errorLines().first == line)
    }

    @Test("all conditions together have a bound, those of groups too")
    func bound() throws {
        let members = (0..<17).map { "size__ne=\($0)" }.joined(separator: ",")
        let answer = try client().get("/items?or=(\(members))")
        #expect(try answer.faults() == ["or too-many-filters"])
    }

    @Test("a column may have the name of the parameter, which is a condition on it then")
    func column() throws {
        let schema = try ListSchema(columns: [Column("or"), Column("a=b")])
        var parameters = ListParameters(
            [.init(name: "or", value: "(x)")],
            list: "l",
            schema: schema,
            accepted: .accepted(at: .scope)
        )
        #expect(parameters.readFilters() == [Filter(column: 0, .equal, [.text("(x)")])])
        parameters = ListParameters(
            [.init(name: "not", value: "(\"a=b\"=1)")],
            list: "l",
            schema: schema,
            accepted: .accepted(at: .scope)
        )
        let inner = Filter(column: 1, .equal, [.text("1")])
        #expect(parameters.readFilters() == [Filter(FilterGroup(.notAll, [inner]))])
    }
}
