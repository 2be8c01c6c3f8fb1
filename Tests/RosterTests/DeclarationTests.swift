import Foundation
import Roster
import Testing

@Suite("A declaration works, or is refused when the program starts")
struct DeclarationTests {
    private struct Task: Identifiable, Sendable {
        enum Only: String, Codable, Sendable { case one }

        let id: Int
        var title: String
        var owner = "ada"
        var page = 3
        var only = Only.one
    }

    private struct Note: Identifiable, Sendable {
        let id: Int
        var text: String
    }

    private struct Days: ActionInput {
        var days: Int?
        var reason: String?
        var isUrgent: Bool?
        var share: Double?
        var until: Date?
        var name: String
    }

    private struct App: ListApp {
        var all: ListSet

        var lists: some Lists { all }
    }

    private static let tasks = [Task(id: 1, title: "Write"), Task(id: 2, title: "Read")]

    private static func list(_ name: String = "tasks") -> List<Task> {
        List(name, tasks) { Column(\.title).editable() }.onUpdate { _ in }
    }

    private static func error(of lists: some Lists) async -> String? {
        do {
            try await App(all: lists.listSet).test { _ in }
            return nil
        } catch {
            return (error as? AppError)?.description
        }
    }

    private struct Refused: Sendable {
        let text: String
        let list: ListSet

        init(_ text: String, _ list: some Lists) { (self.text, self.list) = (text, list.listSet) }
    }

    private static func set(@ListBuilder _ lists: () -> ListSet) -> ListSet { lists() }

    private static func column<Value>(_ column: Column<Task, Value>) -> List<Task> {
        List("tasks", tasks) { column }
    }

    @Test("what cannot work is refused with a remedy")
    func refusals() async throws {
        let listed = List("tasks") { Section("All", Self.tasks) { Column(\.title) } }
        let live = Models(Self.tasks)
        let both = List("tasks") {
            Section("A", live: live) { Column(\.title).editable() }
                .onCreate { _ in Task(id: 9, title: "") }
            Section("B", Self.tasks) { Column(\.title).editable() }
                .onCreate { _ in Task(id: 9, title: "") }
        }
        let cases = [
            Refused("'tasks': .kind belongs to a section", listed.kind("task")),
            Refused("'tasks': .template belongs to a section", listed.template("{{title}}")),
            Refused("'tasks': .onDelete belongs to a section", listed.onDelete { _ in }),
            Refused("two sections have onCreate", both),
            Refused(
                "it has no section",
                List("tasks") { for _ in [1, 2].prefix(0) { Self.section } }
            ),
            Refused(
                "two actions have the name 'a'",
                Self.list().action("a") { _, _ in .done() }
                    .action("a") { _, _ in .done() }
            ),
            Refused("'' is no name of an action", Self.list().action("") { _, _ in .done() }),
            Refused("'a/b' is no name of an action", Self.list().action("a/b") { _, _ in .done() }),
            Refused(
                "the priority 9; allowed are 1, 2 and 3",
                Self.column(Column(\.title).priority(9))
            ),
            Refused(
                "a code of three letters",
                Self.column(Column(\.page).format(.currency("EURO")))
            ),
            Refused(
                "cannot be .integer; allowed are .text",
                Self.column(Column(\.title).type(.integer))
            ),
            Refused("has one value", Self.column(Column(\.only))),
            Refused("'a,b' is no name of a column", Self.column(Column("a,b", \.title))),
            Refused(
                "no column is editable",
                Self.column(Column(\.title)).onCreate { _ in
                    Task(id: 9, title: "")
                }
            ),
            Refused(
                "a closure computes it",
                Self.column(Column("x") { $0.title }.editable())
                    .onUpdate { _ in }
            ),
            Refused("leave out .movable or .sorted", Self.list().sorted(by: \.title).movable()),
            Refused(
                "two lists have the name 'tasks'",
                Self.set {
                    Self.list()
                    Self.list()
                }
            ),
            Refused("the program has no list", Self.set {}),
            Refused("the segment 'tasks' takes edits", List("x", segments: { Self.list() })),
            Refused(
                ".pageSize belongs to a list of the segments",
                List(
                    "x",
                    segments: {
                        Self.column(Column(\.title))
                    }
                ).pageSize(5)
            ),
        ]
        for refused in cases + Self.others {
            let error = try #require(await Self.error(of: refused.list), "\(refused.text)")
            #expect(error.contains(refused.text), "\(error)")
        }
    }

    private struct Nameless: Sendable { let text: String }

