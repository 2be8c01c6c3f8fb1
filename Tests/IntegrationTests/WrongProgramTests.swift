import Foundation
import Testing

@Suite("A wrong program has one error that names what is wrong")
struct WrongProgramTests {
    private static let start = #"""
        import Roster

        struct Book: Identifiable {
            let id: Int
            let title: String, author: String
        }
        struct Days: ActionInput { var days: Int }
        let books = [Book(id: 1, title: "Emma", author: "Austen")]

        @main struct Library: ListApp {
            var lists: some Lists {

        """#

    @Test(
        "the compiler names the mistake",
        arguments: [
            (
                #"List("books", books) { Column(\.title); Column(\.autor) }"#,
                "value of type 'Book' has no member 'autor'"
            ),
            (
                #"List("books") { Section("All", books) { Column(\.title); Column(\.autor) } }"#,
                "value of type 'Book' has no member 'autor'"
            ),
            (
                #"List("books", books) { Column(\.title) }.grouped(by: \.titel)"#,
                "value of type 'Book' has no member 'titel'"
            ),
            (
                #"List("books", books) { Column(\.title) }.sorted(by: \.titel)"#,
                "value of type 'Book' has no member 'titel'"
            ),
            (
                #"List("books", books) { Column(\.title) }.action("lend") { _, _ in .lent() }"#,
                "type 'ActionResult<Book>' has no member 'lent'"
            ),
            (
                #"List("books", books) { Column(\.title) }.link { book in book.url }"#,
                "value of type 'Book' has no member 'url'"
            ),
            (
                #"""
                List("books", books) { Column(\.title) }
                .action("lend", input: Days.self) { _, days, _ in .done(message: "\(days.day)") }
                """#,
                "value of type 'Days' has no member 'day'"
            ),
            (
                #"""
                List("books", books) { Column(\.title) }
                .onCreate { draft in Book(id: 2, title: try draft[\.titel], author: "") }
                """#,
                "value of type 'Book' has no member 'titel'"
            ),
            (
                #"List("books") { Section("All", books) { Column(\.title) } }.grouped(by: \.title)"#,
                "value of type 'Mixed' has no member 'title'"
            ),
            (
                #"Column(\Book.title)"#,
                "static method 'buildExpression' requires that 'Column<Book, String>' conform to "
                    + "'Lists'"
            ),
        ]
    )
    func compiling(lists: String, message: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.start + lists + "\n}\n}\n", to: "Library.swift")
        let run = try DocumentedProgramTests.compile(
            [file, "-parse-as-library"],
            cache: folder.path("modules")
        )
        #expect(run.status != 0)
        let errors = run.messages.split(separator: "\n").filter {
            $0.hasPrefix("/") && $0.contains(": error: ")
        }
        .map { $0.split(separator: " error: ").last.map(String.init) ?? "" }
        #expect(errors == [message], "\(run.messages)")
    }
}
