import ListDiff
import Listings
import MemoryLists
import Testing

@Suite("Data sources")
struct DataSourceTests {
    struct Refusal: Error, Equatable {}

    let registered: Registrations
    let dataSource: DataSource

    init() throws {
        registered = try Registrations()
        dataSource = try DataSource(sections: [
            Section("a", header: "A", registered.run(1...3)), Section("b", registered.run(4...5)),
        ])
    }

    @Test("an update makes one version and says in which steps to follow it")
    func update() throws {
        let batch = try dataSource.update { snapshot in
            try snapshot.append(registered.run([6]), to: "a")
            try snapshot.remove(["1"])
            try snapshot.move("5", before: "2")
            try snapshot.update(Item(id: 3, text: "new"), using: registered.items)
        }
        #expect(batch.from == 0)
        #expect(batch.to == 1)
        #expect(dataSource.version == 1)
        #expect(batch.countsBefore == [3, 2])
        #expect(batch.countsAfter == [4, 1])
        #expect(batch.stages.map(\.counts) == [[4, 1], [4, 1]])
        let stage = try #require(batch.stages.first)
        #expect(stage.deletedRows.map(\.at) == [IndexPath(section: 0, row: 0)])
        #expect(stage.insertedRows.map(\.at) == [IndexPath(section: 0, row: 3)])
        #expect(stage.movedRows.map(\.from) == [IndexPath(section: 1, row: 1)])
        #expect(stage.movedRows.map(\.to) == [IndexPath(section: 0, row: 0)])
        #expect(batch.stages.last?.reloadedRows.map(\.id) == ["3"])
    }

    @Test("a row is told to be set anew in place, or to be made anew, whichever is more")
    func reloads() throws {
        let batch = try dataSource.update { snapshot in
            try snapshot.reconfigure(["1", "2"])
            try snapshot.reload(["2", "3"])
            try snapshot.reconfigure(["3"])
        }
        let rows = batch.stages.flatMap(\.reloadedRows)
        #expect(rows.map(\.id) == ["1", "2", "3"])
        #expect(rows.map(\.isReconfigured) == [true, false, false])
    }

    @Test("a section reloaded is its rows and its header")
    func sectionReload() throws {
        let batch = try dataSource.update { try $0.reloadSections(["b"]) }
        #expect(batch.stages.count == 1)
        #expect(batch.stages.first?.reloadedRows.map(\.id) == ["4", "5"])
        #expect(batch.stages.first?.changedHeaders.map(\.id) == ["b"])
    }

    @Test("an empty update makes no version and no batch, nor does one that undoes itself")
    func emptyUpdate() throws {
        let observer = RecordingObserver()
        let observation = dataSource.observe(observer)
        let edits: [(inout Snapshot) throws -> Void] = [
            { _ in },
            { try $0.remove([]) },
            { snapshot in
                try snapshot.append(registered.run([9]))
                try snapshot.remove(["9"])
            },
            { snapshot in
                try snapshot.move("1", toEndOf: "b")
                try snapshot.move("1", before: "2")
            },
            { try $0.moveSection("a", before: "b") },
            { try $0.describeSection(SectionInfo("a", header: "A")) },
        ]
        for edit in edits {
            let batch = try dataSource.update(edit)
            #expect(batch.isEmpty)
            #expect(batch.stages.isEmpty)
        }
        #expect(dataSource.version == 0)
        #expect(observer.log == [])
        observation.cancel()
    }

