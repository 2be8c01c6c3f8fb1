import HTTP
import ListAPITestSupport
import Listings
import MemoryLists
import Testing

@Suite("A list that can change is changed by its actions and moves")
struct ChangingListTests {
    /// Six tasks in two sections of the list's own; those of `nobody` may not be moved, and none may
    /// become the first of its section.
    private static func source(_ log: TaskLog) throws -> (DataSource, ListDefinition) {
        var events = RowEvents<Task>.logged(log)
        events.adjustMove = { context, path in
            guard context.model.owner != "nobody" else { return nil }
            return IndexPath(section: path.section, row: max(1, path.row))
        }
        let controller = ClosureController<Task>(columns: [
            column("title", \.title), column("owner", \.owner, isGroupable: true),
        ])
        var registry = ControllerRegistry()
        let registration = try registry.register(controller, on: events)
        func run(_ ids: [Int], owner: String) -> Run {
            Run(
                ids.map { Task(id: "\($0)", title: "T\($0)", owner: owner) },
                using: registration
            )
        }
        let source = try DataSource(sections: [
            Section("now", header: "Now", run([1, 2, 3], owner: "ada")),
            Section(
                "later",
                header: "Later",
                run([4, 5], owner: "bob"),
                run([6], owner: "nobody")
            ),
        ])
        let schema = try ListSchema(columns: controller.columns)
        let list = ListDefinition("tasks", source: DataSourceList(source, schema: schema))
        return (source, list)
    }

    private static func order(_ source: DataSource) throws -> [[String]] {
        try [source.snapshot.rowIDs(in: "now"), source.snapshot.rowIDs(in: "later")]
    }

    @Test("a row that an action removes is gone, and the version moves on", arguments: Way.allCases)
    func removal(way: Way) throws {
        let (source, list) = try Self.source(TaskLog())
        let client = try Client([list], way)
        let tag = try client.get("/tasks").field("ETag")
        let answer = try client.post(form: "", to: "/tasks/2/-/drop")
        #expect(answer.status == 200)
        #expect(try answer.json()["outcome"]?.text == "removed")
        #expect(try Self.order(source) == [["1", "3"], ["4", "5", "6"]])
        #expect(try client.get("/tasks/2").status == 404)
        #expect(try client.post(form: "", to: "/tasks/2/-/drop").status == 404)
        #expect(try client.get("/tasks").field("ETag") != tag)
    }

    @Test("many rows are removed by one request")
    func removals() throws {
        let (source, list) = try Self.source(TaskLog())
        let client = try Client([list])
        let answer = try client.post(form: "all=true", to: "/tasks/-/actions/drop?section=now")
        #expect(answer.status == 200)
        #expect(try answer.json()["done"]?.integer == 3)
        #expect(try Self.order(source) == [[], ["4", "5", "6"]])
    }

    @Test("an action that removes the row itself may say so as well")
    func removedTwice() throws {
        let log = TaskLog()
        let (source, _) = try Self.source(log)
        var events = RowEvents<Task>()
        events.actions = { _ in [RowAction("drop")] }
        events.perform = { _, context in
            try source.update { try $0.remove([context.model.id]) }
            return .removed()
        }
        var registry = ControllerRegistry()
        let controller = ClosureController<Task>(columns: [column("title", \.title)])
        let registration = try registry.register(controller, on: events)
        try source.update {
            try $0.replaceRows(
                in: "now",
                with: [Run([Task(id: "1", title: "T", owner: "a")], using: registration)]
            )
        }
        let schema = try ListSchema(columns: controller.columns + [Column("owner")])
        let list = ListDefinition("tasks", source: DataSourceList(source, schema: schema))
        let answer = try Client([list]).post(form: "", to: "/tasks/1/-/drop")
        #expect(answer.status == 200)
        #expect(try Self.order(source) == [[], ["4", "5", "6"]])
    }

