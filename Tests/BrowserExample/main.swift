// A list of tasks that people put in order, finish and drop: what the browser's tests need and files
// do not have.

import Roster

struct Task: Identifiable {
    let id: Int
    let title: String
}

let controller = ClosureController<Task>(columns: [column("title", \.title, priority: 1)])
var events = RowEvents<Task>()
events.actions = { _ in
    [RowAction("finish"), RowAction("drop", isDestructive: true, confirm: "Drop this task?")]
}
events.perform = { action, task in
    .removed(message: "\(task.model.title): \(action)")
}
events.adjustMove = { $1 }

var service = ListService(title: "Work")
try service.list(
    "tasks",
    models: (1...8).map { Task(id: $0, title: "Task \($0)") },
    using: controller,
    on: events
)
try service.serve()
