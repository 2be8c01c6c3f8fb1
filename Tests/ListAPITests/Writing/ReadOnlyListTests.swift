import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import RosterProgram
import TestSupport
import Testing

@Suite("Lists say what keeps them from being written, and where edits stay")
struct ReadOnlyListTests {
    private static let option = "--allow-anonymous-writes"
    private static let lost = [
        ("en", "Edits stay in memory, and are lost when the server stops."),
        ("de", "gehen verloren, wenn der Server endet."), ("he", "ויאבדו כשהשרת ייעצר."),
    ]

    /// The sample users, and an empty list of a file.
    private static func lists(writes: Bool = false) throws -> [ListDefinition] {
        let folder = try ScratchFolder()
        try folder.write(Array("id,name\n".utf8), to: "empty.csv")
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = writes
        let users = try ListRegistry(configuration).lists
        configuration.sources = [try SourceArgument(folder.path + "/empty.csv")]
        configuration.database = writes ? ":memory:" : nil
        return users + (try ListRegistry(configuration).lists)
    }

    @Test(
        "a write that an option would permit names the option",
        arguments: [
            (.post, "/users", true), (.put, "/users/1", true), (.patch, "/users/1", true),
            (.delete, "/users/1", true), (.post, "/empty", true), (.delete, "/empty/1", true),
            (.post, "/empty/-/rows", false), (.post, "/empty/-/import", false),
            (.post, "/empty/-/import/preview", true),
        ] as [(HTTPMethod, String, Bool)]
    )
    func remedy(method: HTTPMethod, target: String, isRead: Bool) throws {
        for way in Way.allCases {
            let client = try Client(try Self.lists(), way)
            let answer = try client.send(method, target, "{}")
            #expect(answer.status == 405)
            let methods = (isRead ? "GET, HEAD, " : "") + "OPTIONS"
            #expect(answer.field("Allow") == methods)
            #expect(try client.ask(.options, target).field("Allow") == methods)
            #expect(answer.body.contains("is read-only. The operator of the server permits"))
            #expect(answer.body.contains(Self.option) && answer.body.contains("--allow-writes"))
        }
    }

    @Test("a list that no option makes writable names none")
    func noRemedy() throws {
        let client = try Client([try .items(.numbered(3))])
        let answer = try client.send(.post, "/items", "{}")
        #expect(answer.status == 405)
        #expect(answer.body.contains("The list 'items' is read-only.\""))
        #expect(!answer.body.contains("--allow"))
    }

    @Test("the remedy is in the language of the page")
    func translated() throws {
        let client = try Client(try Self.lists())
        let page = try client.send(
            .post,
            "/empty",
            "{}",
            fields: [(.accept, "text/html"), (.acceptLanguage, "de")]
        )
        #expect(page.body.contains("Die Liste „empty“ ist nur lesbar."))
    }

    @Test("an empty list names the option to who may start the server, and to nobody else")
    func empty() throws {
        let client = try Client(try Self.lists())
        let scopes = [("reader", "*:read"), ("monitor", "operate")]
        let scoped = try AuthorizedClient(try Self.lists(), scopes)
        for target in ["/empty.json", "/empty.html"] {
            #expect(try client.get(target).body.contains("start the server with \(Self.option)."))
            let answer = try scoped.ask(.get, target, as: "reader")
            #expect(answer.status == 200 && answer.body.contains("The list has no rows."))
            #expect(!answer.body.contains("--allow"))
        }
        let writing = try Client(writing: .inMemory)
        #expect(!(try writing.get("/users.json?q=none").body.contains("--allow")))
        let directory = try scoped.ask(.get, "/.html", as: "monitor")
        #expect(directory.body.contains("No list yet"))
        #expect(!directory.body.contains("Start the server"))
    }

    @Test("a page whose edits stay in memory says so to those who may edit", arguments: lost)
    func edits(language: String, text: String) throws {
        let fields = [(FieldName.acceptLanguage, language)]
        let writing = try Client(writing: .inMemory)
        for target in ["/users.html", "/users/1.html", "/users.html?group=none"] {
            #expect(try writing.ask(.get, target, fields: fields).body.contains(text), "\(target)")
        }
        for form in ["/users/-/new", "/users/1/-/edit", "/users/1/-/delete"] {
            let fields = fields + [(.accept, "text/html")]
            #expect(try writing.ask(.get, form, fields: fields).body.contains(text), "\(form)")
        }
        #expect(!(try writing.ask(.get, "/users.json", fields: fields).body.contains(text)))
        let reading = try Client(try Self.lists())
        #expect(!(try reading.ask(.get, "/users.html", fields: fields).body.contains(text)))
        let scoped = try AuthorizedClient(
            try Self.lists(writes: true),
            [("reader", "*:read"), ("writer", "*:write")],
            writes: true
        )
        for (caller, isShown) in [("reader", false), ("writer", true)] {
            let page = try scoped.ask(.get, "/empty.html", as: caller, fields: fields)
            #expect(page.status == 200 && page.body.contains(text) == isShown, "\(caller)")
        }
    }
}
