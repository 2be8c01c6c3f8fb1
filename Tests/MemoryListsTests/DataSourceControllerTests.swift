import ListDiff
import Listings
import Locks
import MemoryLists
import Testing

@Suite("The lenient controller, as DataSourceController does it")
struct DataSourceControllerTests {
    let registered: Registrations
    let controller: DataSourceController
    let recorder = RecordingObserver()
    let reported = Locked<[DataSourceError]>([])
    private let observation: Observation

    init() throws {
        registered = try Registrations()
        let reported = reported
        controller = DataSourceController(sections: [
            Section("a", header: "A", registered.run(1...3)), Section("b", registered.run([4])),
        ]) { error in reported.withLock { $0.append(error) } }
        observation = controller.dataSource.observe(recorder)
        controller.register(dataController: ItemController(), for: Item.self)
        _ = recorder.take()
    }

    var outline: [[String]] {
        get throws { try controller.dataSource.snapshot.outline }
    }

    /// What was told, without the versions.
    func told() -> [String] { recorder.take().filter { !$0.contains("-") } }

    func path(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }

    // MARK: - Making and reading

    @Test("it is made of a row, of rows, of a section and of sections")
    func initialisers() throws {
        let one = DataSourceController(row: Item(id: 1))
        #expect(try one.dataSource.snapshot.outline == [["1"]])
        let some = DataSourceController(rows: [Item(id: 1), Item(id: 2), Item(id: 1)])
        #expect(try some.dataSource.snapshot.outline == [["1", "2"]])
        let section = DataSourceController(section: Section("a", registered.run(1...2)))
        #expect(section.totalRowCount == 2)
        let sections = DataSourceController(sections: [
            Section("a", registered.run(1...2)), Section("b", registered.run(2...3)),
            Section("a", registered.run(5...6)),
        ])
        #expect(try sections.dataSource.snapshot.outline == [["1", "2"], ["3"]])
        #expect(DataSourceController().totalRowCount == 0)
    }

    @Test("a model is read by its place, and nil where there is none or one of another type")
    func modelObject() {
        #expect(controller.modelObject(at: path(0, 1), as: Item.self)?.id == 2)
        #expect(controller.modelObject(at: path(0, 1), as: Group.self) == nil)
        for (section, row) in [(0, 3), (0, -1), (2, 0), (-1, 0), (.max, .max), (.min, .min)] {
            #expect(controller.modelObject(at: path(section, row), as: Item.self) == nil)
        }
        #expect(controller.totalRowCount == 4)
        #expect(controller.sectionInfo(at: 0)?.header == "A")
        #expect(controller.sectionInfo(at: 1)?.header == nil)
        #expect(controller.sectionInfo(at: -1) == nil)
    }

    @Test("models without a controller show an error in their place, the rest is served")
    func unregistered() throws {
        controller.add(row: Group(id: "g"), at: path(0, 1))
        #expect(try failures() == [1: .rowFailed])
        controller.register(dataController: GroupController())
        #expect(try failures() == [:])
        #expect(told() == ["section 0", "whole"])
    }

    @Test("registering a type again replaces its controller")
    func registersTwice() throws {
        controller.register(dataController: ItemController(kind: "other.row"))
        #expect(try controller.dataSource.snapshot.kind(at: path(0, 0)) == "other.row")
        controller.add(row: Item(id: 9), at: path(0, 0))
        #expect(try controller.dataSource.snapshot.kind(at: path(0, 0)) == "other.row")
    }

    private func failures() throws -> [Int: RowFailure.Code] {
        let schema = try ListSchema(columns: ItemController().columns)
        let reader = try DataSourceList(controller.dataSource, schema: schema).makeReader()
        var page = Page(list: "items", schema: schema)
        try reader.read(ListQuery(shape: .flow(limit: 50)), into: &page)
        #expect(page.rowCount == controller.totalRowCount)
        return page.failures
    }

    // MARK: - Rows

