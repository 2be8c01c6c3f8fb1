import Testing

@testable import Rendering

@Suite("Markdown of the documentation as HTML")
struct MarkdownTests {
    private static func html(_ markdown: String) -> String {
        var renderer = MarkdownRenderer(
            addresses: ["Querying.md": "/-/docs/querying", "Problems.md": "/-/docs/problems"]
        )
        return Fixture.text { buffer in
            HTMLWriter.write(to: &buffer) { renderer.write(markdown, to: &$0) }
        }
    }

    private static let code = "<pre tabindex=\"0\"><code>"

    private static let blockCases: [(String, String)] = [
        ("", ""), ("\n \n", ""), ("One\ntwo\n\nThree", "<p>One\ntwo</p>\n<p>Three</p>\n"),
        ("# A title", "<h1 id=\"a-title\">A title</h1>\n"),
        ("###### Six", "<h6 id=\"six\">Six</h6>\n"), ("####### x", "<p>####### x</p>\n"),
        ("#x", "<p>#x</p>\n"), ("Text\n## B", "<p>Text</p>\n<h2 id=\"b\">B</h2>\n"),
        ("# B\r\n# B", "<h1 id=\"b\">B</h1>\n<h1 id=\"b-\">B</h1>\n"),
        ("## Größe & `x_y`!", "<h2 id=\"größe--x_y\">Größe &amp; <code>x_y</code>!</h2>\n"),
        ("## Main\n# !", "<h2 id=\"main-\">Main</h2>\n<h1 id=\"-\">!</h1>\n"),
        (
            "```console\n$ a <b>\n\n# **x**\n```\nText",
            "\(code)$ a &lt;b&gt;\n\n# **x**\n</code></pre>\n<p>Text</p>\n"
        ),
        ("````\n```\n````", "\(code)```\n</code></pre>\n"),
        ("```\nno end", "\(code)no end\n</code></pre>\n"),
        (
            "Text\n- a\n- b `c`\n  - d\n* e\nf",
            """
            <p>Text</p>
            <ul>
            <li>a
            </li>
            <li>b <code>c</code>
            <ul>
            <li>d
            </li>
            </ul>
            </li>
            <li>e
            </li>
            </ul>
            <p>f</p>

            """
        ),
        ("1. g\n2. h", "<ol>\n<li>g\n</li>\n<li>h\n</li>\n</ol>\n"),
        ("- a\n  b\n-c\n1.d", "<ul>\n<li>a\nb\n</li>\n</ul>\n<p>-c\n1.d</p>\n"),
        ("\t- a", "<ul>\n<li>a\n</li>\n</ul>\n"),
        (
            "| a | b |\n|---|:--|\n| `x\\|y` | |\n| 1 | **2**\n\nText",
            """
            <table>
            <thead><tr><th scope="col">a</th><th scope="col">b</th></tr>
            </thead>
            <tbody>
            <tr><td><code>x|y</code></td><td></td></tr>
            <tr><td>1</td><td><strong>2</strong></td></tr>
            </tbody>
            </table>
            <p>Text</p>

            """
        ),
        ("| a |\nText", "<p>| a |\nText</p>\n"), ("> a\n---", "<p>&gt; a\n---</p>\n"),
    ]

    @Test("blocks become elements", arguments: Self.blockCases)
    func blocks(markdown: String, html: String) {
        #expect(Self.html(markdown) == html)
    }

