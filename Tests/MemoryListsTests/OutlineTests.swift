import Listings
import Locks
import MemoryLists
import TestSupport
import Testing

@Suite("Rows below rows")
struct OutlineTests {
    struct Fault: Error {}

    /// Groups by the id of the one they stand below, and the ones whose children were asked for.
    final class Folders: Sendable {
        private let folders: Locked<[String: [String]]>
        private let asked = Locked<[String]>([])
        /// Registrations whose rows have rows of the same below them lead to themselves: they are kept
        /// for good, as a service keeps its lists.
        private static let kept = Locked<[Locked<Registration<Group>?>]>([])

        init(_ folders: [String: [String]]) { self.folders = Locked(folders) }

        func takeAsked() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked
            }
        }

        func set(_ ids: [String], below parent: String) {
            folders.withLock { $0[parent] = ids }
        }

        func registration(leaves: Set<String> = []) throws -> Registration<Group> {
            let bound = Locked<Registration<Group>?>(nil)
            Self.kept.withLock { $0.append(bound) }
            var events = RowEvents<Group>()
            events.canExpand = { !leaves.contains($0.model.id) }
            events.children = { [folders, asked] context in
                asked.withLock { $0.append(context.model.id) }
                if context.model.id == "locked" { throw Fault() }
                let ids = folders.withLock { $0[context.model.id] }
                return bound.withLock { registration in
                    guard let ids, let registration else { return nil }
                    return Run(ids.map { Group(id: $0, title: "<\($0)>") }, using: registration)
                }
            }
            events.actions = { _ in [RowAction("drop"), RowAction("touch")] }
            events.perform = { action, context in
                action == "drop" ? .removed() : .done(message: context.model.title)
            }
            events.adjustMove = { $1 }
            var registry = ControllerRegistry()
            let registration = try registry.register(GroupController(), on: events)
            bound.withLock { $0 = registration }
            return registration
        }

        func list(_ ids: [String], leaves: Set<String> = []) throws -> (DataSource, DataSourceList)
        {
            let groups = ids.map { Group(id: $0) }
            let source = try DataSource(models: groups, using: registration(leaves: leaves))
            let schema = try ListSchema(
                columns: GroupController().columns,
                defaultLimit: 3,
                maximumLimit: 8
            )
            return (source, DataSourceList(source, schema: schema))
        }
    }

    private func lines(_ list: DataSourceList, _ query: ListQuery) throws -> [String] {
        var page = Page(list: "folders", schema: list.schema)
        try list.makeReader().readChildren(query, grouping: nil, into: &page)
        return (0..<page.rowCount).map { row in
            let outline = page.outline(ofRow: row)
            let sign = outline?.isExpanded.map { $0 ? "-" : "+" } ?? ""
            let below = page.below(row: row).map { " \($0.shown)/\($0.count)" } ?? ""
            return "\(outline?.level ?? -1) \(sign)\(page.id(ofRow: row))\(below)"
        }
    }

    private func query(_ expanded: String..., limit: Int = 3) -> ListQuery {
        var query = ListQuery(shape: .flow(limit: limit))
        query.expanded = expanded
        return query
    }

    @Test("only a row that is expanded is asked what is below it, and a page shows the first ones")
    func expanded() throws {
        let folders = Folders([
            "a": ["a1", "a2", "a3", "a4"], "a2": ["x", "y"], "b": ["a1"], "c": [],
        ])
        let (_, list) = try folders.list(["a", "b", "c", "d"], leaves: ["d", "x"])
        #expect(try lines(list, query()) == ["0 +a", "0 +b", "0 +c"])
        #expect(folders.takeAsked() == [])
        // The limit counts the rows of the list; those below come besides.
        #expect(
            try lines(list, query("a", "a>a2", "c", "nobody"))
                == [
                    "0 -a 3/4", "1 +a>a1", "1 -a>a2 2/2", "2 a>a2>x", "2 +a>a2>y", "1 +a>a3",
                    "0 +b", "0 -c 0/0",
                ]
        )
        #expect(folders.takeAsked() == ["a", "a2", "c"])
        // Eight rows below others are what a page of this list has room for.
        folders.set(["p", "q", "r"], below: "b")
        folders.set(["p", "q", "r"], below: "c")
        #expect(
            try lines(list, query("a", "b", "c")).filter { $0.contains("/") } == [
                "0 -a 3/4", "0 -b 3/3", "0 -c 2/3",
            ]
        )
        #expect(try lines(list, query("d", limit: 8)).last == "0 d")
    }

    @Test("the rows below a row are read page by page, and only they")
    func children() throws {
        let folders = Folders(["a": (0..<7).map { "n\($0)" }, "n6": ["deep"]])
        let (_, list) = try folders.list(["a"])
        let reader = try list.makeReader()
        var page = Page(list: "folders", schema: list.schema)
        var query = query("a>n6", limit: 3)
        query.parent = "a"
        var ids: [[String]] = []
        while true {
            try reader.readChildren(query, grouping: nil, into: &page)
            ids.append((0..<page.rowCount).map { page.id(ofRow: $0) })
            #expect(page.total == Count(7))
            guard let next = page.next else { break }
            query.start = .after(next)
        }
        #expect(ids.map(\.count) == [3, 3, 2])
        #expect(ids.flatMap(\.self) == (0..<7).map { "a>n\($0)" } + ["a>n6>deep"])
        #expect(page.rowsBelowCount == 1)
        let previous = page.previous
        query.start = .before(try #require(previous))
        #expect(try lines(list, query) == ["1 +a>n3", "1 +a>n4", "1 +a>n5"])
        query.start = .offset(6)
        #expect(try lines(list, query) == ["1 -a>n6 1/1", "2 +a>n6>deep"])
        query.start = .offset(9)
        #expect(try lines(list, query) == [])
        try reader.readChildren(query, grouping: nil, into: &page)
        let last = page.previous
        query.start = .before(try #require(last))
        #expect(try lines(list, query) == ["1 +a>n4", "1 +a>n5", "1 -a>n6 1/1", "2 +a>n6>deep"])
        query.parent = "a>n6"
        query.start = .beginning
        #expect(try lines(list, query) == ["2 +a>n6>deep"])
        query.parent = "a>none"
        #expect(throws: SourceError.unknownRow("a>none")) { try lines(list, query) }
    }

    @Test(
        "a cursor among children goes on where it left off, whatever came or went",
        arguments: 0..<20
    )
    func cursors(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let all = (0..<30).map { "n\($0)" }
        let folders = Folders(["a": all])
        let (_, list) = try folders.list(["a"])
        let reader = try list.makeReader()
        var page = Page(list: "folders", schema: list.schema)
        var query = query()
        query.parent = "a"
        var seen: [String] = []
        var gone: Set<String> = []
        while true {
            try reader.readChildren(query, grouping: nil, into: &page)
            seen += (0..<page.rowCount).map { page.id(ofRow: $0) }
            guard let next = page.next, let last = seen.last?.dropFirst(2) else { break }
            query.start = .after(next)
            // Rows go behind the page, or the very one that the cursor names.
            let behind = all.drop { $0 != last }.filter { !gone.contains($0) }
            if let removed = behind.randomElement(using: &generator) { gone.insert(removed) }
            folders.set(all.filter { !gone.contains($0) }, below: "a")
        }
        let stayed = all.filter { !gone.contains($0) }.map { "a>\($0)" }
        #expect(Set(seen).count == seen.count, "seed \(seed): \(seen)")
        #expect(Set(stayed).subtracting(seen) == [], "seed \(seed): \(seen)")
    }

    @Test("a row is found by its way down, also where ids hold what ways are written with")
    func ways() throws {
        let folders = Folders(["a>b": ["50%", "c"], "50%": ["x>y"], "a": ["b"]])
        let (_, list) = try folders.list(["a>b", "a"])
        #expect(
            try lines(list, query("a>b", "a%3Eb>50%25"))
                == [
                    "0 -a>b 2/2", "1 -a%3Eb>50%25 1/1", "2 +a%3Eb>50%25>x%3Ey", "1 +a%3Eb>c",
                    "0 +a",
                ]
        )
        let reader = try list.makeReader()
        var page = Page(list: "folders", schema: list.schema)
        for id in ["a>b", "a%3Eb>50%25>x%3Ey", "a%3Eb>c"] {
            #expect(try reader.findRow(id, grouping: nil, into: &page))
            #expect(page.id(ofRow: 0) == id)
        }
        let deep = Array(repeating: "a", count: 40).joined(separator: ">")
        for id in ["a>", ">a", "a>b>c", "a%3eb>c", "a%3Eb>50%", "a%3Eb>c%3", deep] {
            #expect(try !reader.findRow(id, grouping: nil, into: &page), "\(id)")
        }
    }

    @Test("an outline without an end has sixteen levels")
    func depth() throws {
        let folders = Folders(["a": ["a"]])
        let (_, list) = try folders.list(["a"])
        var ids = ["a"]
        for _ in 0..<30 { ids.append(ids[ids.count - 1] + ">a") }
        var query = query()
        query.expanded = ids
        let reader = try list.makeReader()
        var page = Page(list: "folders", schema: list.schema)
        try reader.read(query, into: &page)
        // The room of a page ends first; from page to page the way goes on to the last level.
        #expect(page.rowCount == 9)
        #expect(try reader.findRow(ids[15], grouping: nil, into: &page))
        #expect(page.outline(ofRow: 0)?.isExpanded == nil && page.outline(ofRow: 0)?.level == 15)
        #expect(try !reader.findRow(ids[16], grouping: nil, into: &page))
    }

    @Test(
        "a row whose children cannot be had is an error in its place, and no page of them is shown"
    )
    func failure() throws {
        let folders = Folders(["b": ["c"]])
        let (_, list) = try folders.list(["locked", "b"])
        let reader = try list.makeReader()
        var page = Page(list: "folders", schema: list.schema)
        let failures = Locked<[RowFailure.Code]>([])
        page.onFailure = { failure in failures.withLock { $0.append(failure.code) } }
        try reader.read(query("locked", "b"), into: &page)
        #expect(page.failures == [0: .childrenFailed])
        #expect((0..<page.rowCount).map { page.id(ofRow: $0) } == ["locked", "b", "b>c"])
        var query = query()
        query.parent = "locked"
        #expect(throws: SourceError.failedRow("locked", code: .childrenFailed)) {
            try reader.readChildren(query, grouping: nil, into: &page)
        }
        #expect(failures.withLock { $0 } == [.childrenFailed, .childrenFailed])
    }

    @Test("rows below others are acted on; they go by whoever gives them, and are not moved here")
    func actions() throws {
        let folders = Folders(["a": ["b"], "b": ["c"]])
        let (source, list) = try folders.list(["a", "z"])
        let reader = try list.makeReader()
        #expect(
            try reader.perform("touch", row: "a>b>c", for: ActionRequest()) == .done(message: "<c>")
        )
        let version = source.version
        #expect(try reader.perform("drop", row: "a>b", for: ActionRequest()) == .removed())
        #expect(source.version == version + 1)
        #expect(try source.snapshot.rowIDs(in: "all") == ["a", "z"])
        #expect(throws: ActionError.self) {
            try reader.perform("touch", row: "a>c", for: ActionRequest())
        }
        #expect(throws: ActionError.self) { try reader.move(row: "a>b", to: .after("z")) }
        #expect(try reader.perform("drop", row: "z", for: ActionRequest()) == .removed())
        #expect(try source.snapshot.rowIDs(in: "all") == ["a"])
    }
}
