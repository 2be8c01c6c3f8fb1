import HTTP
import ListAPITestSupport
import Listings
import Locks
import MemoryLists

struct Task: Identifiable, Hashable, Sendable {
    var id: String
    var title: String
    var owner: String
}

final class TaskLog: Sendable {
    private let entries = Locked<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    func add(_ line: String) { entries.withLock { $0.append(line) } }
}

extension RowEvents<Task> {
    struct Fault: Error {}

    /// Events that write down what is performed; tasks of `nobody` offer nothing.
    static func logged(_ log: TaskLog) -> RowEvents {
        var events = RowEvents()
        events.actions = { context in
            guard context.model.owner != "nobody" else { return [] }
            return ["finish", "greet", "forbid", "fail", "show", "astray", "drop"]
                .map { RowAction($0) } + [RowAction("open", method: .get)]
        }
        events.perform = { action, context in
            log.add("\(action) \(context.model.id) in \(context.section.id)")
            switch action {
            case "greet": return .done(message: "Hello, <\(context.model.title)>")
            case "forbid": return .refused(reason: "\(context.model.title) is <locked>.")
            case "fail": throw Fault()
            case "show", "open": return .redirected(to: "/tasks/\(context.model.id)")
            case "astray": return .redirected(to: "javascript:alert(1)")
            case "drop": return .removed()
            default: return .done()
            }
        }
        return events
    }
}

extension ListDefinition {
    static func tasks(
        in log: TaskLog,
        events: RowEvents<Task>? = nil,
        tasks: [Task]? = nil
    ) throws -> ListDefinition {
        var registry = ControllerRegistry()
        let controller = ClosureController<Task>(columns: [
            column("title", \.title), column("owner", \.owner, isGroupable: true),
        ])
        let source = try MemorySource(
            models: tasks ?? [
                Task(id: "1", title: "Sow", owner: "ada"),
                Task(id: "2", title: "Water", owner: "ada"),
                Task(id: "a/b.json", title: "Reap", owner: "bob"),
                Task(id: "4", title: "Rest", owner: "nobody"),
                Task(id: "5", title: "Eat & drink", owner: "bob"),
            ],
            using: registry.register(controller, on: events ?? .logged(log)),
            schema: ListSchema(
                columns: controller.columns,
                defaultGrouping: Grouping(column: 1)
            ),
            version: ListVersion(epoch: 1, counter: 1)
        )
        return ListDefinition("tasks", source: source)
    }
}

extension Client {
    convenience init(
        tasksIn log: TaskLog,
        _ way: Way = .inMemory,
        events: RowEvents<Task>? = nil,
        tasks: [Task]? = nil
    ) throws {
        try self.init([.tasks(in: log, events: events, tasks: tasks)], way)
    }

    func post(
        form: String,
        to target: String,
        accept: String? = nil,
        fields: [(FieldName, String)] = []
    ) throws -> Answer {
        let type: [(FieldName, String)] =
            form.isEmpty ? [] : [(.contentType, "application/x-www-form-urlencoded")]
        return try ask(
            .post,
            target,
            fields: type + (accept.map { [(.accept, $0)] } ?? []) + fields,
            body: form
        )
    }

    func post(
        json: String,
        to target: String,
        fields: [(FieldName, String)] = []
    ) throws -> Answer {
        try ask(.post, target, fields: [(.contentType, "application/json")] + fields, body: json)
    }
}