    @Test("an update that throws changes nothing")
    func throwingUpdate() throws {
        #expect(throws: Refusal()) {
            try dataSource.update { snapshot in
                try snapshot.removeAllSections()
                throw Refusal()
            }
        }
        #expect(dataSource.version == 0)
        #expect(dataSource.snapshot.totalRowCount == 5)
    }

    @Test("an update within an update is refused, and the outer one goes on")
    func nestedUpdate() throws {
        let other = try DataSource(sections: [])
        let batch = try dataSource.update { snapshot in
            #expect(throws: DataSourceError.reentrantUpdate) { try dataSource.update { _ in } }
            #expect(throws: DataSourceError.reentrantUpdate) {
                try dataSource.apply(Snapshot())
            }
            #expect(throws: DataSourceError.reentrantUpdate) { try dataSource.prepare { _ in } }
            try other.update { try $0.append(Section("x")) }
            try snapshot.remove(["1"])
        }
        #expect(batch.to == 1)
        #expect(other.version == 1)
        #expect(dataSource.snapshot.totalRowCount == 4)
    }

    @Test("a reader during a write has the whole old snapshot")
    func readerDuringWrite() throws {
        try dataSource.update { snapshot in
            try snapshot.removeAllSections()
            #expect(dataSource.snapshot.totalRowCount == 5)
            #expect(dataSource.version == 0)
        }
        #expect(dataSource.snapshot.totalRowCount == 0)
    }

    @Test("the last row leaves its section standing, until empty sections are removed")
    func lastRow() throws {
        let batch = try dataSource.update { try $0.remove(["4", "5"]) }
        #expect(batch.countsAfter == [3, 0])
        #expect(batch.stages.first?.deletedSections == [])
        #expect(dataSource.snapshot.sectionIDs == ["a", "b"])
        let removal = try dataSource.update { try $0.removeEmptySections() }
        #expect(removal.stages.first?.deletedSections.map(\.id) == ["b"])
    }

    @Test("an empty data source and an empty section have no rows and are no error")
    func empty() throws {
        let empty = DataSource()
        #expect(empty.snapshot.totalRowCount == 0)
        #expect(empty.snapshot.sectionCount == 0)
        try empty.update { try $0.append(Section("a")) }
        #expect(try empty.snapshot.rowCount(inSection: 0) == 0)
        #expect(Section("a").rowCount == 0)
    }

    @Test("a nil header is absent, an empty one is kept")
    func headers() throws {
        var snapshot = Snapshot()
        try snapshot.append(Section(SectionInfo("a", header: nil, footer: "")))
        #expect(try snapshot.section("a").header == nil)
        #expect(try snapshot.section("a").footer == "")
        try snapshot.describeSection(SectionInfo("a", header: ""))
        #expect(try snapshot.section("a").header == "")
        #expect(try snapshot.section("a").footer == nil)
    }

    // MARK: - Collapsed sections

    @Test("collapsing and expanding a section tells its rows as gone and come, and its description")
    func collapse() throws {
        let collapsed = try dataSource.update { try $0.collapseSection("a") }
        #expect(collapsed.countsAfter == [0, 2])
        #expect(collapsed.stages.flatMap(\.deletedRows).map(\.id) == ["1", "2", "3"])
        #expect(collapsed.stages.flatMap(\.changedHeaders).map(\.id) == ["a"])
        #expect(dataSource.snapshot.totalRowCount == 2)
        #expect(dataSource.snapshot.totalModelCount == 5)
        let expanded = try dataSource.update { try $0.expandSection("a") }
        #expect(expanded.stages.flatMap(\.insertedRows).map(\.id) == ["1", "2", "3"])
    }

    @Test("editing a collapsed section changes its models and tells no rows")
    func collapsedEdit() throws {
        try dataSource.update { try $0.collapseSection("a") }
        let batch = try dataSource.update { snapshot in
            try snapshot.append(registered.run([7]), to: "a")
            try snapshot.remove(["1"])
            try snapshot.update(Item(id: 2, text: "new"), using: registered.items)
        }
        #expect(batch.to == 2)
        #expect(batch.stages == [])
        #expect(batch.countsAfter == [0, 2])
        #expect(try dataSource.snapshot.modelCount(inSection: 0) == 3)
        #expect(try dataSource.snapshot.rowCount(inSection: 0) == 0)
        #expect(try dataSource.snapshot.outline == [["2", "3", "7"], ["4", "5"]])
    }

    @Test("a row that goes into a collapsed section is gone, and comes out of it again")
    func intoCollapsed() throws {
        try dataSource.update { try $0.collapseSection("b") }
        let hidden = try dataSource.update { try $0.move("1", toEndOf: "b") }
        #expect(hidden.stages.flatMap(\.deletedRows).map(\.id) == ["1"])
        let shown = try dataSource.update { try $0.move("4", before: "2") }
        #expect(shown.stages.flatMap(\.insertedRows).map(\.id) == ["4"])
    }

    // MARK: - Applying

    @Test("a snapshot made of the current one is told by its edits")
    func applyDescendant() throws {
        var copy = dataSource.snapshot
        try copy.remove(["2"])
        let batch = try dataSource.apply(copy)
        #expect(batch.stages.flatMap(\.deletedRows).map(\.id) == ["2"])
        #expect(dataSource.version == 1)
    }

    @Test("any other snapshot is told by what comparing the two shows")
    func applyForeign() throws {
        var copy = dataSource.snapshot
        try copy.remove(["2"])
        try dataSource.update { try $0.remove(["1"]) }
        let late = try dataSource.apply(copy)
        #expect(late.stages.flatMap(\.deletedRows).map(\.id) == ["2"])
        #expect(late.stages.flatMap(\.insertedRows).map(\.id) == ["1"])
        #expect(late.from == 1)
        #expect(late.countsBefore == [2, 2])
        #expect(late.countsAfter == [2, 2])
        #expect(try dataSource.snapshot.outline == [["1", "3"], ["4", "5"]])
        let foreign = try Snapshot([Section("z", registered.run(8...9))])
        let batch = try dataSource.update { $0 = foreign }
        #expect(batch.stages.flatMap(\.insertedSections).map(\.rows) == [["8", "9"]])
        #expect(dataSource.version == 3)
    }

    @Test("a snapshot is told as a reload when asked so, and when it was never read")
    func applyAsReload() throws {
        var own = dataSource.snapshot
        try own.remove(["1"])
        #expect(try dataSource.apply(own, policy: .reload).kind == .reload)
        let unread = try Snapshot([Section("z", registered.run(8...9))], checkedRunLength: 1)
        #expect(try dataSource.apply(unread).kind == .reload)
        #expect(dataSource.version == 2)
    }

    @Test("the current snapshot applied again changes nothing")
    func applySame() throws {
        #expect(try dataSource.apply(dataSource.snapshot).isEmpty)
        #expect(dataSource.version == 0)
    }

    @Test("what is prepared is not seen, and is told with the next update")
    func prepare() throws {
        try dataSource.prepare { try $0.remove(["1"]) }
        try dataSource.prepare { try $0.remove(["2"]) }
        #expect(dataSource.version == 0)
        #expect(dataSource.snapshot.totalRowCount == 5)
        let batch = try dataSource.update { try $0.remove(["3"]) }
        #expect(batch.stages.flatMap(\.deletedRows).map(\.id) == ["1", "2", "3"])
        #expect(dataSource.version == 1)
    }

    @Test("more changes than are worth telling are a reload")
    func tooMany() throws {
        let large = try DataSource(section: Section("a", registered.run(1...3_000)))
        let batch = try large.update { try $0.remove((1...1_501).map { "\($0)" }) }
        #expect(batch.kind == .reload)
        #expect(batch.countsAfter == [1_499])
        let small = try large.update { try $0.remove((1_600...1_700).map { "\($0)" }) }
        #expect(small.stages.flatMap(\.deletedRows).count == 101)
        let brought = try large.update {
            try $0.append(Section("b", registered.run(4_000...5_500)))
        }
        #expect(brought.kind == .reload)
    }

    @Test("same edits, same batch: nothing depends on the order of a hash table")
    func deterministic() throws {
        func batch() throws -> ChangeBatch {
            let dataSource = try DataSource(section: Section("a", registered.run(1...100)))
            return try dataSource.update { snapshot in
                for id in stride(from: 3, to: 90, by: 7) {
                    try snapshot.move("\(id)", before: "1")
                    try snapshot.insert(registered.run([id + 1_000]), before: "\(id + 1)")
                    try snapshot.reload(["\(id + 2)"])
                    try snapshot.append(Section(SectionID("s\(id)")))
                }
            }
        }
        let first = try batch()
        for _ in 0..<5 { #expect(try batch() == first) }
    }
}
