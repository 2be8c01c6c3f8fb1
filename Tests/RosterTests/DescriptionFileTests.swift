import ListAPI
import Listings
import Testing

@testable import RosterProgram

@Suite("A file that describes lists")
struct DescriptionFileTests {
    @Test("every member is read")
    func members() throws {
        let file = try DescriptionFile(
            """
            {"lists": {"invoices": {
              "title": "Invoices", "description": "All of them.", "source": "https://a.example",
              "license": "MIT", "label": "number", "group": "country:initial",
              "sort": ["-date", "number"], "order": ["number", "date"],
              "columns": {
                "total": {"label": "Sum", "description": "With tax", "format": "currency:EUR",
                  "width": "narrow"},
                "customer": {"relation": "customers.code"}, "secret": {"hidden": true}
              }
            }, "logs": {"hidden": true}}}
            """,
            path: "lists.json"
        )
        #expect(file.lists.map(\.name.value) == ["invoices", "logs"])
        let list = try #require(file.lists.first)
        #expect(list.title == "Invoices")
        #expect(list.about.source == "https://a.example" && list.about.license == "MIT")
        #expect(list.sort.map(\.value) == ["-date", "number"])
        #expect(list.label == Located(value: "number", location: "lists.json:3:30"))
        #expect(list.column("total")?.format?.value == .currency("EUR"))
        #expect(list.column("total")?.notes.width == .narrow)
        #expect(list.column("customer")?.target?.value == "customers.code")
        #expect(list.column("secret")?.isHidden == true && file.lists[1].isHidden)
    }

    @Test(
        "the first error is named with its place, and with what is allowed",
        arguments: [
            ("", "1:1: the file ends where a value is expected"),
            ("[]", "1:1: an object is expected"),
            ("{\"lists\": {}} x", "1:15: 'x' where the end of the file is expected"),
            ("{\n \"list\": {}}", "2:2: no member 'list'; did you mean 'lists'?"),
            (
                "{\"lists\": {\"ä\": {\"titel\": \"x\"}}}",
                "1:18: no member 'titel'; did you mean 'title'?"
            ),
            (
                "{\"lists\": {\"a\": {\n\"columns\": {\"b\": {\"fromat\": \"bytes\"}}}}}",
                "2:19: no member 'fromat'; did you mean 'format'?"
            ),
            (
                "{\"lists\": {\"a\": {\"columns\": {\"b\": {\"x\": 1}}}}}",
                "1:36: no member 'x'; known: label, description, format, width, relation, hidden"
            ),
            (
                "{\"lists\": {\"a\": {\"columns\": {\"b\": {\"format\": \"currency:euro\"}}}}}",
                "1:46: no format 'currency:euro'; allowed: \(ColumnFormat.forms)"
            ),
            (
                "{\"lists\": {\"a\": {\"columns\": {\"b\": {\"width\": \"20\"}}}}}",
                "1:45: no width '20'; allowed: narrow, wide"
            ),
            (
                "{\"lists\": {\"a\": {\"hidden\": \"yes\"}}}",
                "1:28: true or false is expected"
            ),
            (
                "{\"lists\": {\"a\": {\"title\": 5}}}",
                "1:27: a text in quotation marks is expected"
            ),
            ("{\"lists\": {\"a\": 5}}", "1:17: an object is expected"),
            (
                "{\"lists\": {\"a\": {\"title\": \"\"}}}",
                "1:27: the text is empty; leave the member out"
            ),
            (
                "{\"lists\": {\"a\": {}, \"a\": {}}}",
                "1:21: a second member 'a' in one object"
            ),
        ]
    )
    func errors(text: String, error: String) {
        #expect(throws: Failure(.configuration, "lists.json:" + error)) {
            _ = try DescriptionFile(text, path: "lists.json")
        }
    }

    @Test("formats are guessed from names together with values, and from values alone")
    func guesses() {
        func guess(_ name: String, _ type: ColumnType, _ values: [CellValue]) -> String? {
            FormatGuess.format(of: Column(name, type: type), values)?.text
        }
        #expect(guess("Milliseconds", .integer, [.integer(5)]) == "duration:ms")
        #expect(guess("size_bytes", .integer, [.integer(5)]) == "bytes")
        #expect(guess("price_eur", .real, [.real(5)]) == "currency:EUR")
        #expect(guess("price", .real, [.real(5)]) == nil)
        #expect(guess("distance_km", .real, [.real(5)]) == "unit:km")
        #expect(guess("cover", .text, [.text("https://a.example/b.PNG?x")]) == "image")
        #expect(guess("cover", .text, [.text("https://a.example/b.html")]) == nil)
        #expect(guess("avatar_url", .text, [.text("https://a.example/b.png")]) == "avatar")
        #expect(guess("c", .text, [.text("#ff0000"), .null]) == "color")
        #expect(guess("phone", .text, [.text("+49 30 1")]) == "phone")
        #expect(guess("phone", .text, [.text("none")]) == nil)
        #expect(guess("meta", .text, [.text("{\"a\": 1}"), .text("[]")]) == "json")
        #expect(guess("meta", .text, [.text("5")]) == nil)
        #expect(guess("status", .text, [.text("open")]) == "badge")
        #expect(guess("notes", .text, [.text("a\nb")]) == "long-text")
        #expect(guess("Milliseconds", .integer, [.null]) == nil)
    }
}