    private static func paged(
        _ row: (@Sendable (String) async throws -> Task?)?
    ) -> List<Task> {
        List(
            "tasks",
            pages: { _ in ModelPage(tasks, next: nil) },
            row: row,
            columns: { Column(\.title) }
        )
    }

    private static var others: [Refused] {
        [
            Refused(
                "both have the kind 'k'",
                List("x", mixed: []) {
                    Row(Task.self) { Column(\.title) }.kind("k")
                    Row(Note.self) { Column(\.text) }.kind("k")
                }
            ),
            Refused(
                "two sections have the name 'a'",
                List("x") {
                    Section("A", tasks) { Column(\.title) }
                    Section("a", tasks) { Column(\.title) }
                }
            ),
            Refused(
                "'a/b' is no name of a section",
                List("x") {
                    Section("A", name: "a/b", tasks) { Column(\.title) }
                }
            ),
            Refused(
                ".link belongs to a Row",
                List("x", mixed: []) {
                    Row(Task.self) { Column(\.title) }
                }.link { _ in nil }
            ),
            Refused(
                "list 'x': list 's': Task has no columns",
                List(
                    "x",
                    segments: {
                        List("s", tasks) { if false { Column(\.title) } }
                    }
                )
            ),
            Refused(
                "the models Nameless have no ids",
                List("x") {
                    [Nameless(text: "a")]
                } columns: {
                    Column(\.text)
                }
            ),
            Refused(
                ".action needs the model of a row",
                paged(nil).action("a") { _, _ in .done() }
            ),
            Refused(".onDelete needs models", paged { _ in nil }.onDelete { _ in }),
            Refused("a deadline is longer than zero", list().deadline(.zero)),
            Refused(
                "'delete' beside .onDelete",
                list().onDelete { _ in }
                    .action("delete") { _, _ in .removed() }
            ),
            Refused("'' is no kind of rows", list().kind("")),
        ]
    }

    private static var section: Section<Task> { Section("All", tasks) { Column(\.title) } }

