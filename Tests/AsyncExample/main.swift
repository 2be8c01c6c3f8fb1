// Serves a list after other threads were started, as a program with a main function of its own does.

import Roster

struct Entry: Identifiable {
    let id: Int
    let name: String
}

struct Entries: ListApp {
    let entries = Models<Entry>()

    var lists: some Lists {
        List("entries", live: entries) { Column(\.name) }
    }
}

let app = Entries()
let made = await Task.detached { [Entry(id: 1, name: "one"), Entry(id: 2, name: "two")] }.value
app.entries.update { $0 = made }
try await app.run()
