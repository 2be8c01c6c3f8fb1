import Listings
import Testing

@testable import Rendering

@Suite("Values of columns with a format")
struct ColumnFormatTests {
    private static func html(
        _ value: CellValue,
        _ format: String?,
        _ language: PageLanguage = .english,
        type: ColumnType? = nil,
        in location: CellLocation = CellLocation()
    ) -> String {
        var cells = CellBuffer()
        cells.append(value)
        let type = type ?? value.kind.type
        let column = Column("column", type: type)
            .formatted(as: format.flatMap { ColumnFormat($0) })
        return Fixture.text { buffer in
            HTMLWriter.write(to: &buffer, in: language) { writer in
                writer.value(0, of: cells, column, in: location)
            }
        }
    }

    private static func decimal(_ text: String) -> CellValue {
        CellValue.parse(text, as: .real) ?? .null
    }

    @Test(
        "numbers have the unit of their column, in each language, and lose no digit",
        arguments: [
            ("1234.5", "currency:EUR", "€1,234.50", "1.234,50\u{A0}€"),
            ("-1234567.891", "currency:USD", "-$1,234,567.891", "-1.234.567,891\u{A0}$"),
            ("5", "currency:CHF", "CHF\u{A0}5.00", "5,00\u{A0}CHF"),
            ("5", "currency:JPY", "¥5", "5\u{A0}¥"),
            ("0.5", "currency:KWD", "KWD\u{A0}0.500", "0,500\u{A0}KWD"),
            ("0.25", "percent", "25%", "25\u{A0}%"),
            ("0.0725", "percent", "7.25%", "7,25\u{A0}%"),
            ("-1.5", "percent", "-150%", "-150\u{A0}%"),
            ("12345.5", "unit:km", "12,345.5\u{A0}km", "12.345,5\u{A0}km"),
            ("3", "unit:<b>", "3\u{A0}&lt;b&gt;", "3\u{A0}&lt;b&gt;"),
            ("343719", "duration:ms", "5:43.719", "5:43,719"),
            ("3725", "duration", "1:02:05", "1:02:05"),
            ("-90", "duration", "-1:30", "-1:30"),
            ("2.5", "duration:h", "2:30:00", "2:30:00"),
            ("43", "duration", "0:43", "0:43"),
        ]
    )
    func numbers(number: String, format: String, english: String, german: String) {
        #expect(Self.html(Self.decimal(number), format) == english)
        #expect(Self.html(Self.decimal(number), format, .german) == german)
    }

    @Test(
        "numbers with a fraction have it in a box that aligns their marks",
        arguments: [
            ("4935.02", "4,935", ".02", ",02"), ("-0.5", "-0", ".5", ",5"),
            ("7.0625", "7", ".0625", ",0625"), ("999", "999", "", ""),
        ]
    )
    func fractions(number: String, whole: String, english: String, german: String) {
        let value = Self.decimal(number)
        let local = whole.replacing(",", with: ".")
        func html(
            _ language: PageLanguage = .english,
            in location: CellLocation = .init()
        ) -> String {
            Self.html(value, nil, language, type: .real, in: location)
        }
        #expect(html() == "\(whole)<span class=\"fr\">\(english)</span>")
        #expect(html(.german) == "\(local)<span class=\"fr\">\(german)</span>")
        #expect(html(in: CellLocation(isAlone: true)) == whole + english)
    }

    @Test("sizes are rounded to one decimal, with the exact number of bytes in a title")
    func sizes() {
        func size(_ bytes: Int64) -> String { Self.html(.integer(bytes), "bytes") }
        #expect(size(11_170_334) == "<span title=\"11,170,334\">11.2\u{A0}MB</span>")
        #expect(size(999) == "<span title=\"999\">999\u{A0}B</span>")
        #expect(size(999_999) == "<span title=\"999,999\">1.0\u{A0}MB</span>")
        #expect(size(-1_500) == "<span title=\"-1500\">-1.5\u{A0}kB</span>")
        #expect(size(.max).contains(">9223.4\u{A0}PB<"))
    }

