import Listings
import Synchronization
import TestSupport
import Testing

@Suite("Rows of a page")
struct PageRowTests {
    struct Refusal: Error {}

    struct Item: Identifiable, Sendable {
        let id: Int
        var name = "a"
    }

    struct Note: Identifiable, Sendable {
        let id: String
    }

    /// What happened, in order.
    final class Journal: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private let schema: ListSchema
    private let section = SectionInfo(id: SectionID("s"), key: .whole, header: nil)

    init() throws {
        schema = try ListSchema(columns: [Column("name"), Column("size", type: .integer)])
    }

    private func registration(
        _ events: RowEvents<Item> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace,
        write: @escaping @Sendable (Item) throws -> Void = { _ in }
    ) throws -> Registration<Item> {
        var registry = ControllerRegistry()
        return try registry.register(
            ClosureController<Item>(
                columns: [Column("name"), Column("size", type: .integer)]
            ) { item in
                try write(item)
                return [.text(item.name), .integer(Int64(item.id))]
            },
            on: events,
            policy: policy
        )
    }

    private func notes(_ events: RowEvents<Note>) throws -> Registration<Note> {
        var registry = ControllerRegistry()
        return try registry.register(
            ClosureController<Note>(columns: [column("name", \.id)]),
            on: events
        )
    }

    private func makePage() -> Page {
        var page = Page(list: "items", schema: schema)
        page.begin(ListQuery(shape: .flow(limit: 50)), version: ListVersion(epoch: 1, counter: 1))
        page.beginSection(section)
        return page
    }

    @Test("rows without events have their own link and nothing else")
    func plain() throws {
        var page = makePage()
        page.append(Item(id: 1), using: try registration())
        try page.end()
        #expect(page.link(ofRow: 0) == .own)
        #expect(page.actions(ofRow: 0).isEmpty)
        #expect(page.outline(ofRow: 0) == nil)
        #expect(page.span(ofRow: 0) == nil)
        let hasActions = page.hasActions
        #expect(!hasActions)
        let row = page.row(at: 0)
        #expect(row == Row(id: "1", kind: "item.row", cells: [.text("a"), .integer(1)]))
    }

    @Test("what is fetched is fetched once, for all rows, before any is written")
    func prefetch() throws {
        let journal = Journal()
        var events = RowEvents<Item>()
        events.prefetch = { contexts in
            journal.add("fetch \(contexts.map(\.model.id))")
        }
        let items = try registration(events) { journal.add("write \($0.id)") }
        var noteEvents = RowEvents<Note>()
        noteEvents.prefetch = { journal.add("fetch \($0.map(\.model.id))") }
        let notes = try notes(noteEvents)
        var page = makePage()
        page.append(Item(id: 1), using: items)
        page.append(Note(id: "n"), using: notes)
        page.beginSection(SectionInfo(id: SectionID("t"), key: .value(.null), header: nil))
        page.append(Item(id: 2), using: items)
        #expect(journal.all.isEmpty)
        try page.end()
        #expect(journal.all == ["fetch [1, 2]", "write 1", "write 2", "fetch [\"n\"]"])
        #expect((0..<3).map { page.id(ofRow: $0) } == ["1", "n", "2"])
        #expect((0..<3).map { page.value(row: $0, column: 0).plainText } == ["a", "n", "a"])
        #expect(page.sections.map(\.rows) == [0..<2, 2..<3])
    }

    @Test("what is fetched is fetched again for the next page, and not at all for one without rows")
    func prefetchPerPage() throws {
        let journal = Journal()
        var events = RowEvents<Item>()
        events.prefetch = { journal.add("\($0.count)") }
        let items = try registration(events)
        var page = makePage()
        for count in [2, 0, 3] {
            page.begin(page.query, version: page.version)
            page.beginSection(section)
            for id in 0..<count { page.append(Item(id: id), using: items) }
            try page.end()
            #expect(page.rowCount == count)
        }
        #expect(journal.all == ["2", "3"])
    }

