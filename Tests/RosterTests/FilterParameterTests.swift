import Foundation
import HTTP
import Listings
import MemoryLists
import TestSupport
import Testing

@testable import ListAPI
@testable import Roster

@Suite("Conditions in addresses")
struct FilterParameterTests {
    private func client() throws -> Client {
        try Client([.items(.numbered(30))])
    }

    private func ids(_ target: String) throws -> [String] {
        let answer = try client().get(target)
        #expect(answer.status == 200, "\(answer.body)")
        let sections = try answer.json()["sections"]?.elements ?? []
        return sections.flatMap { $0["rows"]?.elements ?? [] }.compactMap { $0["id"]?.text }
    }

    @Test("a column whose name ends with an underscore can be asked by every operator")
    func underscore() {
        for (name, column, operation) in [
            ("page_", "page_", nil), ("page___gte", "page_", "gte"), ("age__gte", "age", "gte"),
            ("age__", "age", ""), ("a_b", "a_b", nil), ("_", "_", nil),
        ] as [(String, String, String?)] {
            let parsed = ListParameters.FilterName(name)
            #expect(parsed.column == column && parsed.operation == operation, "\(name)")
        }
    }

    @Test("conditions are met by all rows shown, one and the same column twice included")
    func conditions() throws {
        let answered = try ids("/items.json?size__gte=4&size__lt=6&group=none&sort=size")
        #expect(answered == ["item15", "item26", "item4", "item16", "item27", "item5"])
        #expect(try ids("/items.json?title=Title+3&size=3&group=none") == ["item3"])
        #expect(
            try ids("/items.json?size__in=10,3&title__endswith=3&group=none") == [
                "item10", "item3",
            ]
        )
    }

    @Test("values between commas may stand between quotation marks")
    func lists() throws {
        #expect(ValueList.values(of: "a,b") == ["a", "b"])
        // An accent behind a mark would make it another character, and not another mark.
        let accented = ["a", "\u{301}b", "\u{301}\u{301}", ",\u{301}\"\u{301}"]
        #expect(
            ValueList.values(of: "a,\u{301}b,\"\u{301}\u{301}\",\",\u{301}\"\"\u{301}\"")
                == accented
        )
        #expect(
            ValueList.values(of: #""a,b",c,"say ""hi""","""#) == ["a,b", "c", #"say "hi""#, ""]
        )
        for malformed in ["", ",", "a,", #""a"#, #""a"b"#] {
            #expect(ValueList.values(of: malformed) == nil, "\(malformed)")
        }
        for values in [["a"], ["a,b", ""], [#""q""#, "x"]] {
            #expect(ValueList.values(of: ValueList.text(of: values)) == values)
        }
    }

    @Test("rows are chosen by their ids, and left out by them; one that no row has is no fault")
    func identities() throws {
        #expect(try ids("/items.json?id=item7") == ["item7"])
        #expect(try ids("/items.json?id__in=item7,none,item12&group=none") == ["item12", "item7"])
        #expect(try ids("/items.json?id__in=item7,item12&id__ne=item7") == ["item12"])
        #expect(try ids("/items.json?id__nin=item7,item12&size__gte=0&limit=500").count == 28)
        #expect(try ids("/items.json?id=7") == [])
        let page = try client().get("/items.html?id__in=item7,item12&limit=1")
        #expect(page.body.contains("ID is one of item7, item12"))
        #expect(page.body.contains("id__in=item7,item12&amp;limit=1&amp;after="))
    }

    @Test("the sections of a question and the values of its conditions have a bound")
    func bounds() throws {
        let sections = (0...100).map { "section=s\($0)" }.joined(separator: "&")
        let tooMany = try client().get("/items?\(sections)").json()["errors"]?.elements.first
        #expect(tooMany?["parameter"]?.text == "section")
        #expect(tooMany?["code"]?.text == "too-many-values")
        #expect(tooMany?["detail"]?.text == "'section' may be given at most 100 times.")
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
        let long = try answer.json()["errors"]?.elements.first
        #expect(long?["parameter"]?.text == "size__ne")
        #expect(long?["code"]?.text == "too-many-operands")
        #expect(long?["detail"]?.text == "The conditions together may have at most 500 values.")
    }

    private static let tooMuch = [
        ((0..<17).map { "size__ne=\($0)" }.joined(separator: "&"), "size__ne too-many-filters"),
        ("size__in=" + (0...100).map(String.init).joined(separator: ","), "size__in long-list"),
        ("q=" + (0..<17).map { "w\($0)" }.joined(separator: "+"), "q too-many-words"),
        ("facets=" + String(repeating: "size,", count: 8) + "size", "facets too-many-columns"),
        ("facets=size,shelf,size", "facets repeated-column"),
        ("columns=title,shelf,size,note,title", "columns too-many-columns"),
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

    @Test("what is wrong with a condition is said", arguments: Self.faulty)
    func refused(_ case: RefusedParameters) throws {
        let answer = try client().get(`case`.target)
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"] == (try JSON(`case`.errors)), "\(answer.body)")
    }

    private static let faulty = [
        RefusedParameters(
            "/items?size__gtt=3&limit=9999",
            #"""
            {"parameter": "limit", "code": "limit-too-large", "detail": "At most 500 rows a page.",
             "maxLimit": 500},
            {"parameter": "size__gtt", "code": "unknown-operator", "suggestion": "size__gt",
             "detail": "No operator 'gtt'; allowed here: eq, ne, lt, lte, gt, gte, in, nin, isnull, is."}
            """#
        ),
        RefusedParameters(
            "/items?sizes__gte=3",
            #"""
            {"parameter": "sizes__gte", "code": "unknown-parameter", "suggestion": "size__gte",
             "detail": "No parameter 'sizes__gte'. Known here: limit, after, before, page, sort, columns, group, section, per_section, q, count, facets, jump, layout, collapsed, {column}, {column}__{operator}."}
            """#
        ),
        RefusedParameters(
            "/items?size__gte=abc&size__contains=1&size__isnull=maybe&size=&title__in=a,",
            #"""
            {"parameter": "size__gte", "code": "wrong-type",
             "detail": "'size__gte' takes a whole number in digits, not 'abc'."},
            {"parameter": "size__contains", "code": "unusable-operator",
             "detail": "'contains' is not for numbers; allowed here: eq, ne, lt, lte, gt, gte, in, nin, isnull, is."},
            {"parameter": "size__isnull", "code": "wrong-type",
             "detail": "'size__isnull' takes true or false, not 'maybe'."},
            {"parameter": "size", "code": "missing-value", "detail": "'size' has no value."},
            {"parameter": "title__in", "code": "malformed-list",
             "detail": "'title__in' takes values between commas; a value that is empty, has a comma or begins with a quotation mark stands between quotation marks, which are doubled inside."}
            """#
        ),
        RefusedParameters(
            "/items?id__lt=7&id__inn=7&ids=7&id=",
            #"""
            {"parameter": "ids", "code": "unknown-parameter", "suggestion": "id",
             "detail": "No parameter 'ids'. Known here: limit, after, before, page, sort, columns, group, section, per_section, q, count, facets, jump, layout, collapsed, {column}, {column}__{operator}."},
            {"parameter": "id__lt", "code": "unusable-operator",
             "detail": "'lt' is not for ids; allowed here: eq, ne, in, nin."},
            {"parameter": "id__inn", "code": "unknown-operator", "suggestion": "id__in",
             "detail": "No operator 'inn'; allowed here: eq, ne, in, nin."},
            {"parameter": "id", "code": "missing-value", "detail": "'id' has no value."}
            """#
        ),
        RefusedParameters(
            "/items?q=--&count=all&facets=title,shelf&jump=Ab",
            #"""
            {"parameter": "q", "code": "empty-search",
             "detail": "'q' has no letter or digit to search for."},
            {"parameter": "count", "code": "unknown-option",
             "detail": "No option 'all'; allowed: none, capped, exact."},
            {"parameter": "facets", "code": "unfacetable-column",
             "detail": "The values of 'title' are not counted; shelf, size can be."},
            {"parameter": "jump", "code": "not-a-letter", "detail": "'jump' takes one letter, not 'Ab'."}
            """#
        ),
        RefusedParameters(
            "/items?group=none&sort=size&jump=A",
            #"""
            {"parameter": "jump", "code": "no-letters",
             "detail": "'jump' needs an order that begins with a text: sort or group by one."}
            """#
        ),
    ]

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

    @Test("a form leads on with the fields that were filled in")
    func form() throws {
        let answer = try client().get("/items/-/narrow.html?sort=size&q=&title__contains=a+b&size=")
        #expect(answer.status == 303)
        #expect(answer.field("Location") == "/items.html?sort=size&title__contains=a%20b")
        #expect(try client().get("/items/-/narrow?q=%zz").status == 400)
        #expect(try client().get("/nothing/-/narrow").status == 404)
    }
}
