import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Rendering
import Testing

@testable import Roster
@testable import RosterProgram

@Suite("A service of one's own says at its start what is wrong")
struct ListServiceTests {
    private struct Note: Identifiable {
        var id: Int
        var text: String
        var tag: String?
    }

    private static let notes = [
        Note(id: 10, text: "b", tag: "x"), Note(id: 9, text: "a", tag: nil),
        Note(id: 8, text: "c", tag: "x"),
    ]
    private static let controller = ClosureController<Note>(columns: [
        column("text", \.text), column("tag", \.tag, isGroupable: true),
    ])

    @Test("lists are shown in the order they are given, or the one they are asked for")
    func order() throws {
        var service = ListService(title: "Notebook")
        try service.list("plain", models: Self.notes, using: Self.controller)
        try service.list("sorted", title: "In order", models: Self.notes, sort: "-text")
        try service.list("grouped", models: Self.notes, group: "tag", sort: "text")
        let client = try Client(service.lists)
        #expect(try client.get("/plain").rows().map(\.id) == ["10", "9", "8"])
        #expect(try client.get("/sorted").rows().map(\.id) == ["8", "10", "9"])
        #expect(try client.get("/grouped").rows().map(\.id) == ["10", "8", "9"])
        #expect(try client.get("/grouped?sort=id&group=none").rows().map(\.id) == ["8", "9", "10"])
        #expect(try client.get("/sorted").json()["list", "title"]?.text == "In order")
    }

    @Test("an update of the data source is what the next request sees")
    func update() throws {
        var service = ListService()
        let source = try service.list("notes", models: Self.notes, using: Self.controller)
        let client = try Client(service.lists)
        #expect(try client.get("/notes/9").status == 200)
        try source.update { try $0.remove(["9"]) }
        #expect(try client.get("/notes/9").status == 404)
        #expect(try client.get("/notes").rows().map(\.id) == ["10", "8"])
    }