    @Test("a value that the format cannot show without loss is shown as it is")
    func otherValues() {
        #expect(Self.html(.real(1e300), "currency:EUR") == "1e+300")
        #expect(Self.html(Self.decimal("0.0001"), "duration") == "0.0001")
        #expect(Self.html(.real(.nan), "bytes") == "NaN")
        #expect(Self.html(.text("n/a"), "color") == "n/a")
        #expect(Self.html(.text("12 x"), "phone") == "12 x")
        #expect(Self.html(.text("{broken"), "json") == "{broken")
        #expect(Self.html(.text("javascript:alert(1)"), "link") == "javascript:alert(1)")
        #expect(Self.html(.text("/local.png"), "image") == "/local.png")
    }

    @Test("addresses are links without a format, other texts are not")
    func addresses() {
        let web =
            "<a rel=\"noopener\" href=\"https://example.org/a?b&amp;c\">example.org/a?b&amp;c</a>"
        #expect(Self.html(.text("https://example.org/a?b&c"), nil) == web)
        let mail = "<a href=\"mailto:ada@example.org\">ada@example.org</a>"
        #expect(Self.html(.text("ada@example.org"), nil) == mail)
        for text in [
            "see https://example.org/ there", "javascript:alert(1)", "data:text/html,x", "a@b",
            "@ada", "ada@", "ada@.org", "ada@example.", "https://", "10:30", "ftp://example.org",
        ] {
            #expect(Self.html(.text(text), nil) == text)
        }
    }

