import Foundation
import Roster

struct Todo: Identifiable, Sendable {
    let id: UUID
    var title: String
    var due: Date?
}
struct Days: ActionInput {
    var days: Int
}

actor Store {
    private var todos: [UUID: Todo] = [:]
    var all: [Todo] { Array(todos.values) }
    func save(_ todo: Todo) { todos[todo.id] = todo }
    func remove(_ id: UUID) { todos[id] = nil }
}

@main struct Todos: ListApp {
    let store = Store()

    var lists: some Lists {
        List("todos") {
            // A store that takes its time must not delay other requests.
            try await Task.sleep(for: .milliseconds(200))
            return await store.all
        } columns: {
            Column(\.title).editable()
            Column(\.due).editable()
        }
        .onCreate { draft in
            let todo = Todo(id: UUID(), title: try draft[\.title], due: try draft[\.due])
            await store.save(todo)
            return todo
        }
        .onUpdate { todo in await store.save(todo) }
        .onDelete { todo in await store.remove(todo.id) }
        .action("snooze", input: Days.self) { todo, input, call in
            var later = todo
            later.due = (todo.due ?? .now).addingTimeInterval(Double(input.days) * 86_400)
            await store.save(later)
            return .updated(later, message: "Snoozed by \(call.caller ?? "somebody").")
        }
        List("fast", [Todo(id: UUID(), title: "Now")]) { Column(\.title) }
    }
}
