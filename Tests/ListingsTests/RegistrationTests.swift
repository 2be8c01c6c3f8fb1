import Listings
import Testing

@Suite("Registration of row controllers")
struct RegistrationTests {
    struct Cat: Identifiable, Sendable {
        let id: Int
        var name = "Tom"
        var age: Int? = 3
        var weight = 4.5
        var isTame = true
    }

    struct Dog: Identifiable, Sendable {
        let id: String
    }

    /// Two rows for each cat: what it is called and how it is built.
    struct CatParts: ExpandingController {
        var parts = [RowPart("name", kind: "cat.name"), RowPart("body", kind: "cat.body")]
        let columns = [Column("text")]

        func write(part: Int, of context: Context<Cat>, to cells: inout CellBuffer) {
            cells.append(part == 0 ? context.model.name : "\(context.model.weight) kg")
        }

        func revision(of model: Cat) -> Int64? { nil }
    }

    private func cats(kind: String = "cat.row") -> ClosureController<Cat> {
        ClosureController(kind: kind, columns: [column("name", \.name), column("age", \.age)])
    }

    @Test("columns take their types from the properties they show")
    func propertyColumns() {
        let controller = ClosureController<Cat>(columns: [
            column("name", \.name, priority: 1),
            column("age", \.age),
            column("weight", \.weight),
            column("tame", \.isTame),
            column("shout") { $0.name.uppercased() },
        ])
        #expect(controller.kind == "cat.row")
        #expect(controller.columns.map(\.type) == [.text, .integer, .real, .boolean, .text])
        #expect(controller.columns.map(\.priority) == [1, 2, 2, 2, 2])
        let cat = Cat(id: 1, age: nil)
        let values: [CellValue] = [.text("Tom"), .null, .real(4.5), .boolean(true), .text("TOM")]
        #expect(cells(of: cat, controller) == values)
    }

    @Test("one function from a model to its cells is a controller")
    func oneFunction() {
        let controller = ClosureController<Cat>(columns: [Column("name"), Column("id2")]) {
            [.text($0.name), .integer(Int64($0.id))]
        }
        #expect(cells(of: Cat(id: 7), controller) == [.text("Tom"), .integer(7)])
    }

    private func cells<C: RowController>(of model: C.Model, _ controller: C) -> [CellValue] {
        var buffer = CellBuffer()
        let section = SectionInfo(id: SectionID("all"), key: .whole, header: nil)
        do {
            try controller.write(Context(model: model, section: section), to: &buffer)
        } catch {
            Issue.record(error)
        }
        return (0..<buffer.count).map { buffer.value($0) }
    }

    @Test("a second controller for a type is refused unless it replaces the first")
    func replacing() throws {
        var registry = ControllerRegistry()
        try registry.register(cats())
        #expect(throws: ListingError.alreadyRegistered(model: "Cat")) {
            try registry.register(cats(kind: "other"))
        }
        let kind = try registry.registration(for: Cat.self).kind
        #expect(kind == "cat.row")
        try registry.register(cats(kind: "other"), replacing: true)
        let replaced = try registry.registration(for: Cat.self).kind
        #expect(replaced == "other")
        #expect(registry.summaries.map(\.kinds) == [["other"]])
    }

    @Test("two types cannot have rows of one kind")
    func kinds() throws {
        var registry = ControllerRegistry()
        try registry.register(cats(kind: "cat.body"))
        #expect(
            throws: ListingError.duplicateKind("cat.body", first: "Cat", second: "Dog")
        ) {
            try registry.register(ClosureController<Dog>(kind: "cat.body", columns: []))
        }
        // A type may take over the kind that it had before.
        try registry.register(CatParts(), replacing: true)
        #expect(registry.summaries.map(\.kinds) == [["cat.name", "cat.body"]])
    }

    @Test("a model without a controller is named, and none has two")
    func unregistered() throws {
        var registry = ControllerRegistry()
        #expect(throws: ListingError.unregisteredModel("Dog")) {
            try registry.registration(for: Dog.self)
        }
        try registry.register(ClosureController<Dog>(columns: []))
        #expect(try registry.registration(for: Dog.self).kind == "dog.row")
        #expect(throws: ListingError.alreadyRegistered(model: "Dog")) {
            try registry.register(ClosureController<Dog>(columns: []))
        }
    }

    @Test("a frozen registry takes no more controllers, not even in place of others")
    func frozen() throws {
        var registry = ControllerRegistry()
        try registry.register(cats())
        registry.freeze()
        #expect(throws: ListingError.registryFrozen(model: "Cat")) {
            try registry.register(cats(), replacing: true)
        }
        #expect(throws: ListingError.registryFrozen(model: "Dog")) {
            try registry.register(ClosureController<Dog>(columns: []))
        }
        let isFrozen = registry.isFrozen
        #expect(isFrozen)
        #expect(registry.summaries.count == 1)
    }

    @Test("the listing of a start names model, controller, kinds and columns, in order")
    func summaries() throws {
        var registry = ControllerRegistry()
        try registry.register(ClosureController<Dog>(columns: []))
        try registry.register(CatParts())
        #expect(registry.summaries.map(\.model) == ["Dog", "Cat"])
        #expect(registry.summaries.map(\.controller) == ["ClosureController<Dog>", "CatParts"])
        #expect(registry.summaries.map(\.kinds) == [["dog.row"], ["cat.name", "cat.body"]])
        #expect(registry.summaries.map { $0.columns.map(\.id) } == [[], ["text"]])
    }

    @Test(
        "the parts of a model have names of their own",
        arguments: [[], ["a", "a"], ["a#b"], [""]]
    )
    func parts(_ names: [String]) {
        var registry = ControllerRegistry()
        #expect(throws: ListingError.invalidParts(names, model: "Cat")) {
            try registry.register(CatParts(parts: names.map { RowPart($0, kind: "k") }))
        }
    }

    @Test(
        "the id of a row leads to its model and part",
        arguments: [
            ("7#name", "7", 0), ("7#body", "7", 1), ("a#b#body", "a#b", 1), ("#name", "", 0),
        ]
    )
    func rowIDs(_ id: String, _ model: String, _ part: Int) throws {
        var registry = ControllerRegistry()
        let registration = try registry.register(CatParts())
        let found = registration.model(ofRow: id)
        #expect(found?.id == model)
        #expect(found?.part == part)
    }

    @Test("an id without a known part is the id of no row", arguments: ["7", "7#", "7#tail", "#"])
    func strangeRowIDs(_ id: String) throws {
        var registry = ControllerRegistry()
        let registration = try registry.register(CatParts())
        #expect(registration.model(ofRow: id) == nil)
    }
}
