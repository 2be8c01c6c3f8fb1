import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import Testing

@testable import Roster

@Suite("Controllers and events of each list")
struct ListControllerTests {
    private struct Note: Identifiable {
        var id: Int
        var text: String
        var tag = "x"
    }

    private static let notes = [Note(id: 1, text: "a"), Note(id: 2, text: "b")]

    private struct App: ListApp {
        var lists: some Lists {
            List("open", ListControllerTests.notes) { Roster.Column(\.text) }
                .action("close") { note, call in
                    .done(message: "\(note.text) \(call.isFirst) \(call.isLast) in \(call.list)")
                }
            List("tags", ListControllerTests.notes) { Roster.Column(\.tag) }
                .action("drop") { _, _ in .done(message: "dropped") }
        }
    }

    @Test("two lists of one model have columns, actions and a template of their own columns")
    func ownControllers() async throws {
        let opened = try App().lists.listSet.lists.map { try $0.open() }
        var options = ServiceOptions()
        options.templates = try TemplateSet(
            ["note.row.html": "<i>{{text}}{{#tag}}, tag {{tag}}{{/tag}}</i>"],
            kinds: TemplateSet.kinds(of: opened.flatMap(\.kinds))
        )
        let client = try Client(opened.map(\.list), options: options)
        #expect(try client.get("/open.html").body.contains("<i>a</i>"))
        #expect(try client.get("/tags.html").body.contains("<i>, tag x</i>"))
        try await App().test { client in
            let open = try await client.get("/open").rows
            #expect(open.map(\.cells) == [["text": "a"], ["text": "b"]])
            let tags = try await client.get("/tags").rows
            #expect(tags.map(\.cells) == [["tag": "x"], ["tag": "x"]])
            let other = try await client.post("/open/1/-/drop")
            #expect(other.status != 200)
            let dropped = try await client.post("/tags/1/-/drop")
            #expect(dropped.body.contains("dropped"))
        }
    }

    /// A source of a program, which only lists its rows.
    private struct OwnSource: ListSource {
        let base: DataSourceList
        let schema: ListSchema

        func makeReader() throws(SourceError) -> any ListReader { try base.makeReader() }
    }

    @Test("a source of a program declares its abilities, and queries without them are refused")
    func abilities() throws {
        var registry = ControllerRegistry()
        let notes = try registry.register(
            ClosureController<Note>(columns: [column("text", \.text)])
        )
        let schema = try ListSchema(columns: notes.columns, idType: .integer)
        let base = DataSourceList(
            try DataSource(models: Self.notes, using: notes),
            schema: schema
        )
        do {
            _ = try List("notes", source: OwnSource(base: base, schema: schema)).listSet.lists[0]
                .open()
            Issue.record("a source without abilities is served")
        } catch {
            #expect(
                error.text.hasPrefix(
                    "list 'notes': the schema of the source OwnSource declares no abilities"
                )
            )
        }
        for (abilities, status) in [(ListAbilities.all, 200), ([], 400)] {
            let source = OwnSource(base: base, schema: schema.limited(to: abilities))
            let opened = try List("notes", source: source).listSet.lists[0].open()
            let client = try Client([opened.list])
            #expect(try client.get("/notes").rows().map(\.id) == ["1", "2"])
            for query in ["sort=-text", "text=a", "group=text", "count=exact", "page=2"]
            where query != "group=text" || status == 400 {
                #expect(try client.get("/notes?\(query)").status == status, "\(query)")
            }
        }
    }

    @Test("an action knows whether its row is the first or the last")
    func ends() async throws {
        try await App().test { client in
            let first = try await client.post("/open/1/-/close")
            #expect(first.body.contains("a true false in open"), "\(first)")
            let last = try await client.post("/open/2/-/close")
            #expect(last.body.contains("b false true in open"), "\(last)")
        }
    }

    @Test("a column has a format, which must suit its type")
    func formats() throws {
        let list = List("notes", Self.notes) {
            Roster.Column(\.text).format(.badge)
            Roster.Column("cost", \.id).format(.currency("EUR"))
        }
        let columns = try list.listSet.lists[0].open().kinds[0].columns
        #expect(columns.map { $0.format?.text } == ["badge", "currency:EUR"])
        let wrong = List("notes", Self.notes) { Roster.Column(\.text).format(.relative) }
        #expect(throws: Failure.self) { try wrong.listSet.lists[0].open() }
        do {
            _ = try wrong.listSet.lists[0].open()
        } catch {
            #expect(
                error.text
                    == "list 'notes': the column 'text' is text, which cannot be shown as relative"
            )
        }
    }

    @Test("rows of a DataSourceController have events and a template, also those that come later")
    func dataSourceController() throws {
        let controller = DataSourceController()
        var events = RowEvents<Note>()
        let archive = RowAction("archive")
        events.actions = { _ in [archive] }
        events.perform = { _, context in .removed(message: "archived \(context.model.text)") }
        events.link = { "/pages/\($0.model.id)" }
        controller.register(
            dataController: ClosureController<Note>(columns: [column("text", \.text)]),
            on: events
        )
        let schema = try ListSchema(columns: [Listings.Column("text")], idType: .integer)
        let list = List("notes", source: DataSourceList(controller, schema: schema))
        let opened = try list.listSet.lists[0].open()
        #expect(opened.kinds.map(\.kinds) == [["note.row"]])
        var options = ServiceOptions()
        options.templates = try TemplateSet(
            ["note.row.html": "<a href=\"{{link}}\"><i>{{text}}</i></a>"],
            kinds: TemplateSet.kinds(of: opened.kinds)
        )
        let client = try Client([opened.list], options: options)
        for note in Self.notes { controller.add(row: note, at: IndexPath(section: 0, row: 9)) }
        let page = try client.get("/notes.html").body
        #expect(page.contains("<a href=\"/pages/1\"><i>a</i></a>"))
        #expect(try client.ask(.post, "/notes/1/-/archive").body.contains("archived a"))
        #expect(try client.get("/notes").rows().map(\.id) == ["2"])
    }
}