    @Test("rows that need something that cannot be fetched are errors, and no others")
    func prefetchFails() throws {
        var events = RowEvents<Item>()
        events.prefetch = { _ in throw Refusal() }
        let items = try registration(events)
        var page = makePage()
        page.append(Item(id: 1), using: items)
        page.append(Note(id: "n"), using: try notes(RowEvents()))
        page.append(Item(id: 2), using: items)
        try page.end()
        #expect(page.failures == [0: .prefetchFailed, 2: .prefetchFailed])
        #expect(page.value(row: 1, column: 0) == .text("n"))
    }

    @Test("events give rows their link, actions, place and width")
    func extras() throws {
        var events = RowEvents<Item>()
        events.link = { $0.model.id == 2 ? nil : "/elsewhere/\($0.model.id)" }
        events.canOpen = { $0.model.id != 3 }
        events.perform = { _, _ in .done(message: nil) }
        events.actions = { $0.model.id == 1 ? [RowAction("delete", isDestructive: true)] : [] }
        events.outline = { RowOutline(level: $0.model.id, isExpanded: false) }
        events.span = { $0.model.id == 1 ? 2 : nil }
        let items = try registration(events)
        var page = makePage()
        for id in 1...3 { page.append(Item(id: id), using: items) }
        try page.end()
        #expect(
            (0..<3).map { page.link(ofRow: $0) } == [.address("/elsewhere/1"), .absent, .closed]
        )
        #expect(page.actions(ofRow: 0).map(\.title) == ["Delete"])
        #expect(page.actions(ofRow: 1).isEmpty)
        #expect((0..<3).map { page.outline(ofRow: $0)?.level } == [1, 2, 3])
        #expect((0..<3).map { page.span(ofRow: $0) } == [2, nil, nil])
        let hasActions = page.hasActions
        #expect(hasActions)
    }

    @Test("a row can be changed when it is ready, and shows what it was changed to")
    func willRender() throws {
        var events = RowEvents<Item>()
        events.perform = { _, _ in .done(message: nil) }
        events.actions = { _ in [RowAction("delete")] }
        events.willRender = { context, row in
            row.cells[0] = .text(row.cells[0].plainText + "!")
            row.displays[1] = "\(context.model.id) pieces"
            row.actions = []
            row.level = 1
        }
        let items = try registration(events)
        var page = makePage()
        page.append(Item(id: 1), using: items)
        page.append(Item(id: 2, name: "b"), using: items)
        try page.end()
        #expect(
            page.row(at: 1)
                == Row(
                    id: "2",
                    kind: "item.row",
                    cells: [.text("b!"), .integer(2)],
                    displays: [1: "2 pieces"],
                    level: 1
                )
        )
        #expect(page.value(row: 0, column: 0) == .text("a!"))
    }

    @Test("a change that throws, or leaves another number of cells, makes the row an error")
    func willRenderFails() throws {
        var events = RowEvents<Item>()
        events.willRender = { context, row in
            if context.model.id == 1 { throw Refusal() }
            if context.model.id == 2 { row.cells.removeLast() }
        }
        let items = try registration(events)
        var page = makePage()
        for id in 1...3 { page.append(Item(id: id), using: items) }
        try page.end()
        #expect(page.failures == [0: .eventFailed, 1: .cellCount])
        #expect(page.row(at: 0) == nil)
        #expect(page.row(at: 2)?.cells == [.text("a"), .integer(3)])
    }

    @Test("the operator is told which row failed and why")
    func hook() throws {
        let journal = Journal()
        let items = try registration { if $0.id == 2 { throw Refusal() } }
        var page = makePage()
        page.onFailure = { failure in
            let reason = failure.error.map { "\($0)" } ?? "-"
            journal.add("\(failure.list) \(failure.model) \(failure.id) \(failure.code) \(reason)")
        }
        for id in 1...3 { page.append(Item(id: id), using: items) }
        try page.end()
        #expect(journal.all == ["items Item 2 rowFailed Refusal()"])
        #expect(page.failures.count == 1)
    }

    @Test("a page with an error is refused where that was asked for")
    func strict() throws {
        let items = try registration(policy: .refusePage) { if $0.id > 1 { throw Refusal() } }
        var page = makePage()
        for id in 1...3 { page.append(Item(id: id), using: items) }
        #expect(throws: SourceError.failedRow("2", code: .rowFailed)) { try page.end() }
        page.begin(page.query, version: page.version)
        page.beginSection(section)
        page.append(Item(id: 1), using: items)
        try page.end()
    }

    @Test("two rows with one id are refused, of whatever kind they are")
    func duplicates() throws {
        var page = makePage()
        page.append(Item(id: 5), using: try registration())
        page.append(Item(id: 6), using: try registration())
        page.append(Note(id: "5"), using: try notes(RowEvents()))
        #expect(throws: SourceError.duplicateRow("5", first: 0, second: 2)) { try page.end() }
    }

    @Test("the first duplicate is found among any ids, and none where there is none")
    func randomDuplicates() throws {
        let plain = try notes(RowEvents())
        for seed in UInt64(1)...30 {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 2...500, using: &generator)
            var ids = (0..<count).map { "\($0 &* 7919)" }.shuffled(using: &generator)
            let hasDuplicate = Bool.random(using: &generator)
            let first = Int.random(in: 0..<count - 1, using: &generator)
            let second = Int.random(in: first + 1..<count, using: &generator)
            if hasDuplicate { ids[second] = ids[first] }
            var page = makePage()
            for id in ids { page.append(Note(id: id), using: plain) }
            let expected = SourceError.duplicateRow(ids[first], first: first, second: second)
            do {
                try page.end()
                #expect(!hasDuplicate, "seed \(seed)")
            } catch {
                #expect(hasDuplicate && error == expected, "seed \(seed): \(error)")
            }
        }
    }

    @Test("a collapsed section takes no rows and keeps its count")
    func collapsed() throws {
        var page = makePage()
        page.beginSection(
            SectionInfo(id: SectionID("c"), key: .value(.null), header: "C", isCollapsed: true)
        )
        page.append(Item(id: 1), using: try registration())
        page.updateSection { $0.count = Count(7) }
        try page.end()
        #expect(page.rowCount == 0)
        #expect(page.sections.last?.count == Count(7))
    }

    @Test(
        "only addresses that lead somewhere and run nothing are links",
        arguments: [
            ("/users/1", true), ("https://example.org/a?b#c", true), ("HTTP://example.org", true),
            ("mailto:a@example.org", true), ("tel:+47", true), ("#x", true), ("?a=b:c", true),
            ("a/b:c", true), ("users", true),
            ("javascript:alert(1)", false), ("JavaScript:alert(1)", false),
            ("java\tscript:alert(1)", false), (" javascript:alert(1)", false),
            ("\u{1}javascript:alert(1)", false), ("data:text/html,x", false),
            ("vbscript:x", false), ("file:///etc/passwd", false), ("//example.org", false),
            ("/\\example.org", false), ("\\\\example.org", false), ("", false), (":", false),
            ("blob:x", false), ("http\n://x", false),
        ]
    )
    func links(_ address: String, _ isSafe: Bool) throws {
        let journal = Journal()
        var events = RowEvents<Item>()
        events.link = { _ in address }
        var page = makePage()
        page.onFailure = { journal.add($0.code.rawValue) }
        page.append(Item(id: 1), using: try registration(events))
        try page.end()
        #expect(page.link(ofRow: 0) == (isSafe ? .address(address) : .absent))
        #expect(journal.all == (isSafe ? [] : ["unsafe-link"]))
        let failures = page.failures
        #expect(failures.isEmpty)
    }

    @Test("the index has the sections with a title, the first of those with one title")
    func sectionIndex() {
        var page = Page(list: "items", schema: schema)
        page.begin(ListQuery(shape: .flow(limit: 9)), version: ListVersion(epoch: 1, counter: 1))
        for title in [nil, "B", "A", "", "B", "C"] {
            page.beginSection(
                SectionInfo(id: SectionID("s"), key: .whole, header: nil, indexTitle: title)
            )
        }
        let index = page.sectionIndex
        #expect(index.map(\.title) == ["B", "A", "C"])
        #expect(index.map(\.section) == [1, 2, 5])
    }
}
