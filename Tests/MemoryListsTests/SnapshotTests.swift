import Listings
import MemoryLists
import Testing

@Suite("Snapshots")
struct SnapshotTests {
    let registered: Registrations

    init() throws { registered = try Registrations() }

    /// Sections `a` of 1, 2, 3, `b` without rows and `c` of 4, 5 and the group g.
    func list() throws -> Snapshot {
        try Snapshot([
            Section("a", header: "A", registered.run(1...3)),
            Section("b"),
            Section("c", registered.run(4...5), registered.groups("g")),
        ])
    }

    @Test("rows of several types stand in one section, each with its own kind")
    func heterogeneous() throws {
        let snapshot = try list()
        #expect(try snapshot.outline == [["1", "2", "3"], [], ["4", "5", "g"]])
        #expect(try snapshot.kind(at: IndexPath(section: 2, row: 1)) == "item.row")
        #expect(try snapshot.kind(at: IndexPath(section: 2, row: 2)) == "group.row")
        let group = try snapshot.model(at: IndexPath(section: 2, row: 2), as: Group.self)
        #expect(group == Group(id: "g"))
        #expect(snapshot.totalRowCount == 6)
        #expect(snapshot.sectionCount == 3)
    }

    @Test("ready-made rows stand beside models")
    func readyRows() throws {
        let row = StaticRow(id: "r", cells: [.text("ready")])
        let run = Run(rows: [row], kind: "ready.row", columns: [Column("text")])
        var snapshot = try list()
        try snapshot.append(run, to: "b")
        #expect(try snapshot.model(at: IndexPath(section: 1, row: 0), as: StaticRow.self) == row)
        #expect(try snapshot.kind(at: IndexPath(section: 1, row: 0)) == "ready.row")
    }

    @Test("rows and sections are found by their ids")
    func lookUp() throws {
        let snapshot = try list()
        #expect(try snapshot.indexPath(of: "5") == IndexPath(section: 2, row: 1))
        #expect(try snapshot.indexPath(of: "9") == nil)
        #expect(try snapshot.indexPath(of: "05") == nil)
        #expect(try snapshot.id(at: IndexPath(section: 2, row: 2)) == "g")
        #expect(try snapshot.sectionID(containing: "g") == "c")
        #expect(try snapshot.sectionID(containing: "h") == nil)
        #expect(snapshot.sectionIndex(of: "c") == 2)
        #expect(snapshot.sectionIndex(of: "d") == nil)
        #expect(try snapshot.section("a").header == "A")
    }

    @Test("a copy stays as it was while another one is edited")
    func values() throws {
        let old = try list()
        var new = old
        try new.removeSection("a")
        try new.update(Item(id: 4, text: "new"), using: registered.items)
        #expect(try old.outline == [["1", "2", "3"], [], ["4", "5", "g"]])
        #expect(try old.model(at: IndexPath(section: 2, row: 0), as: Item.self).text == "a")
        #expect(try new.model(at: IndexPath(section: 1, row: 0), as: Item.self).text == "new")
    }

    @Test(
        "every verb does what it says, and keeps ids and places in step",
        arguments: SnapshotVerbs.all
    )
    func verb(_ example: SnapshotCase<[[String]]>) throws {
        let outline = example.expected
        var snapshot = try list()
        try example.edit(&snapshot, registered)
        #expect(try snapshot.outline == outline)
        #expect(snapshot.totalModelCount == outline.joined().count)
        for (section, rows) in outline.enumerated() {
            for (row, id) in rows.enumerated() {
                let path = IndexPath(section: section, row: row)
                #expect(try snapshot.indexPath(of: id) == path, "\(id)")
            }
        }
        for gone in ["1", "2", "3", "4", "5", "6", "9", "g"] where !outline.joined().contains(gone)
        {
            #expect(try snapshot.indexPath(of: gone) == nil, "\(gone)")
        }
    }

    @Test(
        "what cannot be done is refused with its places, and changes nothing",
        arguments: SnapshotRefusals.all
    )
    func refusal(_ example: SnapshotCase<DataSourceError>) throws {
        let error = example.expected
        let dataSource = DataSource(try list())
        #expect(throws: error) {
            try dataSource.update { try example.edit(&$0, registered) }
        }
        #expect(dataSource.version == 0)
        var snapshot = try list()
        if error != .noSections {
            #expect(throws: error) { try example.edit(&snapshot, registered) }
            #expect(try snapshot.outline == [["1", "2", "3"], [], ["4", "5", "g"]])
            #expect(try snapshot.indexPath(of: "8") == nil)
            try snapshot.append(registered.run([8]))
        }
    }
}
