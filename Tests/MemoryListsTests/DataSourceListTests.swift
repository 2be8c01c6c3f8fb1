import Listings
import Locks
import MemoryLists
import TestSupport
import Testing

@Suite("Data sources served as lists")
struct DataSourceListTests {
    final class CountingSource: IndexedModelSource {
        let count: Int
        private let reads = Locked(0)
        init(count: Int) { self.count = count }

        func read(_ range: Range<Int>) -> [Item] {
            reads.withLock { $0 += range.count }
            return range.map { Item(id: $0) }
        }
        func position(of id: Int) -> Int? { (0..<count).contains(id) ? id : nil }
        func takeReads() -> Int {
            reads.withLock { reads in
                defer { reads = 0 }
                return reads
            }
        }
    }

    struct ReadPage {
        var sections: [(id: String, rows: [String], count: Int?)] = []
        var next: Cursor?
        var previous: Cursor?
        var total: Int?
        var facets: [Facet] = []
        var version: ListVersion
        var ids: [String] { sections.flatMap(\.rows) }
        var outline: [String] { sections.map { "\($0.id):\($0.rows.joined(separator: ","))" } }
    }

    let registered: Registrations

    init() throws { registered = try Registrations() }

    func list(_ dataSource: DataSource) throws -> DataSourceList {
        let columns = ItemController().columns
        return DataSourceList(
            dataSource,
            schema: try ListSchema(columns: columns, idType: .integer)
        )
    }

    func read(_ list: DataSourceList, _ query: ListQuery) throws -> ReadPage {
        try read(list, query, with: list.makeReader())
    }

    func read(
        _ list: DataSourceList,
        _ query: ListQuery,
        with reader: any ListReader
    ) throws -> ReadPage {
        var page = Page(list: "items", schema: list.schema)
        try reader.read(query, into: &page)
        var read = ReadPage(version: page.version)
        for section in page.sections {
            let rows = section.rows.map { page.id(ofRow: $0) }
            read.sections.append((section.info.id.rawValue, rows, section.count?.value))
        }
        (read.next, read.previous, read.total) = (page.next, page.previous, page.total?.value)
        read.facets = page.facets
        return read
    }

    func query(_ limit: Int, _ start: ListQuery.Start = .beginning) -> ListQuery {
        ListQuery(shape: .flow(limit: limit), start: start)
    }

