import Bytes
import Locks
import TestSupport
import Testing

@testable import Listings

@Suite("Rows that are kept")
struct KeptRowsTests {
    @Test(
        "pages of them are those of rows that are written each time, whatever stands between",
        arguments: UInt64(1)...60
    )
    func pages(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Of most lists all rows are alike but for a few.
        let oddity = [4, 40, 10_000][Int.random(in: 0..<3, using: &generator)]
        let count = [2, 30, 300, 600][Int.random(in: 0..<4, using: &generator)]
        let things = (0..<count).map { Thing.random($0, oddity: oddity, using: &generator) }
        let (kept, written) = (try List(things, isKept: true), try List(things, isKept: false))
        let reader = try kept.edited()
        for step in 0..<20 {
            let query = kept.query(using: &generator)
            let (page, expected) = (try kept.read(query), try written.read(query))
            #expect(page == expected, "seed \(seed), step \(step)")
            let copied = try kept.read(query, with: reader)
            let lent = try kept.read(query, with: reader, lends: true)
            #expect(lent == copied, "seed \(seed), step \(step), lent")
        }
    }

    @Test("rows stay where they are kept if all of a page may, until others come")
    func lent() throws {
        let things = (0..<40).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) }
        let odd = Thing(id: 40, texts: ["<", "b"], number: .integer(1))
        let query = ListQuery(sort: [SortKey(.id)], shape: .flow(limit: 30))
        var page = Page(list: "things", schema: try List(things, isKept: true).schema)
        func read(_ things: [Thing], _ query: ListQuery, isKept: Bool = true) throws -> Bool {
            page.lendsRows = true
            let list = try List(things, isKept: isKept)
            try list.edited().read(query, into: &page)
            let isLent = page.hasLentRows
            // One that cannot be edited knows that its ids differ.
            try list.source.makeReader().read(query, into: &page)
            #expect(page.hasLentRows == isLent)
            return isLent
        }
        #expect(try read(things, query))
        #expect(page.rowCount == 30)
        #expect(page.stretch(ofRow: 29)?.rows == 0..<30)
        page.gatherLentRows()
        #expect(page.hasLentRows == false)
        #expect(page.rowCount == 30)
        #expect(page.id(ofRow: 29) == "29")
        #expect(try read(things, query))
        page.returnLentRows()
        #expect(page.rowCount == 0)
        #expect(page.sections.count == 1)
        // One that needs an escape, and one that fails behind those that are lent.
        let all = ListQuery(sort: [SortKey(.id)], shape: .flow(limit: 60))
        #expect(try !read(things + [odd], all))
        #expect(page.rowCount == 41)
        let failing = Thing(id: 40, texts: ["a", "b"], number: .integer(1), fails: true)
        #expect(try !read(things + [failing], all))
        #expect(page.failures == [40: .rowFailed])
        #expect(page.id(ofRow: 39) == "39")
        #expect(try !read(things, query, isKept: false))
        page.lendsRows = false
        #expect(page.rowCount == 30)
    }

    @Test("a controller of its model alone is asked once for each, any other for each page")
    func calls() throws {
        let things = (0..<40).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) }
        for isKept in [true, false] {
            let list = try List(things, isKept: isKept)
            let reader = try list.source.makeReader()
            // Whoever sorts asks for the values of all models, once.
            _ = try list.read(ListQuery(shape: .flow(limit: 20)), with: reader)
            let before = list.calls.count
            for _ in 0..<3 { _ = try list.read(ListQuery(shape: .flow(limit: 20)), with: reader) }
            #expect(list.calls.count == before + (isKept ? 0 : 60))
        }
    }

    @Test("a row that cannot be shown is asked and told of for each page, and no other one")
    func failures() throws {
        var things = (0..<300).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) }
        things[7].fails = true
        things[290].fails = true
        let list = try List(things, isKept: true)
        let query = ListQuery(shape: .flow(limit: 20))
        _ = try list.read(query)
        let before = list.calls.count
        for _ in 0..<2 {
            let page = try list.read(query)
            #expect(page.failures == [7: .rowFailed])
            #expect(page.reported == ["7"])
        }
        #expect(list.calls.count == before + 2)
    }

    @Test("a model that comes in the place of another one is shown at once")
    func edits() throws {
        let list = try List(
            (0..<40).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) },
            isKept: true
        )
        let dataSource = try DataSource(
            models: list.things,
            using: list.registration
        )
        let reader = try DataSourceList(dataSource, schema: list.schema).makeReader()
        let query = ListQuery(shape: .flow(limit: 20))
        let first = try list.read(query, with: reader)
        #expect(list.calls.count == 80)
        try dataSource.update { snapshot in
            try snapshot.update(
                Thing(id: 3, texts: ["new", "b"], number: .integer(1)),
                using: list.registration
            )
            try snapshot.remove(["5"])
        }
        let second = try list.read(query, with: reader)
        #expect(second.cells[3] == [.text("new"), .text("b"), .integer(1)])
        #expect(second.ids == (0..<21).filter { $0 != 5 }.map(String.init))
        #expect(first.name != second.name)
    }

    @Test("rows of another controller with the same kind and more or fewer cells say so")
    func otherKind() throws {
        let things = (0..<30).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) }
        let list = try List(things, isKept: true)
        var registry = ControllerRegistry()
        let columns = (0..<5).map { Column("c\($0)") }
        let wide = try registry.register(WideController(columns: columns))
        for runs in [
            [Run(things.map(Wide.init), using: wide), Run(things, using: list.registration)],
            [Run(things, using: list.registration), Run(things.map(Wide.init), using: wide)],
        ] {
            let sections = runs.enumerated().map { Section(SectionID("s\($0)"), $1) }
            let snapshot = try Snapshot(sections)
            let reader = DataSourceList(DataSource(snapshot), schema: list.schema)
            let page = try list.read(
                ListQuery(shape: .flow(limit: 60)),
                with: try reader.makeReader()
            )
            #expect(page.ids.count == 60)
            #expect(Set(page.failures.keys) == Set(30..<60))
            #expect(page.failures.values.allSatisfy { $0 == .cellCount })
        }
    }

    @Test("rows that are found one by one are one stretch, as are those of several runs")
    func found() throws {
        let things = (0..<90).map {
            Thing(id: $0, texts: ["a", "b"], number: .integer(Int64($0 % 2)))
        }
        let list = try List(things, isKept: true)
        var query = ListQuery(shape: .flow(limit: 60))
        query.filters = [Filter(column: 2, .equal, [.integer(1)])]
        let reader = try list.source.makeReader()
        var page = Page(list: "things", schema: list.schema)
        try reader.read(query, into: &page)
        #expect(page.rowCount == 45)
        #expect(page.stretch(ofRow: 0)?.rows == 0..<45)
        #expect(page.stretch(ofRow: 0)?.names.isEmpty == false)
    }

    @Test("long ids of rows that stay where they are kept are in the name of the page")
    func longIDs() throws {
        let models = (0..<40).map { Named(id: $0 % 3 == 0 ? "\($0)" : "document-\($0)") }
        var registry = ControllerRegistry()
        let registration = try registry.register(NamedController())
        let schema = try ListSchema(columns: NamedController().columns)
        let dataSource = try DataSource(models: models, using: registration)
        let reader = try DataSourceList(dataSource, schema: schema).makeReader()
        var page = Page(list: "names", schema: schema)
        let names = try [true, false].map { lends in
            page.lendsRows = lends
            try reader.read(ListQuery(shape: .flow(limit: 30)), into: &page)
            #expect(page.hasLentRows == lends)
            page.nameWindow(list: 1, question: 2)
            return page.windowName.text()
        }
        #expect(names[0] == names[1])
        let held = try WindowToken(names[0]).longIDs.values
        #expect(Set(held) == Set(models.prefix(30).map(\.id).filter { $0.count > 7 }))
    }

    @Test("where most rows are not like the others, none are kept")
    func few() throws {
        for count in [20, 40] {
            let things = (0..<60).map {
                let text = String(repeating: "x", count: $0 < count ? 33 : 3)
                return Thing(id: $0, texts: [text, "b"], number: .integer(1))
            }
            let list = try List(things, isKept: true)
            let writer = try #require(list.registration.plainWriter)
            #expect((KeptRows(things, by: writer) == nil) == (count == 40))
        }
    }

    @Test("the second word of a cell is where its text stands")
    func layout() {
        #expect(MemoryLayout<CellBuffer.Slot>.offset(of: \.payload) == 8)
    }

    @Test("of a run whose rows would take more than there is room for, none are kept")
    func room() throws {
        let things = (0..<600).map { Thing(id: $0, texts: ["a", "b"], number: .integer(1)) }
        let list = try List(things, isKept: true)
        let writer = try #require(list.registration.plainWriter)
        // A record and three cells, an id, its name and two texts.
        let least = 600 * (24 + 3 * 16 + 1 + 7 + 2)
        #expect(KeptRows(things, by: writer, mostBytes: least) == nil)
        #expect(KeptRows(things, by: writer, mostBytes: least * 5 / 4) != nil)
    }
}