    @Test("a row is added in its place, and told as its section")
    func add() throws {
        controller.add(row: Item(id: 9), at: path(0, 1))
        #expect(try outline == [["1", "9", "2", "3"], ["4"]])
        #expect(told() == ["section 0"])
    }

    @Test("a row out of range is appended to its section", arguments: [3, 4, 99, -1, .max, .min])
    func addBehind(row: Int) throws {
        controller.add(row: Item(id: 9), at: path(0, row))
        #expect(try outline == [["1", "2", "3", "9"], ["4"]])
        #expect(told() == ["section 0"])
    }

    @Test("a row of no section makes a new last one, told as a whole", arguments: [2, 9, -1, .max])
    func addSection(section: Int) throws {
        controller.add(row: Item(id: 9), at: path(section, 7))
        #expect(try outline == [["1", "2", "3"], ["4"], ["9"]])
        #expect(controller.sectionInfo(at: 2)?.header == nil)
        #expect(told() == ["whole"])
    }

    @Test("a row is replaced and told; out of range nothing happens and nobody is told")
    func updateRow() throws {
        controller.update(row: Item(id: 2, text: "new"), at: path(0, 1))
        #expect(controller.modelObject(at: path(0, 1), as: Item.self)?.text == "new")
        #expect(told() == ["rows [[0, 1]]"])
        let batch = controller.update(row: Item(id: 9), at: path(1, 0))
        #expect(batch?.stages.first?.deletedRows.map(\.id) == ["4"])
        #expect(batch?.stages.first?.insertedRows.map(\.id) == ["9"])
        #expect(told() == ["rows [[1, 0]]"])
        for (section, row) in [(0, 3), (0, -1), (2, 0), (-1, 0)] {
            #expect(controller.update(row: Item(id: 8), at: path(section, row)) == nil)
        }
        #expect(try outline == [["1", "2", "3"], ["9"]])
        #expect(told() == [])
    }

    @Test("as many rows as before are told as rows, and the header stays")
    func updateRows() throws {
        controller.update(rows: [Item(id: 3), Item(id: 1), Item(id: 7)], atSection: 0)
        #expect(try outline == [["3", "1", "7"], ["4"]])
        #expect(controller.sectionInfo(at: 0)?.header == "A")
        #expect(told() == ["rows [[0, 0], [0, 1], [0, 2]]"])
        #expect(controller.update(rows: [Item(id: 8)], atSection: 2) == nil)
        #expect(controller.update(rows: [Item(id: 8)], atSection: -1) == nil)
        #expect(told() == [])
    }

    @Test("another number of rows is told as what really came and went")
    func updateRowsCount() throws {
        let batch = controller.update(rows: [Item(id: 3), Item(id: 7)], atSection: 0)
        #expect(try outline == [["3", "7"], ["4"]])
        #expect(batch?.stages.first?.deletedRows.map(\.id) == ["1", "2"])
        #expect(batch?.stages.first?.insertedRows.map(\.id) == ["7"])
        #expect(told() == ["section 0"])
    }

    @Test("rows are replaced by their places; a bad row is passed over, a bad section stops all")
    func updateByPaths() throws {
        let new = Item(id: 1, text: "new")
        controller.update(rows: [path(0, 0): new, path(0, 9): Item(id: 8), path(1, -1): new])
        #expect(controller.modelObject(at: path(0, 0), as: Item.self)?.text == "new")
        #expect(told() == ["rows [[0, 0]]"])
        for section in [2, -1] {
            let rows = [path(0, 1): Item(id: 2, text: "no"), path(section, 0): Item(id: 8)]
            #expect(controller.update(rows: rows) == nil)
        }
        #expect(controller.modelObject(at: path(0, 1), as: Item.self)?.text == "a")
        #expect(told() == [])
    }

