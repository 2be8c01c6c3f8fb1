import Bytes
import Foundation
import Listings
import Rendering
import Testing

/// The samples in every format, compared with files; `UPDATE_GOLDEN=1` writes them anew.
@Suite("Golden documents")
struct GoldenTests {
    @Test("a page in the four formats")
    func page() throws {
        let page = Samples.page()
        try expect(Fixture.json(page), "page.json")
        try expect(Fixture.html(page), "page.html")
        try expect(Fixture.csv(page), "page.csv")
        try expect(Fixture.ndjson(page), "page.ndjson")
    }

    @Test("a page of sections without rows")
    func sections() throws {
        let page = Fixture.page(
            [PeopleSection(people: [], header: "Active", count: Count(2), hasMore: true)],
            query: ListQuery(grouping: Grouping(column: 5), shape: .peek(limit: 20, rows: 0)),
            total: Count(2)
        )
        try expect(Fixture.json(page), "sections.json")
        try expect(Fixture.html(page), "sections.html")
    }

    @Test("rows with all that they can have, as a table and as a grid")
    func extras() throws {
        let page = Samples.extras()
        try expect(Fixture.json(page), "extras.json")
        try expect(Fixture.html(page), "extras.html")
        try expect(Fixture.html(page, layout: .grid), "extras-grid.html")
    }

    @Test("pages without rows")
    func empty() throws {
        let noData = Fixture.page([], total: Count(0))
        try expect(Fixture.json(noData), "empty.json")
        try expect(Fixture.html(noData), "empty.html")
    }

    @Test("a page and a row that are out of date")
    func stale() throws {
        var page = Fixture.page(Samples.barbara)
        page.isStale = true
        try expect(Fixture.json(page), "stale.json")
        try expect(Fixture.html(page), "stale.html")
        try expect(document { $0.renderRow(of: page, in: Fixture.context, to: &$1) }, "stale-row")
    }

    @Test("one row")
    func row() throws {
        let page = Fixture.page(
            [
                PeopleSection(
                    key: .value(.boolean(true)),
                    people: [Samples.barbara],
                    header: "Active"
                )
            ]
        )
        try expect(document { $0.renderRow(of: page, in: Fixture.context, to: &$1) }, "row")
    }

    @Test("the lists of a service")
    func directory() throws {
        try expect(document { $0.render(Samples.directory, to: &$1) }, "directory")
    }

    @Test("the columns and parameters of a list")
    func schema() throws {
        try expect(document { $0.render(Samples.schema, to: &$1) }, "schema")
    }

    @Test("a problem")
    func problem() throws {
        try expect(document { $0.render(Samples.problem, to: &$1) }, "problem")
        let text = Fixture.text { PlainTextProblemRenderer().render(Samples.problem, to: &$0) }
        try expect(text, "problem.txt")
    }

    /// A document by each renderer, by the ending of its file.
    private func document(
        _ render: (any PageRenderer, inout ByteBuffer) -> Void
    ) -> [String: String] {
        [
            "json": Fixture.text { render(JSONPageRenderer(), &$0) },
            "html": Fixture.text { render(HTMLPageRenderer(site: Fixture.site), &$0) },
        ]
    }

    private func expect(_ documents: [String: String], _ name: String) throws {
        for (ending, text) in documents { try expect(text, "\(name).\(ending)") }
    }

    /// Compares a document with its file; of all but the whole pages only a fragment is kept.
    private func expect(_ text: String, _ name: String) throws {
        let text = name.hasPrefix("page.") ? text : try Self.fragment(text, name)
        let file = Self.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == golden, "\(name) differs")
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Golden")

    /// A document without the lines that the whole page has too, whose number stands for them; in
    /// JSON, without the columns.
    private static func fragment(_ text: String, _ name: String) throws -> String {
        if name.hasSuffix(".json") {
            let page = Fixture.json(Samples.page())
            let columns = try #require(page.firstMatch(of: /"columns":\[.*?\](?=,"sections")/)).0
            return text.replacing(columns, with: "\"columns\":…")
        }
        guard name.hasSuffix(".html") else { return text }
        var rest = lines(of: Fixture.html(Samples.page()))[...]
        var fragment: [Substring] = []
        var count = 0
        for line in lines(of: text) + ["end"] {
            if let index = rest.firstIndex(of: line) {
                rest = rest[(index + 1)...]
                count += 1
                continue
            }
            if count > 0 { fragment.append("… \(count) as in the page") }
            count = 0
            fragment.append(line)
        }
        return fragment.dropLast().joined(separator: "\n")
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}