    @Test("images are shown of the given hosts only, and are links otherwise")
    func images() throws {
        let hosts = try #require(ImageHosts("cdn.example,images.example:8443"))
        let location = CellLocation(images: hosts)
        let shown = Self.html(.text("https://CDN.example/a.png"), "image", in: location)
        #expect(
            shown == """
                <a rel="noopener" href="https://CDN.example/a.png"><img class="pic" loading="lazy" \
                decoding="async" referrerpolicy="no-referrer" src="https://CDN.example/a.png" \
                alt="Column"></a>
                """
        )
        #expect(
            Self.html(.text("http://images.example:8443/a"), "avatar", in: location).contains(
                "<img class=\"pic face\""
            )
        )
        for address in [
            "https://cdn.example.org/a.png",
            "https://cdn.example:81/a.png", "https://images.example/a.png",
            "https://evil.example/?cdn.example",
        ] {
            let html = Self.html(.text(address), "image", in: location)
            #expect(
                html.hasPrefix("<a rel=\"noopener\" href=\"\(address)\">") && !html.contains("<img")
            )
        }
        let disguised = Self.html(
            .text("https://cdn.example@a.example/a.png"),
            "image",
            in: location
        )
        #expect(disguised == "https://cdn.example@a.example/a.png")
        #expect(hosts.policy.hasPrefix(" http://cdn.example https://cdn.example http://images"))
        for text in ["", "a b", "*", "a;b", "https://a.example", "a.example:0", "a..b", "-a", "a,"]
        {
            #expect(ImageHosts(text) == nil, "\(text)")
        }
    }

    @Test("texts with a meaning have the markup for it")
    func texts() {
        #expect(
            Self.html(.text("+49 (30) 1234-5"), "phone")
                == "<a href=\"tel:+493012345\">+49 (30) 1234-5</a>"
        )
        #expect(Self.html(.integer(110), "phone", type: .integer) == "<a href=\"tel:110\">110</a>")
        #expect(Self.html(.text("#Ff0000"), "color").hasSuffix("fill=\"#Ff0000\"/></svg> #Ff0000"))
        #expect(Self.html(.text("Teal"), "color").contains("fill=\"Teal\""))
        #expect(Self.html(.text("a<b"), "badge").hasSuffix("\">a&lt;b</span>"))
        #expect(Self.html(.text("open"), "badge") == Self.html(.text("open"), "badge"))
        #expect(Self.html(.boolean(true), nil) == "<span class=\"yes\">yes</span>")
        #expect(Self.html(.boolean(false), nil, .german) == "<span class=\"no\">nein</span>")
    }

    @Test("a relative time has the time itself, which a script replaces")
    func times() {
        let time = CellValue.parse("2024-02-29T12:30:00Z", as: .timestamp) ?? .null
        let html = Self.html(time, "relative")
        #expect(html == "<time datetime=\"2024-02-29T12:30:00Z\">29 Feb 2024, 12:30 UTC</time>")
    }

    @Test("JSON is one line in tables, and indented where it stands alone")
    func json() {
        let value = CellValue.json(#"{"a":[1,"<"]}"#)
        #expect(Self.html(value, nil) == "{&quot;a&quot;:[1,&quot;&lt;&quot;]}")
        let lines = "<pre>{\n  &quot;a&quot;: [\n    1,\n    &quot;&lt;&quot;\n  ]\n}</pre>"
        #expect(Self.html(value, nil, in: CellLocation(isAlone: true)) == lines)
        let text = CellValue.text(#"{ "a" : [ 1, "<" ] }"#)
        #expect(Self.html(text, "json") == "{&quot;a&quot;:[1,&quot;&lt;&quot;]}")
        #expect(Self.html(text, "json", in: CellLocation(isAlone: true)) == lines)
    }

    @Test("a table folds a long text between words, and the page of a row shows all of it")
    func longTexts() {
        let text = String(repeating: "word ", count: 60)
        let folded = Self.html(.text(text), nil)
        let whole = folded.replacing("<details class=\"more\"><summary>", with: "")
            .replacing("</summary>", with: "").replacing("</details>", with: "")
        #expect(whole == text)
        #expect(folded.contains("word</summary> word"))
        #expect(Self.html(.text(text), nil, in: CellLocation(isAlone: true)) == text)
        let solid = String(repeating: "ä", count: 300)
        let parts = Self.html(.text(solid), nil).split(separator: "</summary>")
        #expect(parts.count == 2 && parts.allSatisfy { !$0.contains("\u{FFFD}") })
        let written = Self.html(.text("a\nb"), "long-text", in: CellLocation(isAlone: true))
        #expect(written == "<div class=\"long\">a\nb</div>")
    }

    @Test("the rows of a page are written alike by the encoder and one by one")
    func rows() throws {
        struct Item: Identifiable, Sendable { let id: String }
        let columns = [
            ModelColumn<Item>(Column("name")) { model, cells in cells.append(model.id) },
            ModelColumn<Item>(
                Column("price", type: .real).formatted(as: .currency("EUR"))
            ) { _, cells in cells.append(.real(0.5)) },
            ModelColumn<Item>(
                Column("photo").formatted(as: .image)
            ) { _, cells in cells.append("https://cdn.example/\"a\".png") },
            ModelColumn<Item>(Column("home")) { _, cells in cells.append("https://example.org") },
        ]
        var registry = ControllerRegistry()
        let controller = ClosureController(kind: "item", columns: columns)
        let registration = try registry.register(controller)
        let schema = try ListSchema(columns: controller.columns)
        var page = Page(list: "items", schema: schema)
        page.begin(ListQuery(shape: .flow(limit: 4)), version: ListVersion(epoch: 1, counter: 1))
        page.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
        page.append(Item(id: "a"), using: registration)
        try page.end()
        func html(_ links: FixtureLinks) -> String {
            let context = RenderContext(title: "Items", links: links, schema: schema)
            context.imageHosts = ImageHosts("cdn.example") ?? .empty
            return Fixture.text {
                HTMLPageRenderer(site: Fixture.site).render(page, in: context, to: &$0)
            }
        }
        let encoded = html(FixtureLinks())
        #expect(encoded == html(FixtureLinks(hasStem: false)))
        #expect(encoded.contains(">€0.50</td>"))
        #expect(encoded.contains(">example.org</a></td>"))
    }
}

extension CellValue.Kind {
    fileprivate var type: ColumnType {
        switch self {
        case .null, .text: .text
        case .boolean: .boolean
        case .number: .real
        case .time: .timestamp
        case .json: .json
        case .bytes: .bytes
        }
    }
}
