import Foundation
import TestSupport
import Testing

@Suite("Settings add CSS, a logo, a title and a footer to all pages")
struct AppearanceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("pages have the parts, and a reload adopts new ones")
    func parts() throws {
        let css = try folder.write("th { color: navy }", to: "site.css")
        let logo = try folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "logo")
        let server = try RosterProcess(serving: [
            "--css", css, "--logo", logo, "--title", "Our <people>", "--footer",
            "See the [imprint](https://example.org/imprint) or [the users](/users).",
            "--base-path", "/lists",
        ])
        #expect(try server.get("/.html").text.contains("Our &lt;people&gt;"))
        let page = try server.get("/users.html").text
        #expect(page.contains("<a href=\"https://example.org/imprint\">imprint</a>"))
        #expect(page.contains("<a href=\"/lists/users\">the users</a>.</p></footer>"))
        let picture = try #require(
            page.firstMatch(of: /src="\/lists(\/-\/assets\/page-logo[^"]+)"/)
        )
        #expect(try server.get(String(picture.1)).field("Content-Type") == "image/svg+xml")
        let sheet = /-\/assets\/style\.[0-9a-f]+\.css/
        let old = try #require(page.firstMatch(of: sheet))
        #expect(try server.get("/" + old.0).text.hasSuffix("th { color: navy }"))
        try folder.write("th { color: red }", to: "site.css")
        server.send(SIGHUP)
        _ = try server.waitForLine { $0 == "roster: reloaded" }
        let new = try #require(try server.get("/users.html").text.firstMatch(of: sheet))
        #expect(new.0 != old.0)
        #expect(try server.get("/" + new.0).text.hasSuffix("th { color: red }"))
        try folder.write("th {", to: "site.css")
        server.send(SIGHUP)
        _ = try server.waitForLine { $0 == "roster: reloaded, except --css" }
        #expect(
            server.lines.contains(
                "roster: --css: \(css): line 1: a '{' has no '}' after it; the old files stay in use"
            )
        )
        try server.stop()
    }

    @Test("a file that pages cannot use is refused at the start")
    func refused() throws {
        func refusal(_ flag: String, _ path: String) throws -> String? {
            try RosterProcess.run(["--port", "0", flag, path]).lines.last
        }
        let file = try folder.write("a {\n@import 'b.css';", to: "a.css")
        #expect(
            try refusal("--css", file)
                == "roster: --css: \(file): line 2: '@import' loads nothing here; add the rules "
                + "themselves"
        )
        #expect(
            try refusal("--logo", file)
                == "roster: --logo: \(file): no SVG, PNG, JPEG, GIF or WebP picture"
        )
        let missing = folder.path("none")
        #expect(
            try refusal("--css", missing) == "roster: --css: \(missing): No such file or directory"
        )
    }
}
