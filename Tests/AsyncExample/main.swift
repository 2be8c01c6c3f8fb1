// Serves a list after other threads were started, as an async program does.

import Roster

struct Entry: Identifiable {
    let id: Int
    let name: String
}

let entries = await Task.detached { [Entry(id: 1, name: "one"), Entry(id: 2, name: "two")] }.value
var service = ListService(title: "Entries")
let controller = ClosureController<Entry>(columns: [column("name", \.name, priority: 1)])
try service.list("entries", models: entries, using: controller)
try service.serve()