    @Test("a model without a controller is named")
    func unregistered() throws {
        var service = ListService()
        #expect(throws: ListingError.unregisteredModel("Note")) {
            try service.list("notes", models: Self.notes)
        }
    }

    @Test("a model has one controller")
    func registeredTwice() throws {
        var service = ListService()
        try service.list("notes", models: Self.notes, using: Self.controller)
        #expect(throws: ListingError.alreadyRegistered(model: "Note")) {
            try service.list("more", models: Self.notes, using: Self.controller)
        }
    }

    @Test("ids differ")
    func duplicateID() throws {
        var service = ListService()
        #expect(throws: DataSourceError.self) {
            try service.list(
                "notes",
                models: Self.notes + Self.notes.prefix(1),
                using: Self.controller
            )
        }
    }

    @Test(
        "an order that is not understood is refused in the words of the parameter",
        arguments: [
            ("group", "text", nil, "'text' does not make sections; tag can."),
            ("group", "tagg", nil, "No column 'tagg'."),
            ("sort", nil, "nothing", "No column 'nothing'; columns: text, tag."),
            ("sort", nil, "text:up", "No option 'up'; allowed: nullsfirst, nullslast."),
            ("sort", nil, "", "'sort' has no value."),
        ] as [(String, String?, String?, String)]
    )
    func malformedOrder(parameter: String, group: String?, sort: String?, detail: String) {
        var service = ListService()
        #expect(
            throws: ListServiceError.invalidOrder(
                list: "notes",
                parameter: parameter,
                detail: detail
            )
        ) {
            try service.list(
                "notes",
                models: Self.notes,
                using: Self.controller,
                group: group,
                sort: sort
            )
        }
    }

    @Test("names of lists differ and can stand in addresses", arguments: ["", "-", "a/b", "."])
    func names(name: String) throws {
        var service = ListService()
        #expect(throws: ListServiceError.invalidListName(name)) {
            try service.list(name, models: Self.notes, using: Self.controller)
        }
        var other = ListService()
        try other.list("notes", models: Self.notes, using: Self.controller)
        #expect(throws: ListServiceError.repeatedList("notes")) {
            try other.list("notes", models: Self.notes)
        }
    }

    private struct Office: Identifiable {
        var id: String
        var town: String
        var employees: Int
    }

    private static let offices = ClosureController<Office>(columns: [
        column("town", \.town), column("employees", \.employees),
    ])

    @Test(
        "a schema and the controllers of its list have the same columns of the same types",
        arguments: [
            ([Column("town"), Column("employees", type: .integer)], nil),
            ([Column("town", type: .link), Column("employees", type: .real)], nil),
            ([Column("town"), Column("employees", isMixed: true)], nil),
            (
                [Column("town"), Column("employees", type: .integer), Column("twon")],
                "no registered controller fills the column 'twon'; did you mean town?"
            ),
            (
                [Column("town"), Column("employees", type: .integer), Column("founded")],
                "no registered controller fills the column 'founded'; they fill employees, town"
            ),
            (
                [Column("town")],
                "the schema lacks the column 'employees' that the controller of Office fills; add "
                    + "Column(\"employees\", type: .integer)"
            ),
            (
                [Column("town"), Column("employees")],
                "the column 'employees' is text in the schema, and the controller of Office fills "
                    + "it with integer; give both the same type"
            ),
        ] as [([Column], String?)]
    )
    func schemaColumns(columns: [Column], fault: String?) throws {
        var service = ListService()
        let offices = try service.controllers.register(Self.offices)
        let office = Office(id: "n", town: "Oslo", employees: 3)
        let source = try DataSource(section: Section("all", Run([office], using: offices)))
        let schema = try ListSchema(columns: columns)
        let list = ListDefinition("offices", source: DataSourceList(source, schema: schema))
        try service.add(list)
        guard let fault else { return try service.check(list) }
        let error = #expect(throws: ListServiceError.self) { try service.check(list) }
        #expect(error?.description == "list 'offices': \(fault)")
    }

    @Test("a list without rows may get those of any model, and a registered one may come later")
    func columnsOfLaterModels() throws {
        var service = ListService()
        let notes = try service.controllers.register(Self.controller)
        let schema = try ListSchema(columns: [
            Column("town"), Column("employees", type: .integer), Column("text"), Column("tag"),
        ])
        let empty = ListDefinition("empty", source: DataSourceList(DataSource(), schema: schema))
        try service.check(empty)
        let source = try DataSource(models: Self.notes, using: notes)
        let mixed = ListDefinition("mixed", source: DataSourceList(source, schema: schema))
        #expect(throws: ListServiceError.self) { try service.check(mixed) }
        try service.controllers.register(Self.offices)
        try service.check(mixed)
    }

    @Test(
        "errors are texts that name the remedy",
        arguments: [
            (ListServiceError.noLists, "the service has no list; add one before serve()"),
            (ListServiceError.repeatedList("a"), "two lists are named 'a'"),
            (
                ListServiceError.invalidOrder(list: "a", parameter: "sort", detail: "No column."),
                "list 'a': sort: No column."
            ),
            (
                ListServiceError.reservedAction("move", list: "a"),
                "list 'a': an action cannot have the name 'move'; reserved are children, move"
            ),
            (ListServiceError.cannotServe("no"), "no"),
            (
                ListingError.alreadyRegistered(model: "Book"),
                "the model Book already has a row controller; use its registration for further "
                    + "lists, or pass replacing: true"
            ),
            (
                ListingError.unregisteredModel("Book"),
                "the model Book has no row controller; register one first"
            ),
            (ListingError.duplicateColumn("a"), "two columns have the id 'a'"),
        ] as [(any Error & CustomStringConvertible, String)]
    )
    func texts(error: any Error & CustomStringConvertible, text: String) {
        #expect("\(error)" == text)
    }

    @Test("an error names the variable or parameter that a service reads, and not the option")
    func settingNames() {
        let failure = Failure(.usage, "--host: in use; name another by --port, as in --portal")
        let text = "ROSTER_HOST: in use; name another by ROSTER_PORT, as in --portal"
        #expect(failure.text(naming: \.variable) == text)
    }

    @Test("a service needs a list")
    func empty() {
        #expect(throws: ListServiceError.noLists) { try ListService().serve(port: 0) }
    }

    @Test("a page with a row that cannot be shown is refused only where that is wished")
    func strictness() throws {
        let controller = ItemController(refusedIDs: ["item2"])
        let list = ListDefinition(
            "items",
            source: try MemorySource.items(.numbered(3), controller: controller)
        )
        #expect(try Client([list]).get("/items").status == 200)
        var options = ServiceOptions()
        options.isStrict = true
        let strict = try Client([list], options: options)
        #expect(try strict.get("/items").status == 500)
        #expect(try strict.get("/items.csv").status == 500)
        #expect(try strict.get("/items/item2").status == 500)
        #expect(try strict.get("/items/item1").status == 200)
        #expect(try strict.get("/").status == 200)
    }

    @Test("a row that may not be opened is refused")
    func closed() throws {
        var events = RowEvents<Note>()
        events.canOpen = { $0.model.id != 9 }
        var service = ListService()
        try service.list("notes", models: Self.notes, using: Self.controller, on: events)
        for way in Way.allCases {
            let client = try Client(service.lists, way)
            #expect(try client.get("/notes/8").status == 200)
            let answer = try client.get("/notes/9")
            #expect(answer.status == 403)
            #expect(try answer.json()["type"]?.text == "/-/problems/forbidden")
        }
    }

    @Test("a template draws the rows of its kind")
    func template() throws {
        var service = ListService()
        try service.list("notes", models: Self.notes, using: Self.controller)
        var options = ServiceOptions()
        options.templates = try TemplateSet(
            ["note.row.html": "<b class=\"mine\">{{text}}</b>"],
            for: service.controllers
        )
        let page = try Client(service.lists, options: options).get("/notes.html")
        #expect(page.body.matches(of: /<b class="mine">/).count == 3)
        // Who has the page as another template drew it gets the new one.
        options.templates = try TemplateSet(
            ["note.row.html": "<b class=\"yours\">{{text}}</b>"],
            for: service.controllers
        )
        let client = try Client(service.lists, options: options)
        let tag = try #require(page.field("ETag"))
        let other = try client.ask(.get, "/notes.html", fields: [(.ifNoneMatch, tag)])
        #expect(other.status == 200)
        let otherTag = try #require(other.field("ETag"))
        #expect(otherTag != tag)
        let same = try client.ask(.get, "/notes.html", fields: [(.ifNoneMatch, otherTag)])
        #expect(same.status == 304)
    }
}
