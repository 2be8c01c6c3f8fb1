import Foundation
import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListAPI

@Suite("Conditions in addresses")
struct FilterParameterTests {
    private func client() throws -> Client {
        try Client([.items(.numbered(30))])
    }

    @Test(
        "a column whose name ends with an underscore can be asked by every operator",
        arguments: [
            ("page_", "page_", nil), ("page___gte", "page_", "gte"), ("age__gte", "age", "gte"),
            ("age__", "age", ""), ("a_b", "a_b", nil), ("_", "_", nil),
        ] as [(String, String, String?)]
    )
    func underscore(name: String, column: String, operation: String?) {
        let parsed = FilterName(name)
        #expect(parsed.column == column && parsed.operation == operation)
    }

    @Test(
        "conditions are met by all rows shown; one that no row meets is no fault",
        arguments: InputRow.table(
            """
            size__gte=4&size__lt=6&group=none&sort=size
              item15 item26 item4 item16 item27 item5
            title=Title+3&size=3&group=none
              item3
            size__in=10,3&title__endswith=3&group=none
              item10 item3
            id=item7
              item7
            id__in=item7,none,item12&group=none
              item12 item7
            id__in=item7,item12&id__ne=item7
              item12
            id__nin=item7,item12&size__gte=0&group=none&sort=size,title
              item22 item11 item1 item23 item2 item24 item13 item14 item3 item25 item15 item4 item26 item16 item5 item27 item28 item17 item6 item29 item18 item8 item30 item19 item9 item20 item21 item10
            id=7
            """
        )
    )
    func conditions(_ row: InputRow) throws {
        let answer = try client().get("/items.json?\(row.input)")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try answer.rows().map(\.id).joined(separator: " ") == row.expected.joined())
    }

    @Test("conditions on ids are told in words, and kept by the links")
    func identities() throws {
        let page = try client().get("/items.html?id__in=item7,item12&limit=1")
        #expect(page.body.contains("ID is one of item7, item12"))
        #expect(page.body.contains("id__in=item7,item12&amp;limit=1&amp;after="))
    }

    @Test(
        "values between commas may stand between quotation marks",
        arguments: [
            ("a,b", ["a", "b"]), (#""a,b",c,"say ""hi""","""#, ["a,b", "c", #"say "hi""#, ""]),
            // An accent behind a mark would make it another character, and not another mark.
            (
                "a,\u{301}b,\"\u{301}\u{301}\",\",\u{301}\"\"\u{301}\"",
                ["a", "\u{301}b", "\u{301}\u{301}", ",\u{301}\"\u{301}"]
            ),
            ("", nil), (",", nil), ("a,", nil), (#""a"#, nil), (#""a"b"#, nil),
        ] as [(String, [String]?)]
    )
    func lists(text: String, values: [String]?) {
        #expect(ValueList.values(of: text) == values)
    }

    @Test(
        "a list of values is written so that it can be read",
        arguments: [["a"], ["a,b", ""], [#""q""#, "x"]]
    )
    func writtenLists(values: [String]) {
        #expect(ValueList.values(of: ValueList.text(of: values)) == values)
    }

    @Test("the sections of a question and the values of its conditions have a bound")
    func bounds() throws {
        let sections = (0...100).map { "section=s\($0)" }.joined(separator: "&")
        let tooMany = try client().get("/items?\(sections)").errorLines().first
        #expect(
            tooMany == "section too-many-values: 'section' may be given at most 100 times."
        )
        // Each list by itself is short enough.
        func conditions(_ count: Int) -> String {
            (0..<count).map { index in
                "size__nin=" + (0..<100).map { "\($0 + index)" }.joined(separator: ",")
            }
            .joined(separator: "&")
        }
        #expect(try client().get("/items?\(conditions(5))").status == 200)
        let answer = try client().get("/items?\(conditions(5))&size__ne=1")
        #expect(answer.status == 400)
        let fault =
            "size__ne too-many-operands: The conditions together may have at most 500 values."
        #expect(try answer.errorLines().first == fault)
    }

    private static let tooMuch = [
        ((0..<17).map { "size__ne=\($0)" }.joined(separator: "&"), "size__ne too-many-filters"),
        ("size__in=" + (0...100).map(String.init).joined(separator: ","), "size__in long-list"),
        ("q=" + (0..<17).map { "w\($0)" }.joined(separator: "+"), "q too-many-words"),
        ("facets=" + String(repeating: "size,", count: 8) + "size", "facets too-many-columns"),
        ("facets=size,shelf,size", "facets repeated-column"),
        ("columns=title,shelf,size,note,id,section,title", "columns too-many-columns"),
        ("sort=note", "sort unsortable-column"),
    ]

    @Test(
        "no more conditions, values, words and columns are taken than rows are read for",
        arguments: tooMuch
    )
    func tooMany(query: String, fault: String) throws {
        let answer = try client().get("/items?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.faults() == [fault], "\(answer.body)")
    }

    @Test("a column that rows are not chosen by takes no condition, and where none has words no q")
    func unfilterable() throws {
        let controller = ClosureController<Item>(columns: [Column("title", isFilterable: false)]) {
            [$0.title.map(CellValue.text) ?? .null]
        }
        var registry = ControllerRegistry()
        let source = try MemorySource(
            models: [Item].numbered(3),
            using: registry.register(controller),
            schema: ListSchema(columns: controller.columns),
            version: ListVersion(epoch: 1, counter: 1)
        )
        let client = try Client([ListDefinition("items", source: source)])
        #expect(
            try client.get("/items?title=x&q=y").faults().sorted()
                == ["q unsearchable-list", "title unfilterable-column"]
        )
        #expect(try client.get("/items?id=item1").rows().map(\.id) == ["item1"])
    }

    @Test(
        "what is wrong with a condition is said",
        arguments: InputRow.table(
            """
            /items?size__gtt=3&limit=9999
              limit limit-too-large: At most 500 rows a page.; maxLimit 500
              size__gtt unknown-operator: No operator 'gtt'; allowed here: eq, ne, lt, lte, gt, gte, in, nin, isnull, is.; suggestion size__gt
            /items?sizes__gte=3
              sizes__gte unknown-parameter: No column or parameter 'sizes__gte'. Columns: id, title, shelf, size, note.; suggestion size__gte
            /items?size__gte=abc&size__contains=1&size__isnull=maybe&size=&title__in=a,
              size__gte wrong-type: 'size__gte' takes a whole number in digits, not 'abc'.
              size__contains unusable-operator: 'contains' is not for numbers; allowed here: eq, ne, lt, lte, gt, gte, in, nin, isnull, is.
              size__isnull wrong-type: 'size__isnull' takes true or false, not 'maybe'.
              size missing-value: 'size' has no value.
              title__in malformed-list: 'title__in' takes values between commas; a value that is empty, has a comma or begins with a quotation mark stands between quotation marks, which are doubled inside.
            /items?id__lt=7&id__inn=7&ids=7&id=
              ids unknown-parameter: No column or parameter 'ids'. Columns: id, title, shelf, size, note.; suggestion id
              id__lt unusable-operator: 'lt' is not for ids; allowed here: eq, ne, in, nin.
              id__inn unknown-operator: No operator 'inn'; allowed here: eq, ne, in, nin.; suggestion id__in
              id missing-value: 'id' has no value.
            /items?q=--&count=all&facets=title,shelf&jump=Ab
              q empty-search: 'q' has no letter or digit to search for.
              count unknown-option: No option 'all'; allowed: none, capped, exact, estimated.
              facets unfacetable-column: The values of 'title' are not counted; shelf, size can be.
              jump not-a-letter: 'jump' takes one letter, not 'Ab'.
            /items?group=none&sort=size&jump=A
              jump no-letters: 'jump' needs an order that begins with a text: sort or group by one.
            """
        )
    )
    func refused(_ row: InputRow) throws {
        let answer = try client().get(row.input)
        #expect(answer.status == 400)
        #expect(try answer.errorLines() == row.expected)
    }

    @Test("every link keeps the conditions, and cursors are good for no others")
    func links() throws {
        let conditions = "q=title&size__in=1,2,3&shelf__ne=%22shelf%22"
        let answer = try client().get("/items.json?\(conditions)&limit=2&facets=shelf&count=exact")
        let links = try answer.json()["links"]
        for name in ["self", "first", "next", "html", "csv", "ndjson", "sections"] {
            let link = links?[name]?.text ?? ""
            #expect(link.contains(conditions), "\(name): \(link)")
        }
        let next = try #require(links?["next"]?.text)
        #expect(try client().get(next).status == 200)
        let other = next.replacingOccurrences(of: "size__in=1,2,3", with: "size__in=1,2")
        #expect(try client().get(other).status == 400)
        let same = next.replacingOccurrences(of: "size__in=1,2,3", with: "size__in=3,2,1")
        #expect(try client().get(same).status == 200)
    }

    @Test("other conditions are another representation")
    func entityTags() throws {
        let client = try client()
        let tags = try ["", "?size=1", "?size=2", "?q=title", "?count=none", "?facets=shelf"].map {
            try client.get("/items.json" + $0).field("ETag")
        }
        #expect(Set(tags).count == tags.count)
    }

    @Test("values are counted with their labels, and lead to the rows that have them")
    func facets() throws {
        var items = [Item].numbered(6, shelves: 2)
        items[0].shelf = nil
        let client = try Client([.items(items)])
        let target = "/items.json?facets=shelf&shelf=shelf+0&sort=title"
        let facets = try client.get(target).json()["facets"]
        let expected = try JSON(
            #"""
            [{"column": "shelf", "complete": true, "values": [
              {"value": "shelf 0", "label": "shelf 0", "count": 3, "selected": true,
               "href": "/items.json?sort=title&facets=shelf"},
              {"value": "shelf 1", "label": "shelf 1", "count": 2, "selected": false,
               "href": "/items.json?shelf=shelf%201&sort=title&facets=shelf"},
              {"value": null, "label": "No shelf", "count": 1, "selected": false,
               "href": "/items.json?shelf__isnull=true&sort=title&facets=shelf"}]}]
            """#
        )
        #expect(facets == expected)
    }

    @Test("rows are counted as asked, by parameter or by preference")
    func counting() throws {
        let client = try client()
        #expect(try client.get("/items.json?count=none").json()["total"] == .null)
        let preferred = try client.ask(.get, "/items.json", fields: [("Prefer", "count=none")])
        #expect(try preferred.json()["total"] == .null)
        #expect(preferred.field("Preference-Applied") == "count=none")
        let both = try client.ask(
            .get,
            "/items.json?count=exact",
            fields: [("Prefer", "count=none")]
        )
        #expect(try both.json()["total"]?["value"]?.integer == 30)
        #expect(both.field("Preference-Applied") == nil)
    }

    @Test(
        "the forms of a page lead on with the parameters that they stand for",
        arguments: [
            (
                "form__column=size&form__is=between&form__value=3&form__to=7",
                "size__gte=3&size__lte=7"
            ),
            (
                "form__joint=or&form__column=size&form__is=between&form__value=3&form__to=7"
                    + "&form__column=title&form__is=in&form__value=a%2Cb&form__to=&form__column=",
                "or=%28and%28size__gte%3D3,size__lte%3D7%29,title__in%3D%28a,b%29%29"
            ),
            (
                "form__joint=&form__column=size&form__is=gte&form__value=3&form__to="
                    + "&form__column=title&form__is=eq&form__value=a&form__to=",
                "size__gte=3&title__eq=a"
            ),
            ("form__column=size&form__is=between&form__value=&form__to=7", "size__lte=7"),
            ("form__column=size&form__is=empty&form__value=9&form__to=", "size__isnull=true"),
            ("form__column=size&form__is=eq&form__value=&form__to=", nil),
            ("q=a&form__column=title&form__is=in&form__value=a%2Cb&form__to=", "q=a&title__in=a,b"),
            ("form__sort=size&form__direction=-&form__sort=&form__direction=", "sort=-size"),
            (
                "form__sort=size&form__direction=-:nullsfirst&form__sort=title&form__direction=",
                "sort=-size:nullsfirst,title"
            ),
            ("form__show=title&form__show=size", "columns=title,size"),
            ("form__show=title&form__forward=size&form__show=size", "columns=size,title"),
            ("columns=&form__show=title&form__show=size", nil),
        ] as [(String, String?)]
    )
    func toolbar(fields: String, parameters: String?) throws {
        let answer = try client().get("/items/-/narrow?\(fields)")
        #expect(answer.status == 303)
        let location = answer.field("Location")
        #expect(location == "/items" + (parameters.map { "?\($0)" } ?? ""))
    }

    @Test("a German decimal comma in the form of conditions is a point")
    func germanNumbers() throws {
        let fields = "form__column=size&form__is=gte&form__value=12%2C5&form__to="
        let answer = try client().ask(
            .get,
            "/items/-/narrow?\(fields)",
            fields: [("Accept-Language", "de")]
        )
        #expect(answer.field("Location") == "/items?size__gte=12.5")
    }

    @Test("the number of rows before a cursor is for people, and must be one")
    func rowsBefore() throws {
        let client = try client()
        let first = try client.get("/items.json?limit=5").json()
        let cursor = try #require(first["page", "after"]?.text)
        let page = try client.get("/items.html?limit=5&after=\(cursor)~5").body
        #expect(page.contains("6–10 of 30"))
        #expect(page.contains("rel=\"next\""))
        for wrong in ["~", "~-1", "~05", "~x", "~5~5"] {
            #expect(try client.get("/items.html?limit=5&after=\(cursor)\(wrong)").status == 400)
        }
    }

    @Test("a form leads on with the fields that were filled in")
    func form() throws {
        let answer = try client().get("/items/-/narrow.html?sort=size&q=&title__contains=a+b&size=")
        #expect(answer.status == 303)
        #expect(answer.field("Location") == "/items.html?sort=size&title__contains=a%20b")
        #expect(try client().get("/items/-/narrow?q=%zz").status == 400)
        #expect(try client().get("/nothing/-/narrow").status == 404)
    }
}