/// A list of things in memory.
private struct List {
    let things: [Thing]
    let registration: Registration<Thing>
    let schema: ListSchema
    let calls = Calls()
    let source: MemorySource<Thing>

    init(_ things: [Thing], isKept: Bool) throws {
        self.things = things
        var registry = ControllerRegistry()
        let controller = ThingController(calls: calls, dependsOnModelAlone: isKept)
        registration = try registry.register(controller)
        schema = try ListSchema(columns: controller.columns, idType: .integer)
        source = try MemorySource(
            models: things,
            using: registration,
            schema: schema,
            version: ListVersion(epoch: 1, counter: 1)
        )
        #expect(calls.count == (isKept ? things.count : 0) || things.contains { $0.isOdd })
    }

    /// A question about any part of the list, in any order.
    func query(using generator: inout SeededGenerator) -> ListQuery {
        var query = ListQuery(shape: .flow(limit: Int.random(in: 1...60, using: &generator)))
        if Bool.random(using: &generator) { query.grouping = Grouping(column: 1) }
        let keys = [SortKey(.column(0)), SortKey(.column(2), .descending), SortKey(.id)]
        query.sort = Array(
            keys.shuffled(using: &generator).prefix(Int.random(in: 0...3, using: &generator))
        )
        if Int.random(in: 0..<4, using: &generator) == 0 {
            query.filters = [Filter(column: 1, .equal, [.text("A")])]
        }
        if Bool.random(using: &generator) {
            query.start = .offset(Int.random(in: 0..<things.count, using: &generator))
        }
        return query
    }

