import Foundation
import Roster
import Testing

@Suite("An app performs actions and edits by its closures")
struct AppEditTests {
    private struct Todo: Identifiable, Sendable {
        enum State: String, CaseIterable, Sendable { case open, done }

        let id: UUID
        var title: String
        var due: Date?
        var state: State
    }

    private struct Days: ActionInput {
        var days: Int
        var reason: String?
    }

    private actor Store {
        private var todos: [Todo] = []

        var all: [Todo] { todos }
        func save(_ todo: Todo) {
            todos.removeAll { $0.id == todo.id }
            todos.append(todo)
        }
        func remove(_ id: UUID) { todos.removeAll { $0.id == id } }
    }

    private struct App: ListApp {
        let store = Store()

        func prepare() async throws {
            await store.save(Todo(id: UUID(), title: "Write", due: nil, state: .open))
        }

        var lists: some Lists {
            List("todos") {
                await store.all
            } columns: {
                Column(\.title).editable()
                Column(\.due).editable()
                Column(\.state).editable()
            }
            .onCreate { draft in
                let title: String = try draft[\.title]
                guard title.count < 10 else { throw Invalid(\Todo.title, "Too long.") }
                let state = try draft[\.state] ?? .open
                let todo = Todo(id: UUID(), title: title, due: try draft[\.due], state: state)
                await store.save(todo)
                return todo
            }
            .onUpdate { todo in await store.save(todo) }
            .onDelete { todo in await store.remove(todo.id) }
            .action("snooze", input: Days.self) { todo, input, call in
                .done(message: "\(todo.title) \(input.days) \(input.reason ?? "-") \(call.list)")
            }
            .emptyText("Nothing to do.", message: "Enjoy.")
        }
    }

    @Test("a model is created, changed and deleted, and each request sees the store")
    func edits() async throws {
        try await App().test { client in
            let made = try await client.post("/todos", json: #"{"title":"Read"}"#)
            #expect(made.status == 201)
            let row = try #require(made.rows.first)
            #expect(row.cells == ["title": "Read", "state": "open"])
            let address = "/todos/\(row.id)"
            let tag = try #require(made.field("ETag"))
            let json = #"{"state":"done","due":"2026-12-01T10:00:00Z"}"#
            let changed = try await client.send(
                "PATCH",
                address,
                fields: ["Content-Type": "application/merge-patch+json", "If-Match": tag],
                json: json
            )
            #expect(changed.status == 200)
            #expect(changed.rows.first?.cells["state"] == "done")
            #expect(changed.rows.first?.cells["due"] == "2026-12-01T10:00:00Z")
            let stale = try await client.send("DELETE", address, fields: ["If-Match": tag])
            #expect(stale.status == 412)
            #expect(try await client.send("DELETE", address).status == 204)
            #expect(try await client.get(address).status == 404)
            #expect(try await client.get("/todos").rows.map(\.cells["title"]) == ["Write"])
        }
    }

    @Test(
        "a value that does not fit is refused with its column",
        arguments: [
            (#"{"due":null}"#, "/title", "A value is needed here."),
            (#"{"title":"a","state":"late"}"#, "/state", "One of open, done is allowed."),
            (#"{"title":"0123456789"}"#, "/title", "Too long."),
            (#"{"title":7}"#, "/title", "This takes"),
            (#"{"title":"a","titel":"b"}"#, "/titel", "No column has this name."),
            (#"{"title":"a","id":"b"}"#, "/id", "leave it out."),
        ]
    )
    func invalid(json: String, pointer: String, detail: String) async throws {
        try await App().test { client in
            let answer = try await client.post("/todos", json: json)
            #expect(answer.status == 422)
            #expect(answer.body.contains(#""pointer":"\#(pointer)""#), "\(answer.body)")
            #expect(answer.body.contains(detail), "\(answer.body)")
            #expect(try await client.get("/todos").rows.count == 1)
        }
    }

    @Test("an action gets a valid input, and a page has its form")
    func input() async throws {
        try await App().test { client in
            let id = try #require(try await client.get("/todos").rows.first?.id)
            let address = "/todos/\(id)/-/snooze"
            let done = try await client.post(address, json: #"{"days":2,"reason":"rain"}"#)
            #expect(done.status == 200)
            #expect(done.body.contains("Write 2 rain todos"))
            let missing = try await client.post(address)
            #expect(missing.status == 422)
            #expect(missing.body.contains("A value is needed here."))
            let unfit = try await client.post(address, json: #"{"days":"x"}"#)
            #expect(unfit.status == 422)
            #expect(unfit.body.contains("This takes a whole number"))
            #expect(try await client.post(address, json: #"{"days":1,"day":2}"#).status == 422)
            let page = try await client.get("/todos", accept: "text/html").body
            #expect(page.contains(#"name="days" required"#))
            #expect(page.contains(#"name="reason""#))
            #expect(!page.contains(#"formaction="/todos/-/actions/snooze""#))
        }
    }

    @Test("the form of a new model has its fields alone, and offers the cases of enumerations")
    func form() async throws {
        try await App().test { client in
            let form = try await client.get("/todos/-/new", accept: "text/html").body
            #expect(!form.contains(#"name="id""#))
            #expect(form.contains(#"<option value="done""#), "\(form)")
        }
    }

    @Test("without a closure the method is refused, and an empty list says what the app says")
    func absent() async throws {
        struct Fixed: ListApp {
            let models = Models<Todo>()

            var lists: some Lists {
                List("todos", live: models) { Column(\.title).editable() }
                    .onUpdate { _ in }
                    .emptyText("Nothing to do.", message: "Enjoy.")
            }
        }
        let app = Fixed()
        try await app.test { client in
            let page = try await client.get("/todos", accept: "text/html")
            #expect(page.body.contains("Nothing to do."))
            #expect(try await client.post("/todos", json: #"{"title":"a"}"#).status == 405)
            let todo = Todo(id: UUID(), title: "a", due: nil, state: .open)
            app.models.update { $0 = [todo] }
            let address = "/todos/\(todo.id)"
            let refused = try await client.send("DELETE", address)
            #expect(refused.status == 405)
            #expect(refused.field("Allow") == "GET, HEAD, PATCH, OPTIONS")
            let fields = ["Content-Type": "application/merge-patch+json"]
            let changed = try await client.send(
                "PATCH",
                address,
                fields: fields,
                json: #"{"title":"b"}"#
            )
            #expect(changed.status == 200)
            #expect(app.models.all.map(\.title) == ["b"])
        }
    }
}