    @Test("pages stand in the list's own order and sections, with empty and collapsed ones")
    func ownOrder() throws {
        let dataSource = try DataSource(sections: [
            Section("first"), Section("a", registered.run([3, 1])),
            Section(SectionInfo("hidden", isCollapsed: true), registered.run([9, 8, 7])),
            Section("b", registered.run([2]), registered.groups("g")), Section("last"),
        ])
        let list = try list(dataSource)
        let first = try read(list, query(2))
        #expect(first.outline == ["first:", "a:3,1", "hidden:"])
        #expect(first.sections.map(\.count) == [0, 2, 3])
        #expect(first.total == 7)
        let second = try read(list, query(2, .after(try #require(first.next))))
        #expect(second.outline == ["b:2,g", "last:"])
        #expect(second.next == nil)
        let back = try read(list, query(2, .before(try #require(second.previous))))
        #expect(back.outline == first.outline)
        #expect(back.previous == nil)
    }

    @Test("walking on and back meets every row once, in any shape of list")
    func walks() throws {
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var reference = ReferenceList()
            var snapshot = Snapshot(checkedRunLength: seed.isMultiple(of: 2) ? 3 : 100)
            for _ in 0..<5 { try reference.append(to: &snapshot, registered, &generator) }
            let list = try list(DataSource(snapshot))
            var query = query(Int.random(in: 1...6, using: &generator))
            query.mergesSections = seed.isMultiple(of: 3)
            let all = query.mergesSections ? try snapshot.outline : try snapshot.shown.map(\.rows)
            var pages = [try read(list, query)]
            while let next = pages.last?.next, pages.count < 100 {
                query.start = .after(next)
                pages.append(try read(list, query))
            }
            #expect(pages.flatMap(\.ids) == all.flatMap(\.self), "seed \(seed)")
            if !query.mergesSections {
                let listed = pages.flatMap(\.sections).filter { $0.rows.isEmpty }.map(\.id)
                let empty = try snapshot.shown.filter { $0.rows.isEmpty }.map(\.id.rawValue)
                #expect(listed == empty, "seed \(seed)")
            }
            var back: [[String]] = []
            var previous = pages.last?.previous
            while let cursor = previous, back.count < 100 {
                query.start = .before(cursor)
                let page = try read(list, query)
                back.append(page.ids)
                previous = page.previous
            }
            #expect(back.reversed() == pages.dropLast().map(\.ids), "seed \(seed)")
        }
    }

    @Test("whatever is edited between two pages, no row that stays is skipped or met twice")
    func walksDuringEdits() throws {
        for seed in 0..<80 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let dataSource = try DataSource(sections: [
                Section("a", registered.run(1...20)), Section("b", registered.run(21...40)),
            ])
            let list = try list(dataSource)
            var touched: Set<String> = []
            var met: [String] = []
            var query = query(3)
            while met.count < 200 {
                let page = try read(list, query)
                met += page.ids
                guard let next = page.next else { break }
                query.start = .after(next)
                for step in 0..<3 {
                    let outline = try dataSource.snapshot.outline.flatMap(\.self)
                    guard let id = outline.randomElement(using: &generator) else { continue }
                    touched.insert(id)
                    let new = 1_000 + met.count * 10 + step
                    try dataSource.update { snapshot in
                        switch Int.random(in: 0..<4, using: &generator) {
                        // The very row the cursor was made from goes.
                        case 0:
                            touched.insert(page.ids.last ?? id)
                            if let last = page.ids.last, try snapshot.indexPath(of: last) != nil {
                                try snapshot.remove([last])
                            }
                        case 1: try snapshot.remove([id])
                        case 2:
                            try snapshot.move(
                                id,
                                before: outline.randomElement(using: &generator) ?? id
                            )
                        default:
                            touched.insert("\(new)")
                            try snapshot.insert(registered.run([new]), after: id)
                        }
                    }
                }
            }
            let stayed = (1...40).map { "\($0)" }.filter { !touched.contains($0) }
            #expect(met.filter(stayed.contains) == stayed, "seed \(seed)")
        }
    }

    @Test("a cursor names its place also when its row, its section or all around it is gone")
    func cursorsSurvive() throws {
        let dataSource = try DataSource(sections: [
            Section("a", registered.run(1...3)), Section("b", registered.run(4...6)),
            Section("c", registered.run(7...9)),
        ])
        let list = try list(dataSource)
        let cursor = try #require(try read(list, query(5)).next)
        func after() throws -> [String] { try read(list, query(2, .after(cursor))).ids }
        func before() throws -> [String] { try read(list, query(2, .before(cursor))).ids }
        #expect(try after() == ["6", "7"])
        try dataSource.update { try $0.remove(["5"]) }
        #expect(try after() == ["6", "7"])
        #expect(try before() == ["3", "4"])
        try dataSource.update { try $0.insert(registered.run([50, 51]), before: "6") }
        #expect(try before() + after() == ["50", "51", "6", "7"])
        try dataSource.update { try $0.moveSection("c", before: "a") }
        #expect(try after() == ["6"])
        try dataSource.update { try $0.removeSection("b") }
        #expect(try after() == [])
        #expect(try before() == ["2", "3"])
        try dataSource.update { try $0.append(Section("d", registered.run([99]))) }
        #expect(try after() == ["99"])
    }

    @Test("what is appended behind the last row is the next page of who stood there")
    func appended() throws {
        let dataSource = try DataSource(section: Section("a", registered.run(1...4)))
        let list = try list(dataSource)
        let first = try read(list, query(2))
        let cursor = try #require(first.next)
        try dataSource.update { try $0.remove(["2", "3", "4"]) }
        try dataSource.update { try $0.append(registered.run([9])) }
        #expect(try read(list, query(2, .after(cursor))).ids == ["9"])
    }

    @Test("a cursor of another life of the list is told apart, and so is any other text")
    func expired() throws {
        let section = Section("a", registered.run(1...4))
        let old = try read(try list(DataSource(section: section)), query(2))
        let list = try list(DataSource(section: section))
        let cursor = try #require(old.next)
        #expect(throws: SourceError.expiredCursor) { try read(list, query(2, .after(cursor))) }
        for value in [CellValue.null, .integer(1), .text(""), .text("x/0.0/0.0"), .text("0/1.2")] {
            let other = Cursor(
                signature: cursor.signature,
                section: cursor.section,
                row: Cursor.Row(values: [value])
            )
            #expect(throws: SourceError.expiredCursor) { try read(list, query(2, .before(other))) }
        }
    }

    @Test("a page reads its own models only, wherever it is, and building reads none")
    func touchesOnlyThePage() throws {
        let source = CountingSource(count: 10_000_000)
        let dataSource = try DataSource(section: Section("a", Run(source, using: registered.items)))
        let list = try list(dataSource)
        #expect(source.takeReads() == 0)
        let first = try read(list, query(50))
        #expect(source.takeReads() == 50)
        #expect(first.total == 10_000_000)
        _ = try read(list, query(50, .after(try #require(first.next))))
        #expect(source.takeReads() == 50)
        _ = try read(list, query(50, .offset(7_654_321)))
        #expect(source.takeReads() == 50)
        try dataSource.update { snapshot in
            try snapshot.remove(at: IndexPath(section: 0, row: 5_000_000))
            try snapshot.insert(registered.run([-1]), at: IndexPath(section: 0, row: 123))
        }
        #expect(source.takeReads() < 10)
        let edited = try read(list, query(3, .offset(4_999_999)))
        #expect(edited.ids == ["4999998", "4999999", "5000001"])
        #expect(source.takeReads() == 3)
        #expect(throws: DataSourceError.self) {
            try dataSource.update { try $0.append(registered.run([77])) }
        }
        #expect(source.takeReads() < 10)
    }

    @Test("a row is found by its id in its section, also in a collapsed one")
    func row() throws {
        let dataSource = try DataSource(sections: [
            Section("a", header: "A", registered.run(1...3)),
            Section(SectionInfo("b", isCollapsed: true), registered.run(4...6)),
        ])
        let list = try list(dataSource)
        let reader = try list.makeReader()
        var page = Page(list: "items", schema: list.schema)
        for (id, section) in [("2", "a"), ("5", "b"), ("7", nil), ("02", nil)] {
            let isFound = try reader.readRow(id, grouping: nil, into: &page)
            #expect(isFound == (section != nil))
            #expect(page.sections.first?.info.id.rawValue == section)
            if isFound { #expect(page.id(ofRow: 0) == id) }
        }
        _ = try reader.readRow("5", grouping: Grouping(column: 1), into: &page)
        #expect(page.sections.first?.info.key == .value(.integer(2)))
    }

    @Test("sections are paged with their first rows, and one alone goes on where the peek ends")
    func peek() throws {
        let dataSource = try DataSource(
            sections: (0..<5).map { index in
                Section(SectionID("s\(index)"), registered.run(Array(index * 10..<index * 11)))
            }
        )
        let list = try list(dataSource)
        var query = ListQuery(shape: .peek(limit: 3, rows: 2))
        let first = try read(list, query)
        #expect(first.outline == ["s0:", "s1:10", "s2:20,21"])
        query.start = .after(try #require(first.next))
        let second = try read(list, query)
        #expect(second.outline == ["s3:30,31", "s4:40,41"])
        #expect(second.sections.map(\.count) == [3, 4])
        query.start = .before(try #require(second.previous))
        #expect(try read(list, query).outline == first.outline)
        query.start = .beginning
        query.sections = [.named("s4"), .named("s3")]
        #expect(try read(list, query).outline == second.outline)
        query.sections = [.named("s9")]
        #expect(throws: SourceError.unknownSection("s9")) { try read(list, query) }
    }

    @Test("the version names the life and the state of the data source")
    func versions() throws {
        let dataSource = try DataSource(section: Section("a", registered.run(1...3)))
        let list = try list(dataSource)
        let reader = try list.makeReader()
        let first = try reader.version()
        #expect(first.epoch == dataSource.epoch)
        try dataSource.update { try $0.remove(["1"]) }
        let second = try reader.version()
        #expect(second.epoch == first.epoch)
        #expect(second.counter == first.counter + 1)
        #expect(try read(list, query(5)).version == second)
        #expect(try read(list, query(5)).ids == ["2", "3"])
    }

    @Test(
        "a page of a section is cut to what there is and never traps",
        arguments: [
            (0, 2, 0..<2), (2, 5, 2..<3), (3, 5, 3..<3), (9, 5, 3..<3), (.max, .max, 3..<3),
            (-1, 2, 0..<2), (.min, .max, 0..<3), (0, 0, 0..<0), (1, -4, 1..<1), (1, .max, 1..<3),
        ] as [(Int, Int, Range<Int>)]
    )
    func clampedPage(offset: Int, limit: Int, rows: Range<Int>) throws {
        let snapshot = try Snapshot([Section("a", registered.run(1...3))])
        let schema = try ListSchema(columns: ItemController().columns)
        var page = Page(list: "items", schema: schema)
        let read = try snapshot.read(section: 0, offset: offset, limit: limit, into: &page)
        #expect(read == rows)
        let count = page.rowCount
        #expect(count == rows.count)
        #expect(throws: DataSourceError.sectionOutOfBounds(1)) {
            try snapshot.read(section: 1, limit: 1, into: &page)
        }
    }

    @Test("a source that reads too little is an error and no trap")
    func damagedSource() throws {
        struct Short: ModelSource {
            let count = 10
            func read(_ range: Range<Int>) -> [Item] { [] }
        }
        let run = Run(Short(), using: registered.items)
        var snapshot = Snapshot(checkedRunLength: 0)
        try snapshot.append(Section("a", run))
        let reason = "0 Item models came for 3..<4"
        #expect(throws: DataSourceError.unreadable(.corrupted(reason: reason))) {
            try snapshot.id(at: IndexPath(section: 0, row: 3))
        }
        #expect(throws: DataSourceError.self) { try Snapshot([Section("a", run)]) }
        #expect(throws: SourceError.self) { try read(list(DataSource(snapshot)), query(3)) }
    }
}