    func read(
        _ query: ListQuery,
        with reader: (any ListReader)? = nil,
        lends: Bool = false
    ) throws -> Shown {
        var page = Page(list: "things", schema: schema)
        page.lendsRows = lends
        let reported = Calls()
        page.onFailure = { reported.add($0.id) }
        try (reader ?? source.makeReader()).read(query, into: &page)
        return Shown(&page, reported: reported.ids)
    }

    /// A reader of the same list as one that can be edited, whose ids are known to differ.
    func edited() throws -> any ListReader {
        let dataSource = try DataSource(models: things, using: registration)
        return try DataSourceList(dataSource, schema: schema).makeReader()
    }
}

/// All that a page shows.
private struct Shown: Equatable {
    var ids: [String] = []
    var cells: [[CellValue]] = []
    var displays: [[String?]] = []
    var revisions: [Int64?] = []
    var sections: [Range<Int>] = []
    var alike: [UInt64?] = []
    let failures: [Int: RowFailure.Code]
    let reported: [String]
    let name: String
    let next: Cursor?

    init(_ page: inout Page, reported: [String]) {
        page.nameWindow(list: 1, question: 2)
        name = page.windowName.text()
        next = page.next
        failures = page.failures
        self.reported = reported
        sections = page.sections.map(\.rows)
        page.gatherLentRows()
        for row in 0..<page.rowCount {
            ids.append(page.id(ofRow: row))
            revisions.append(page.revision(ofRow: row))
            let places = (0..<3).compactMap { page.cell(row: row, column: $0) }
            cells.append(places.map { page.cells.value($0) })
            displays.append(places.map { page.cells.display($0) })
            alike.append(page.stretch(ofRow: row)?.integers)
        }
        // One name of all rows says what one of each says.
        #expect(
            (try? WindowToken(name).digest) == ListDigest(of: page, seed: WindowToken.seed)
        )
    }
}