    @Test("no rows are told too, as long as there is a section")
    func updateNothing() {
        let version = controller.dataSource.version
        controller.update(rows: [IndexPath: Item]())
        #expect(told() == ["rows []"])
        #expect(controller.dataSource.version == version)
        controller.removeAllSections(notice: .now)
        _ = told()
        controller.update(rows: [IndexPath: Item]())
        #expect(told() == [])
    }

    @Test("a row goes, its section with it when it was the last; told as a whole")
    func removeRow() throws {
        controller.remove(rowAt: path(0, 0))
        #expect(try outline == [["2", "3"], ["4"]])
        #expect(told() == ["whole"])
        let batch = controller.remove(rowAt: path(1, 0))
        #expect(try outline == [["2", "3"]])
        #expect(batch?.stages.first?.deletedSections.map(\.id) == ["b"])
        #expect(told() == ["whole"])
        for (section, row) in [(0, 2), (0, -1), (1, 0), (-1, 0)] {
            #expect(controller.remove(rowAt: path(section, row)) == nil)
        }
        #expect(told() == [])
    }

    @Test("a row moves; out of range nothing happens")
    func move() throws {
        controller.move(rowAt: path(0, 0), to: path(1, 1))
        #expect(try outline == [["2", "3"], ["4", "1"]])
        #expect(told() == ["whole"])
        #expect(controller.move(rowAt: path(0, 5), to: path(1, 1)) == nil)
        #expect(controller.move(rowAt: path(0, 0), to: path(1, 3)) == nil)
        #expect(told() == [])
        #expect(reported.withLock { $0 } == [])
    }

    // MARK: - Sections

    @Test(
        "a section is added in its place, behind all others for nil and out of range",
        arguments: [(0, 0), (1, 1), (2, 2), (3, 2), (-1, 2), (nil, 2)] as [(Int?, Int)]
    )
    func addSection(index: Int?, location: Int) throws {
        controller.add(section: Section("c", registered.run([9])), at: index)
        #expect(controller.dataSource.snapshot.sectionIndex(of: "c") == location)
        #expect(told() == ["whole"])
    }

    @Test("a section is replaced, or described anew, and told; out of range nothing happens")
    func updateSection() throws {
        controller.update(section: Section("c", header: "C", registered.run([4, 9])), at: 1)
        #expect(try outline == [["1", "2", "3"], ["4", "9"]])
        #expect(controller.sectionInfo(at: 1)?.header == "C")
        #expect(told() == ["section 1"])
        controller.update(sectionData: SectionInfo("ignored", header: nil, footer: ""), at: 0)
        #expect(controller.sectionInfo(at: 0) == SectionInfo("a", header: nil, footer: ""))
        #expect(told() == ["section 0"])
        #expect(controller.update(section: Section("d"), at: 2) == nil)
        #expect(controller.update(sectionData: SectionInfo("a"), at: -1) == nil)
        #expect(told() == [])
    }

    @Test("all sections are replaced, one is removed, all are removed; told as a whole")
    func wholeMutations() throws {
        controller.update(allSections: [
            Section("b", registered.run([4])), Section("z", registered.run([1, 4])),
        ])
        #expect(try outline == [["4"], ["1"]])
        #expect(told() == ["whole"])
        controller.remove(sectionAt: 0)
        #expect(try outline == [["1"]])
        #expect(told() == ["whole"])
        #expect(controller.remove(sectionAt: 1) == nil)
        #expect(controller.remove(sectionAt: -1) == nil)
        #expect(told() == [])
        controller.removeAllSections(notice: .now)
        #expect(controller.totalRowCount == 0)
        #expect(told() == ["whole"])
    }

    // MARK: - What is refused and what is deferred