    @Test(
        "a row is moved before, after, and to a place",
        arguments: [
            ("3", #"{"before":"2"}"#, "before=2", [["1", "3", "2"], ["4", "5", "6"]]),
            ("1", #"{"after":"3"}"#, "after=3", [["2", "3", "1"], ["4", "5", "6"]]),
            ("1", #"{"after":"4"}"#, "after=4", [["2", "3"], ["4", "1", "5", "6"]]),
            ("2", #"{"to":[1,3]}"#, "to=1,3", [["1", "3"], ["4", "5", "6", "2"]]),
            ("1", #"{"to":[0,2]}"#, "to=0,2", [["2", "3", "1"], ["4", "5", "6"]]),
            // No row may become the first: the event puts it second.
            ("3", #"{"before":"1"}"#, "before=1", [["1", "3", "2"], ["4", "5", "6"]]),
            ("2", #"{"after":"2"}"#, "after=2", [["1", "2", "3"], ["4", "5", "6"]]),
            ("3", #"{"step":"up"}"#, "step=up", [["1", "3", "2"], ["4", "5", "6"]]),
            ("5", #"{"step":"down"}"#, "step=down", [["1", "2", "3"], ["4", "6", "5"]]),
            // The ends of a section are as far as steps go.
            ("4", #"{"step":"up"}"#, "step=up", [["1", "2", "3"], ["4", "5", "6"]]),
            ("3", #"{"step":"down"}"#, "step=down", [["1", "2", "3"], ["4", "5", "6"]]),
        ] as [(String, String, String, [[String]])]
    )
    func moves(row: String, json: String, form: String, order: [[String]]) throws {
        for way in Way.allCases {
            let (source, list) = try Self.source(TaskLog())
            let client = try Client([list], way)
            let answer = try client.post(json: json, to: "/tasks/\(row)/-/move")
            #expect(answer.status == 200, "\(answer.body)")
            #expect(try answer.json()["outcome"]?.text == "moved")
            #expect(try Self.order(source) == order)
            #expect(try client.get("/tasks").rows().map(\.id) == order.flatMap(\.self))

            let (other, otherList) = try Self.source(TaskLog())
            let person = try Client([otherList], way).post(
                form: form,
                to: "/tasks/\(row)/-/move?limit=3",
                accept: "text/html"
            )
            #expect(person.status == 303)
            #expect(person.field("Location") == "/tasks?limit=3")
            #expect(try Self.order(other) == order)
        }
    }

    @Test(
        "a move that cannot be is refused with the order as it is",
        arguments: [
            ("6", #"{"before":"4"}"#, ["4", "5", "6"]),
            ("1", #"{"to":[0,3]}"#, ["1", "2", "3"]),
            ("1", #"{"to":[2,1]}"#, ["1", "2", "3"]),
            ("1", #"{"to":[-1,1]}"#, ["1", "2", "3"]),
            ("1", #"{"to":[0,9223372036854775807]}"#, ["1", "2", "3"]),
            ("4", #"{"after":"99"}"#, ["4", "5", "6"]),
        ]
    )
    func refusedMoves(row: String, json: String, order: [String]) throws {
        let (source, list) = try Self.source(TaskLog())
        let client = try Client([list])
        let tag = try client.get("/tasks").field("ETag")
        let answer = try client.post(json: json, to: "/tasks/\(row)/-/move")
        #expect(answer.status == 409)
        #expect(try answer.json()["order"]?.elements.map(\.text) == order)
        #expect(try Self.order(source) == [["1", "2", "3"], ["4", "5", "6"]])
        #expect(try client.get("/tasks").field("ETag") == tag)
    }

    @Test(
        "a move that is not understood is refused with its place",
        arguments: [
            ("{}", "missing-member"), (#"{"before":"1","to":[0,1]}"#, "conflicting-members"),
            (#"{"before":1}"#, "malformed-value"), (#"{"to":[1]}"#, "malformed-value"),
            (#"{"to":"0,1"}"#, "malformed-value"), (#"{"to":[0.5,1]}"#, "malformed-value"),
            (#"{"to":[0,9223372036854775808]}"#, "malformed-value"),
            (#"{"behind":"1"}"#, "unknown-member"), (#"{"step":"left"}"#, "malformed-value"),

            (#"{"step":1}"#, "malformed-value"),
            (#"{"step":"up","after":"2"}"#, "conflicting-members"),
        ]
    )
    func malformedMoves(json: String, code: String) throws {
        let (_, list) = try Self.source(TaskLog())
        let answer = try Client([list]).post(json: json, to: "/tasks/1/-/move")
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"]?.elements.first?["code"]?.text == code)
    }

    @Test("a move has its methods, and needs a row that is there")
    func methods() throws {
        let (_, list) = try Self.source(TaskLog())
        let client = try Client([list])
        #expect(try client.ask(.options, "/tasks/1/-/move").field("Allow") == "POST, OPTIONS")
        #expect(try client.get("/tasks/1/-/move").status == 405)
        #expect(try client.post(json: #"{"before":"1"}"#, to: "/tasks/9/-/move").status == 404)
    }
}
