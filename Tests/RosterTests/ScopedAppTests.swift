import Roster
import TestSupport
import Testing

@Suite("A caller of an app who sees few rows gets the responses of an app with only those rows")
struct ScopedAppTests {
    private struct Book: Identifiable, Sendable {
        let id: Int
        let title: String
        let shelf: String
        let size: Int?
    }

    private struct Library: ListApp {
        static let names = ["fixed", "loaded", "live"]
        let books: [Book]
        let scopes: [Scope]
        let live: Models<Book>

        init() { self.init([], scopes: []) }

        init(_ books: [Book], scopes: [Scope]) {
            self.books = books
            self.scopes = scopes
            live = Models(books)
        }

        var authentication: Authentication? {
            Authentication { _ in Caller("ada", scopes: scopes) }
        }

        var lists: some Lists {
            List("fixed", books) { Self.columns }
            List("loaded") {
                books
            } columns: {
                Self.columns
            }
            List("live", live: live) { Self.columns }
        }

        @ColumnBuilder<Book> static var columns: some Columns<Book> {
            Column(\Book.title)
            Column(\Book.shelf)
            Column(\Book.size)
        }
    }

    private static let books = (1...120).map { id in
        Book(
            id: id,
            title: "Title \(id * 7 % 120)",
            shelf: "shelf \(id % 3)",
            size: id % 11 == 0 ? nil : id % 9
        )
    }

    private static func request(of list: String, _ random: inout SeededGenerator) -> String {
        func one(_ values: String...) -> String {
            values[Int.random(in: values.indices, using: &random)]
        }
        func condition() -> String {
            one("title", "shelf", "size") + one("", "__ne", "__lt", "__gte", "__in") + "="
                + one("Title+3", "shelf+0", "shelf+1", "4", "8")
        }
        func column() -> String { one("title", "shelf", "size", "id") }
        let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            one(
                condition(),
                "not=(\(condition()))",
                "or=(\(condition()),\(condition()))",
                "sort=\(one("", "-"))\(column())",
                "group=\(column())",
                "facets=\(column())",
                "facets=?",
                "q=\(one("title", "5", "shelf"))",
                "limit=\(one("1", "3", "100"))",
                "page=\(one("1", "2", "9"))",
                "count=\(one("exact", "none", "capped"))",
                "sum=\(column())",
                "statistics=\(column())",
                "section=shelf+\(one("0", "1"))",
                "around=\(one("1", "4", "6", "118", "500"))",
                "jump=T",
                "per_section=2"
            )
        }
        let path = one(
            "",
            "",
            "",
            "/-/sections",
            "/-/sections/all",
            "/1",
            "/4",
            "/500",
            "/-/schema"
        )
        return "/\(list)\(path)\(one(".json", ".json", ".html", ".csv", ".ndjson"))?"
            + items.joined(separator: "&")
    }

    private static func bare(_ response: TestResponse) -> String {
        let body = response.body.withoutStates
            // A cursor names the place of a row among all rows.
            .replacing(/(after|before)("?[=:]"?)[\w\-]+/, with: "")
        return "\(response.status) \(response.field("Location") ?? "") \(body)"
    }

    @Test("random requests of lists that are fixed, loaded or live", arguments: Library.names)
    func responses(list: String) async throws {
        let isVisible = { (book: Book) in book.shelf == "shelf 1" && book.size == 4 }
        let rights = Library.names.map {
            Scope.read($0, where: ["shelf": "shelf 1", "size": 4])
        }
        let few = Library(Self.books, scopes: rights)
        let whole = Library(Self.books.filter(isVisible), scopes: [.read()])
        let seed = UInt64.random(in: 0...9_999)
        try await few.test { few in
            try await whole.test { whole in
                var random = SeededGenerator(seed: seed)
                var found = 0
                for _ in 0..<300 {
                    let request = Self.request(of: list, &random)
                    let scoped = try await few.get(request, accept: "*/*")
                    let other = try await whole.get(request, accept: "*/*")
                    try #require(Self.bare(scoped) == Self.bare(other), "\(request), seed \(seed)")
                    found += scoped.status == 200 ? 1 : 0
                }
                #expect(found > 30, "seed \(seed)")
            }
        }
    }
}