    @Test(
        "marks within a text become elements",
        arguments: [
            ("a **b** c", "a <strong>b</strong> c"), ("a *b* c", "a <em>b</em> c"),
            ("**a *b* `*` c**", "<strong>a <em>b</em> <code>*</code> c</strong>"),
            ("*a **b** c*", "<em>a <strong>b</strong> c</em>"),
            ("2 * 3 * 4", "2 * 3 * 4"), ("**a", "**a"), ("*a *", "*a *"), ("***a***", "***a***"),
            ("per_section_x", "per_section_x"), ("`a", "`a"), ("``a`b``", "<code>a`b</code>"),
            ("``a`", "``a`"), ("`<b>&\"`", "<code>&lt;b&gt;&amp;&quot;</code>"),
            ("\\*a\\* \\a \\`", "*a* \\a `"), ("a \\", "a \\"), ("`a\\`", "<code>a\\</code>"),
            ("[P](Problems.md)", "<a href=\"/-/docs/problems\">P</a>"),
            ("[`P` x](Problems.md#b)", "<a href=\"/-/docs/problems#b\"><code>P</code> x</a>"),
            ("[a](#b) (c)", "<a href=\"#b\">a</a> (c)"),
            ("[a](https://example.org/?b)", "<a href=\"https://example.org/?b\">a</a>"),
            ("**[a](#b)**", "<strong><a href=\"#b\">a</a></strong>"),
            ("see [Writing](Writing.md).", "see Writing."), ("[a](b c)", "[a](b c)"),
            ("[a]", "[a]"), ("[a](", "[a]("), ("[a]()", "[a]()"),
            ("a[0] [b](#c)", "a[0] <a href=\"#c\">b</a>"),
            ("[[a](#b)]", "[<a href=\"#b\">a</a>]"),
        ] as [(String, String)]
    )
    func inline(markdown: String, html: String) {
        #expect(Self.html(markdown) == "<p>\(html)</p>\n")
    }

    @Test(
        "hostile text is escaped, and leads nowhere",
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("[a](javascript:alert)", "a"), ("[a](//evil.example)", "a"), ("[a](/x)", "a"),
            ("[a](data:text/html,x)", "a"), ("[a](https:evil)", "a"), ("[a](../Problems.md)", "a"),
            ("[a](#\"><b>)", "<a href=\"#&quot;&gt;&lt;b&gt;\">a</a>"),
            (
                "[a](Problems.md#\"onclick=\"x)",
                "<a href=\"/-/docs/problems#&quot;onclick=&quot;x\">a</a>"
            ),
            ("[a](https://a/\"><b>)", "a"), ("[<b>](#b)", "<a href=\"#b\">&lt;b&gt;</a>"),
            ("![a](https://a/b.png)", "!<a href=\"https://a/b.png\">a</a>"),
            ("a\u{0}b&amp;\u{7F}", "a\u{2400}b&amp;amp;\u{2421}"),
            ("<!-- a -->", "&lt;!-- a --&gt;"),
        ] as [(String, String)]
    )
    func hostile(markdown: String, html: String) {
        #expect(Self.html(markdown) == "<p>\(html)</p>\n")
    }

    @Test("attributes cannot be left by a heading")
    func hostileHeading() {
        let html = Self.html("## \" onclick=\"x\" <b>")
        #expect(
            html == "<h2 id=\"-onclickx-b\">&quot; onclick=&quot;x&quot; &lt;b&gt;</h2>\n"
        )
    }

    @Test("every text ends, and its elements are balanced", arguments: 0..<400)
    func anyText(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let parts = [
            "*", "**", "`", "```", "[", "](", ")", "#b", "|", "|-|", "\n", "\n\n", "- ", "1. ",
            "  ",
            "# ", "\\", "a", "é", "<", "\t", "\"", "Problems.md", "\r\n",
        ]
        var markdown = ""
        for _ in 0..<60 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            markdown += parts[Int(state >> 33) % parts.count]
        }
        var open: [Substring] = []
        for tag in Self.html(markdown).matches(of: /<(\/?)([a-z0-9]+)[^<>]*>/) {
            if tag.1.isEmpty {
                open.append(tag.2)
            } else {
                #expect(open.popLast() == tag.2, "\(markdown)")
            }
        }
        #expect(open.isEmpty, "\(markdown)")
    }

    @Test("deep and long texts are rendered", arguments: ["- ", "*", "[", "`a``", "**a *b", "1. "])
    func repeated(part: String) {
        let text = Self.html(String(repeating: part, count: 500) + "end")
        #expect(text.contains("end"))
    }

    @Test("every heading of the articles is on its page", arguments: ["querying", "problems"])
    func headings(name: String) throws {
        let page = try #require(DocumentationPage.all.first { $0.name == name })
        let html = Self.html(page.text)
        var isCode = false
        var count = 0
        for line in page.text.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("#") else { continue }
            let title = line.drop { "# ".contains($0) }
            #expect(html.contains(">\(title)</h"), "\(title)")
            count += 1
        }
        #expect(count >= 4)
        #expect(html.ranges(of: "<table>").count == page.text.ranges(of: "\n|---|").count)
        #expect(html.ranges(of: "<pre").count * 2 == page.text.ranges(of: "\n```").count)
        #expect(!html.contains("**") && !html.contains("]("))
    }
}