    @Test("columns have any name and any value")
    func columns() async throws {
        let list = List("tasks", Self.tasks) {
            Column(\.page)
            Column("count", \.title)
            Column("summary") { task in "\(task.title) by \(task.owner)" }
        }
        try await App(all: list.listSet).test { client in
            let row = try #require(
                try await client.get("/tasks?page_=3&summary=Write%20by%20ada").rows.first
            )
            #expect(row.cells == ["page_": "3", "count_": "Write", "summary": "Write by ada"])
            #expect(try await client.get("/tasks?sort=-summary").rows.map(\.id) == ["1", "2"])
            let table = try await client.get("/tasks.csv?limit=1").body
            #expect(table == "section,page,count,summary\r\nall,3,Write,Write by ada\r\n")
        }
    }

    @Test("optional values of an input may be missing")
    func inputs() async throws {
        let list = Self.list().action("snooze", input: Days.self) { _, input, _ in
            .done(message: "\(input.name) \(input.days ?? 0) \(input.isUrgent ?? false)")
        }
        try await App(all: list.listSet).test { client in
            let done = try await client.post("/tasks/1/-/snooze", json: #"{"name":"a"}"#)
            #expect(done.body.contains("a 0 false"), "\(done.body)")
            let given = #"{"name":"a","days":2,"isUrgent":true}"#
            #expect(
                try await client.post("/tasks/1/-/snooze", json: given).body.contains("a 2 true")
            )
            #expect(try await client.post("/tasks/1/-/snooze", json: "{}").status == 422)
        }
    }

    @Test("closures refuse with a status and a reason, and other errors are 500")
    func refusing() async throws {
        struct Broken: Error {}
        let list = List("tasks", live: Models(Self.tasks)) { Column(\.title).editable() }
            .onCreate { _ in throw Refusal.forbidden("Not here.") }
            .onUpdate { task in
                if task.title == "x" { throw Refusal.conflict("It is closed.") }
                throw Broken()
            }
            .onDelete { _ in throw Refusal.notFound("No such task.") }
            .action("end") { _, _ in throw Refusal.forbidden("Only the owner ends it.") }
        try await App(all: list.listSet).test { client in
            func status(
                _ method: String,
                _ target: String,
                _ json: String
            ) async throws -> (Int, String) {
                let fields =
                    method == "PATCH" ? ["Content-Type": "application/merge-patch+json"] : [:]
                let response = try await client.send(method, target, fields: fields, json: json)
                return (response.status, response.body)
            }
            for (method, target, json, expected, text) in [
                ("POST", "/tasks", #"{"title":"a"}"#, 403, "Not here."),
                ("PATCH", "/tasks/1", #"{"title":"x"}"#, 409, "It is closed."),
                ("PATCH", "/tasks/1", #"{"title":"y"}"#, 500, "has been logged"),
                ("PATCH", "/tasks/1", #"{"id":3}"#, 422, "id cannot be changed"),
                ("DELETE", "/tasks/1", "", 404, "No such task."),
                ("POST", "/tasks/1/-/end", "", 403, "Only the owner ends it."),
                ("POST", "/tasks/-/actions/end", #"{"ids":["1"]}"#, 200, "Only the owner ends it."),
            ] {
                let (found, body) = try await status(method, target, json)
                #expect(found == expected, "\(method) \(target) \(json): \(body)")
                #expect(body.contains(text), "\(method) \(target) \(json): \(body)")
            }
            #expect(try await client.get("/tasks").rows.count == 2)
        }
    }

    private struct Owned: ListApp {
        var authentication: Authentication? {
            Authentication { request in
                request.field("X-User").map { Caller($0, scopes: [.write("tasks")]) }
            }
        }

        var lists: some Lists {
            List(
                "tasks",
                live: Models([Task(id: 1, title: "a"), Task(id: 2, title: "b", owner: "bob")])
            ) {
                Column(\.title).editable()
            }
            .onUpdate { task in
                guard task.owner == Caller.currentName else {
                    throw Refusal.forbidden("Not yours.")
                }
            }
            .action(
                "end",
                when: { $0.owner == Caller.currentName },
                perform: { _, _ in .done(message: Caller.currentName) }
            )
        }
    }

    @Test("closures know the caller, also on pages that callers of equal rights read")
    func callers() async throws {
        try await Owned().test { client in
            for (user, own, other) in [("ada", 1, 2), ("bob", 2, 1), ("ada", 1, 2)] {
                func send(
                    _ method: String,
                    _ target: String,
                    _ json: String = ""
                ) async throws -> TestResponse {
                    let type =
                        method == "PATCH" ? "application/merge-patch+json" : "application/json"
                    let fields = [
                        "X-User": user, "Content-Type": type, "Accept": "application/json",
                    ]
                    return try await client.send(method, target, fields: fields, json: json)
                }
                let page = try await send("GET", "/tasks")
                #expect(page.body.contains("/tasks/\(own)/-/end"))
                #expect(!page.body.contains("/tasks/\(other)/-/end"))
                #expect(try await send("POST", "/tasks/\(own)/-/end").body.contains(user))
                #expect(try await send("POST", "/tasks/\(other)/-/end").status != 200)
                let json = #"{"title":"\#(user)"}"#
                #expect(try await send("PATCH", "/tasks/\(own)", json).status == 200)
                #expect(try await send("PATCH", "/tasks/\(other)", json).status == 403)
            }
        }
    }

    @Test("rows of several sections are written by their own closures")
    func sections() async throws {
        let (tasks, notes) = (Models(Self.tasks), Models([Note(id: 1, text: "n")]))
        let list = List("all") {
            Section("Tasks", live: tasks) { Column(\.title).editable() }.onUpdate { _ in }
            Section("Notes", live: notes) { Column(\.text).editable() }
                .onCreate { draft in Note(id: 5, text: try draft[\.text]) }
                .onDelete { _ in }
        }
        try await App(all: list.listSet).test { client in
            func send(_ method: String, _ target: String, _ json: String = "") async throws -> Int {
                let fields =
                    method == "PATCH" ? ["Content-Type": "application/merge-patch+json"] : [:]
                return try await client.send(method, target, fields: fields, json: json).status
            }
            let ids = try await client.get("/all").rows.map(\.id)
            #expect(ids == ["task-1", "task-2", "note-1"])
            #expect(try await send("PATCH", "/all/task-1", #"{"title":"new"}"#) == 200)
            #expect(try await send("PATCH", "/all/task-1", #"{"text":"new"}"#) == 422)
            #expect(try await send("PATCH", "/all/note-1", #"{"text":"new"}"#) == 403)
            #expect(try await send("DELETE", "/all/task-1") == 403)
            #expect(try await send("DELETE", "/all/note-1") == 204)
            #expect(try await send("POST", "/all", #"{"text":"more"}"#) == 201)
            #expect(try await send("POST", "/all", #"{"title":"more"}"#) == 422)
            #expect(tasks.all.map(\.title) == ["new", "Read"])
            #expect(notes.all.map(\.text) == ["more"])
        }
    }

    @Test("a section that cannot be loaded says so beside the others")
    func failingSection() async throws {
        struct Broken: Error {}
        let isBroken = Models([true])
        let list = List("tasks") {
            Section("Good") {
                Self.tasks
            } columns: {
                Column(\.title)
            }
            Section("Bad") {
                if isBroken.all[0] { throw Broken() }
                return [Task(id: 3, title: "Back")]
            } columns: {
                Column(\.title)
            }
        }
        try await App(all: list.listSet).test { client in
            let page = try await client.get("/tasks")
            #expect(page.status == 200)
            #expect(page.rows.map(\.id) == ["1", "2"])
            #expect(page.body.contains("These rows cannot be loaded at the moment."))
            isBroken.update { $0 = [false] }
            let again = try await client.get("/tasks")
            #expect(again.rows.map(\.id) == ["1", "2", "3"])
            #expect(!again.body.contains("cannot be loaded"))
        }
    }

    @Test("lists have a layout, and sections a text while they are empty")
    func layouts() async throws {
        let models = Models<Task>()
        let list = List("tasks") {
            Section("Mine", live: models) { Column(\.title) }.emptyText("Nothing yet.")
            Section("Others", Self.tasks) { Column(\.title) }
        }
        .layout(.grid)
        try await App(all: list.listSet).test { client in
            let page = try await client.get("/tasks", accept: "text/html").body
            #expect(page.contains("Nothing yet."))
            #expect(!page.contains("<table") && page.contains(#"data-layout="grid""#))
            let table = try await client.get("/tasks?layout=table", accept: "text/html").body
            #expect(table.contains("<table"))
            models.update { $0 = [Task(id: 9, title: "New")] }
            let filled = try await client.get("/tasks").body
            #expect(!filled.contains("Nothing yet."))
        }
        #expect(
            await Self.error(of: Self.list().layout(.board))?.contains("shows sections") == true
        )
    }

    @Test("a list of lists is shown in segments")
    func segments() async throws {
        let list = List(
            "tasks",
            segments: {
                List("open", Self.tasks) { Column(\.title) }.sorted(by: \.title)
                List("done", title: "Finished", [Task(id: 7, title: "Done")]) { Column(\.owner) }
            }
        )
        try await App(all: list.listSet).test { client in
            #expect(try await client.get("/tasks").rows.map(\.id) == ["2", "1"])
            let done = try await client.get("/tasks?segment=done")
            #expect(done.rows.map(\.cells) == [["owner": "ada"]])
            let page = try await client.get("/tasks", accept: "text/html").body
            #expect(page.contains("Finished"))
        }
    }

    @Test("models of several types are rows of one section, each with its cells and actions")
    func kinds() async throws {
        let feed: [any Sendable] = [
            Self.tasks[0], Note(id: 1, text: "n"), Note(id: 2, text: "m"), Self.tasks[1],
        ]
        let models = Models(feed)
        let list = List("feed", mixed: models) {
            Row(Task.self) { Column(\.title) }
                .action("end") { task, _ in .removed(message: task.title) }
            Row(Note.self) { Column(\.text).editable() }.onUpdate { _ in }
        }
        try await App(all: list.listSet).test { client in
            let rows = try await client.get("/feed").rows
            #expect(rows.map(\.id) == ["task-1", "note-1", "note-2", "task-2"])
            #expect(rows.map(\.kind) == ["task.row", "note.row", "note.row", "task.row"])
            #expect(rows[0].cells == ["title": "Write"])
            #expect(rows[1].cells == ["text": "n"])
            #expect(try await client.get("/feed?sort=text&limit=1").rows.map(\.id) == ["note-2"])
            let changed = try await client.send(
                "PATCH",
                "/feed/note-2",
                fields: ["Content-Type": "application/merge-patch+json"],
                json: #"{"text":"new"}"#
            )
            #expect(changed.status == 200, "\(changed.body)")
            #expect(try await client.post("/feed/task-1/-/end").status == 200)
            #expect(try await client.post("/feed/note-1/-/end").status == 404)
            #expect(try await client.get("/feed").rows.map(\.id) == ["note-1", "note-2", "task-2"])
            #expect((models.all[1] as? Note)?.text == "new")
            models.update { $0.append(7) }
            #expect(try await client.get("/feed").status == 503)
            models.update { $0.removeLast() }
        }
        let sectioned = List("feeds") {
            Section("Words", ["x"]) { Column("title", \.self) }
            Section("Feed", mixed: feed) {
                Row(Task.self) { Column(\.title) }
                Row(Note.self) { Column(\.text) }
            }
        }
        try await App(all: sectioned.listSet).test { client in
            let rows = try await client.get("/feeds").rows
            #expect(rows.map(\.id) == ["string-x", "task-1", "note-1", "note-2", "task-2"])
        }
        let doubled = List("feed", mixed: feed) {
            Row(Task.self) { Column(\.title) }
            Row(Task.self) { Column(\.page) }
        }
        #expect(await Self.error(of: doubled)?.contains("two Rows have the type Task") == true)
        let missing = List("feed", mixed: feed) { Row(Task.self) { Column(\.title) } }
        #expect(await Self.error(of: missing)?.contains("at 1 is a Note, which has no Row") == true)
    }

    private actor Log {
        private(set) var notes = (1...7).map { Note(id: $0, text: "n\($0)") }

        func page(after id: Int, _ limit: Int) -> [Note] {
            Array(notes.filter { $0.id > id }.prefix(limit))
        }

        func note(_ id: String) -> Note? { notes.first { "\($0.id)" == id } }

        func end(_ id: Int) { notes.removeAll { $0.id == id } }
    }

    @Test("a program reads the page that a client requests")
    func pages() async throws {
        let log = Log()
        let list = List(
            "notes",
            pages: { request in
                let notes = await log.page(after: Int(request.cursor ?? "") ?? 0, request.limit)
                let isLast = notes.count < request.limit
                return ModelPage(notes, next: isLast ? nil : notes.last.map { "\($0.id)" })
            },
            row: { id in await log.note(id) },
            columns: { Column(\.text) }
        )
        .action("end") { note, _ in
            await log.end(note.id)
            return .removed(message: "Ended.")
        }
        .pageSize(3)
        try await App(all: list.listSet).test { client in
            struct Page: Decodable {
                struct Links: Decodable { let next: String? }
                let links: Links
            }
            var (target, ids): (String?, [String]) = ("/notes", [])
            while let address = target {
                let page = try await client.get(address)
                #expect(page.status == 200, "\(page.body)")
                ids += page.rows.map(\.id)
                target = try page.decode(Page.self).links.next
            }
            #expect(ids == (1...7).map(String.init))
            #expect(try await client.get("/notes/4").rows.map(\.cells) == [["text": "n4"]])
            #expect(try await client.post("/notes/4/-/end").body.contains("Ended."))
            #expect(try await client.get("/notes/4").status == 404)
            #expect(try await client.get("/notes?before=end").status == 400)
            let second = try await client.get("/notes?limit=2").decode(Page.self).links.next
            let page = try await client.get(try #require(second), accept: "text/html").body
            #expect(page.contains(#"rel="first""#) && !page.contains(#"rel="last""#))
            #expect(try await client.get("/notes?sort=text").status == 400)
            #expect(try await client.get("/notes?text=n1").status == 400)
            #expect(try await client.get("/notes", accept: "text/html").body.contains("n2"))
            let table = try await client.get("/notes.csv").body
            let lines = table.split(whereSeparator: \.isNewline)
            #expect(lines == ["section,text"] + [1, 2, 3, 5, 6, 7].map { "all,n\($0)" })
        }
        #expect(
            await Self.error(of: list.sorted(by: \.text))?.contains(".sorted needs all models")
                == true
        )
    }

    private struct Board: ListApp {
        let open = Models([10, 9, 8].map { Note(id: $0, text: "n\($0)") })
        let done = Models<Note>()

        var lists: some Lists {
            List("notes") {
                Section("Open", live: open) { Column(\.text) }.movable()
                Section("Done", live: done) { Column(\.text) }
                    .movable { note, target in
                        note.id == 9 && target.section == 0 ? nil : target
                    }
                Section("Fixed", ["x"]) { Column("text", \.self) }
            }
        }
    }

    @Test("rows are moved to sections of the same type that allow it, and the models follow")
    func movesBetweenSections() async throws {
        let board = Board()
        try await board.test { client in
            func move(_ row: String, _ json: String) async throws -> Int {
                let target = "/notes/note-\(row)/-/move"
                return try await client.send("POST", target, json: json).status
            }
            let moved = try await move("9", #"{"to":[1,0]}"#)
            #expect(moved == 200)
            #expect(board.open.all.map(\.id) == [10, 8])
            #expect(board.done.all.map(\.id) == [9])
            #expect(try await move("10", #"{"before":"note-9"}"#) == 200)
            #expect(board.done.all.map(\.id) == [10, 9])
            // Both sections decide.
            #expect(try await move("9", #"{"to":[0,0]}"#) == 409)
            #expect(try await move("10", #"{"to":[0,1]}"#) == 200)
            #expect(try await move("8", #"{"to":[2,0]}"#) == 409)
            #expect(board.open.all.map(\.id) == [8, 10])
            let rows = try await client.get("/notes").rows.map(\.id)
            #expect(rows == ["note-8", "note-10", "note-9", "string-x"])
        }
    }
}