private final class Calls: Sendable {
    private let state = Locked<[String]>([])
    var ids: [String] { state.withLock { $0 } }
    var count: Int { ids.count }
    func add(_ id: String) { state.withLock { $0.append(id) } }
}

private struct Thing: Identifiable, Sendable {
    let id: Int
    var revision: Int64?
    let texts: [String?]
    let number: CellValue
    var display: String?
    var fails = false

    var isOdd: Bool { fails || revision != nil || display != nil }

    static func random(
        _ id: Int,
        oddity: Int,
        using generator: inout SeededGenerator
    ) -> Thing {
        func isOdd() -> Bool { Int.random(in: 0..<oddity, using: &generator) == 0 }
        func text() -> String? {
            if isOdd() {
                return [nil, "", String(repeating: "x", count: 33), "<&\""].randomElement(
                    using: &generator
                ) ?? nil
            }
            let length = Int.random(in: 0...32, using: &generator)
            return String("Ethelfleda, lady of the Mercians".prefix(length))
        }
        return Thing(
            id: isOdd() ? id &* 1_000_000_007 : id,
            revision: isOdd() ? 7 : nil,
            texts: [text(), ["A", "B", "C"][Int.random(in: 0..<3, using: &generator)]],
            number: isOdd()
                ? [.null, .text("many"), .integer(-1)][id % 3] : .integer(Int64(id % 90)),
            display: isOdd() ? "shown" : nil,
            fails: isOdd()
        )
    }
}

private struct CannotBeShown: Error {}

private struct Named: Identifiable, Sendable {
    let id: String
}

private struct NamedController: RowController {
    let kind = "name.row"
    let columns = [Column("name")]
    let dependsOnModelAlone = true

    func write(_ context: Context<Named>, to cells: inout CellBuffer) {
        cells.append(context.model.id)
    }

    func revision(of model: Named) -> Int64? { nil }
}

/// A thing that is shown otherwise.
private struct Wide: Identifiable, Sendable {
    let thing: Thing
    var id: Int { thing.id + 1_000 }
}

private struct WideController: RowController {
    let kind = "thing.row"
    let columns: [Column]
    let dependsOnModelAlone = true

    func write(_ context: Context<Wide>, to cells: inout CellBuffer) {
        for _ in columns { cells.append("w") }
    }

    func revision(of model: Wide) -> Int64? { nil }
}

private struct ThingController: RowController {
    let kind = "thing.row"
    let columns = [
        Column("name"), Column("shelf", isGroupable: true), Column("age", type: .integer),
    ]
    let calls: Calls
    let dependsOnModelAlone: Bool

    func write(_ context: Context<Thing>, to cells: inout CellBuffer) throws {
        calls.add("\(context.model.id)")
        if context.model.fails { throw CannotBeShown() }
        for text in context.model.texts { cells.append(text) }
        cells.append(context.model.number, display: context.model.display)
    }

    func revision(of model: Thing) -> Int64? { model.revision }
}