    @Test("of two rows with one id the first is kept, and the other is reported")
    func duplicates() throws {
        #expect(controller.add(row: Item(id: 2), at: path(1, 0)) == nil)
        #expect(controller.update(row: Item(id: 2), at: path(1, 0)) == nil)
        #expect(controller.add(section: Section("a", registered.run([9]))) == nil)
        #expect(told() == [])
        controller.add(section: Section("c", registered.run([9, 1, 9, 8])))
        #expect(try outline == [["1", "2", "3"], ["4"], ["9", "8"]])
        controller.update(rows: [Item(id: 5), Item(id: 5), Item(id: 4)], atSection: 0)
        #expect(try outline == [["5"], ["4"], ["9", "8"]])
        #expect(reported.withLock { $0.count } == 7)
        #expect(
            reported.withLock { $0.first }
                == .duplicateID("2", first: path(0, 1), second: path(1, 0))
        )
    }

    @Test("what is deferred is told with the next mutation, and seen by nobody else until then")
    func deferred() throws {
        let version = controller.dataSource.version
        #expect(controller.add(row: Item(id: 9), at: path(0, 0), notice: .deferred) == nil)
        #expect(controller.remove(rowAt: path(0, 1), notice: .deferred) == nil)
        #expect(controller.modelObject(at: path(0, 0), as: Item.self)?.id == 9)
        #expect(controller.totalRowCount == 4)
        #expect(try outline == [["1", "2", "3"], ["4"]])
        #expect(controller.dataSource.version == version)
        #expect(told() == [])
        let batch = controller.update(row: Item(id: 4, text: "new"), at: path(1, 0))
        #expect(batch?.stages.first?.deletedRows.map(\.id) == ["1"])
        #expect(batch?.stages.first?.insertedRows.map(\.id) == ["9"])
        #expect(batch?.stages.last?.reloadedRows.map(\.id) == ["4"])
        #expect(try outline == [["9", "2", "3"], ["4"]])
        // Two sections changed, whatever the last mutation alone would have told.
        #expect(told() == ["whole"])
    }

    @Test("a mutation within an update is refused and reported")
    func nested() throws {
        try controller.dataSource.update { _ in
            #expect(controller.remove(rowAt: path(0, 0)) == nil)
        }
        #expect(reported.withLock { $0 } == [.reentrantUpdate])
        #expect(controller.totalRowCount == 4)
    }

    @Test("a collapsed section keeps and takes models, and counts no rows")
    func collapsed() throws {
        controller.update(sectionData: SectionInfo("a", isCollapsed: true), at: 0)
        #expect(controller.totalRowCount == 1)
        controller.add(row: Item(id: 9), at: path(0, 99))
        #expect(controller.totalRowCount == 1)
        #expect(controller.modelObject(at: path(0, 3), as: Item.self)?.id == 9)
    }
}

@Suite("Selections and segments")
struct SelectionTests {
    @Test("one row or many are chosen, given up and toggled, in the order they were chosen in")
    func selection() {
        var many = Selection(.multiple)
        for id in ["3", "1", "3", "2"] { many.select(id) }
        #expect(many.ids == ["3", "1", "2"])
        many.toggle("1")
        many.toggle("5")
        many.deselect("9")
        #expect(many.ids == ["3", "2", "5"])
        many.keep { $0 != "2" }
        #expect(many.ids == ["3", "5"])
        many.removeAll()
        #expect(many.ids == [])
        var single = Selection(.single)
        single.select("1")
        single.select("2")
        #expect(single.ids == ["2"])
        single.toggle("2")
        #expect(single.contains("2") == false)
    }

    @Test("segments are found by their ids, the first one for none, and no id comes twice")
    func segments() throws {
        let schema = try ListSchema(columns: [])
        let list = DataSourceList(DataSource(), schema: schema)
        let segments = try Segments(.init("open", source: list), .init("done", source: list))
        #expect(segments.segment(nil)?.id == "open")
        #expect(segments.segment("done")?.title == "Done")
        #expect(segments.segment("other") == nil)
        #expect(segments.all.count == 2)
        #expect(throws: DataSourceError.duplicateSegment("a")) {
            try Segments(.init("a", source: list), .init("a", source: list))
        }
    }
}
