import Bytes
import ListDiff
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Differences of models, snapshots and pages")
struct WindowDifferenceTests {
    private let registered: Registrations
    private let schema: ListSchema

    init() throws {
        registered = try Registrations()
        schema = try ListSchema(columns: ItemController().columns)
    }

    // MARK: - Models

    @Test("models of any type are compared by their ids and by a closure")
    func models() {
        var differ = ListDiffer()
        let old = [(section: SectionInfo("s"), rows: [Item(id: 1), Item(id: 2), Item(id: 3)])]
        let new = [
            (
                section: SectionInfo("s", header: "S"),
                rows: [Item(id: 3), Item(id: 1, text: "b"), Item(id: 4), Item(id: 4)]
            )
        ]
        let difference = differ.difference(
            from: old,
            to: new,
            uniqueness: .checked,
            id: \.id,
            isEqual: ==
        )
        #expect(difference.stages.flatMap(\.deletedRows).map(\.id) == ["2"])
        #expect(difference.stages.flatMap(\.insertedRows).map(\.id) == ["4", "4"])
        #expect(difference.stages.flatMap(\.movedRows).map(\.id) == ["1"])
        #expect(difference.stages.flatMap(\.reloadedRows).map(\.id) == ["1"])
        #expect(difference.stages.flatMap(\.changedHeaders).map(\.id) == ["s"])
        #expect(difference.rowsToSend == [1, 2, 3])
        #expect(difference.sectionsToSend == [0])
        #expect(difference.repeatedRows == ["4"])
    }

    // MARK: - Snapshots

