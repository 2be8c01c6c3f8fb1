// A list of tasks that people put in order, finish and drop: what the browser's tests need and files
// do not have.

import Roster

struct Task: Identifiable {
    let id: Int
    let title: String
}

@main
struct Work: ListApp {
    let title = "Work"

    var lists: some Lists {
        List("tasks", (1...8).map { Task(id: $0, title: "Task \($0)") }) {
            Column(\.title)
        }
        .action("finish") { task, _ in .removed(message: "\(task.title): finish") }
        .action("drop", confirm: "Drop this task?", isDestructive: true) { task, _ in
            .removed(message: "\(task.title): drop")
        }
        .movable()
    }
}