    @Test("a snapshot put in the place of another one is told in legal steps", arguments: 0..<4)
    func snapshots(part: Int) throws {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(part * 1_000_000 + seed))
            let old = SampleList.dense(&generator)
            let new = old.edited(&generator)
            let dataSource = DataSource(try snapshot(old, &generator))
            let before = dataSource.snapshot
            let batch = try dataSource.apply(try snapshot(new, &generator))
            let after = dataSource.snapshot
            var rules = ChangeRules(try before.shown)
            do {
                try rules.apply(batch)
            } catch { Issue.record("\(error), seed \(seed): \(batch)") }
            #expect(try rules.sections == after.shown, "seed \(seed)")
            let stale = old.revisions.filter { id, revision in
                new.revisions[id].map { $0 != revision } ?? false
            }
            let shown = Set(try before.shown.flatMap(\.rows))
                .intersection(try after.shown.flatMap(\.rows))
            for id in stale.keys where shown.contains(id) {
                #expect(rules.reloaded.contains(id) || rules.fresh.contains(id), "\(id) is stale")
            }
            #expect(rules.reloaded.isSubset(of: stale.keys))
        }
    }

    // MARK: - Pages

    @Test(
        "a page is told from what the client held, whatever the list did",
        arguments: 0..<4
    )
    func pages(part: Int) throws {
        var differ = ListDiffer()
        var page = Page(list: "items", schema: schema)
        for seed in 0..<150 {
            var generator = SeededGenerator(seed: UInt64(part * 1_000_000 + seed))
            let old = SampleList.dense(&generator)
            let new = old.edited(&generator)
            let rows = Int.random(in: 0...9, using: &generator)
            try fill(&page, try snapshot(old, &generator), rowsPerSection: rows)
            let window = ListDigest(of: page, seed: 5)
            let held = outline(page)
            try fill(&page, try snapshot(new, &generator), rowsPerSection: rows)
            let now = outline(page)
            let difference = differ.difference(from: window, to: page, seed: 5)
            guard difference.kind != .reload else {
                let most = max(held.flatMap(\.rows).count, now.flatMap(\.rows).count)
                let told = differ.difference(
                    from: window,
                    to: ListDigest(of: page, seed: 5),
                    limit: .max
                )
                #expect(told.stages.reduce(0) { $0 + $1.changeCount } > max(8, most / 2))
                continue
            }
            var rules = ChangeRules(held)
            do {
                try rules.apply(difference.stages)
            } catch { Issue.record("\(error), seed \(seed): \(difference)") }
            #expect(rules.sections == now, "seed \(seed)")
            var sent: Set<String> = []
            for row in difference.rowsToSend { sent.insert(page.id(ofRow: row)) }
            #expect(sent == rules.fresh.union(rules.reloaded), "seed \(seed)")
        }
    }

    @Test("a digest alone knows the short id of a row that is gone, its token every id")
    func goneIDs() throws {
        let ids = [
            "0", "7", "007", "-1", "4611686018427387903", "4611686018427387904", "", "abcdefg",
            "abcdefgh", "zoë", "3e0f2a54-0b1c-4a58-93c5-2f1d3a9b7c60",
        ]
        var differ = ListDiffer()
        var page = Page(list: "items", schema: schema)
        for (index, id) in ids.enumerated() {
            try fill(&page, try Snapshot([Section("a", registered.groups(id))]))
            let held = ListDigest(of: page, seed: 1)
            page.nameWindow(list: 1, query: 2)
            let token = try PageDigest(page.windowName.text())
            try fill(&page, try Snapshot([Section("a", registered.groups("new"))]))
            let gone = differ.difference(from: held, to: page, seed: 1)
            let isLong = [5, 8, 10].contains(index)
            #expect(
                gone.stages.flatMap(\.deletedRows).map(\.id) == [isLong ? "" : id],
                "\(id)"
            )
            let named = differ.difference(from: token, to: page)
            #expect(named.stages.flatMap(\.deletedRows).map(\.id) == [id])
        }
    }

    @Test("every part of what a row shows or offers counts")
    func contents() throws {
        let day = try #require(CalendarDate("2024-02-29"))
        typealias Edit = @Sendable (inout Row) -> Void
        let edits: [Edit] = [
            { _ in },
            { $0.cells[0] = .text("") },
            { $0.cells[0] = .null },
            { $0.cells[0] = .integer(0) },
            { $0.cells[0] = .real(0) },
            { $0.cells[0] = .boolean(false) },
            { $0.cells[0] = .date(day) },
            { $0.displays[0] = "shown" },
            { $0.link = .absent },
            { $0.link = .address("/elsewhere") },
            { $0.span = 2 },
            { $0.level = 1 },
        ]
        var hashes: Set<UInt64> = []
        for edit in edits {
            var registry = ControllerRegistry()
            var events = RowEvents<Item>()
            events.willRender = { _, row in edit(&row) }
            let items = try registry.register(ItemController(), on: events)
            var page = Page(list: "items", schema: schema)
            let run = Run([Item(id: 1)], using: items)
            for _ in 0..<2 {
                try fill(&page, try Snapshot([Section("a", run)]))
                hashes.formUnion(ListDigest(of: page, seed: 3).rowRevisions)
            }
            #expect(ListDigest(of: page, seed: 4).rowRevisions.allSatisfy { !hashes.contains($0) })
        }
        #expect(hashes.count == edits.count)
    }

    // MARK: -

    private func snapshot(
        _ list: SampleList,
        _ generator: inout SeededGenerator
    ) throws -> Snapshot {
        try Snapshot(
            list.sections.map { section in
                Section(
                    SectionInfo(
                        SectionID("\(section.id)"),
                        header: "\(section.revision)",
                        isCollapsed: Int.random(in: 0..<9, using: &generator) == 0
                    ),
                    Run(
                        section.rows.map { Item(id: Int($0.id), text: "\($0.revision)") },
                        using: registered.items
                    )
                )
            }
        )
    }

    private func fill(
        _ page: inout Page,
        _ snapshot: Snapshot,
        rowsPerSection: Int = 5
    ) throws {
        page.begin(
            ListQuery(shape: .flow(limit: 100)),
            version: ListVersion(epoch: 0, counter: 0)
        )
        for section in 0..<snapshot.sectionCount {
            try snapshot.read(section: section, limit: rowsPerSection, into: &page)
        }
    }

    private func outline(_ page: borrowing Page) -> [ChangeRules.Section] {
        var sections: [ChangeRules.Section] = []
        for section in page.sections {
            var rows: [String] = []
            for row in section.rows { rows.append(page.id(ofRow: row)) }
            sections.append(ChangeRules.Section(id: section.info.id, rows: rows))
        }
        return sections
    }
}
