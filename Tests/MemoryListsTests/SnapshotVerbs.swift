import Listings
import MemoryLists
import Testing

/// Edits of the list of ``SnapshotTests``, and the rows that stand there then.
enum SnapshotVerbs {
    typealias Edit = @Sendable (inout Snapshot, Registrations) throws -> Void

    static let all: [(String, [[String]], Edit)] = [
        (
            "append to the last", [["1", "2", "3"], [], ["4", "5", "g", "6"]],
            { try $0.append($1.run([6])) }
        ),
        (
            "append to a section", [["1", "2", "3"], ["6"], ["4", "5", "g"]],
            { try $0.append($1.run([6]), to: "b") }
        ),
        (
            "insert before", [["1", "6", "7", "2", "3"], [], ["4", "5", "g"]],
            { try $0.insert($1.run([6, 7]), before: "2") }
        ),
        (
            "insert behind", [["1", "2", "6", "3"], [], ["4", "5", "g"]],
            { try $0.insert($1.run([6]), after: "2") }
        ),
        (
            "insert at a place", [["1", "2", "3"], [], ["6", "4", "5", "g"]],
            { try $0.insert($1.run([6]), at: IndexPath(section: 2, row: 0)) }
        ),
        (
            "insert nothing", [["1", "2", "3"], [], ["4", "5", "g"]],
            { try $0.insert($1.run([]), at: IndexPath(section: 1, row: 0)) }
        ),
        (
            "remove by ids", [["2"], [], ["4", "g"]],
            { snapshot, _ in try snapshot.remove(["5", "1", "3", "1"]) }
        ),
        (
            "remove at a place", [["1", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in
                let result = try snapshot.remove(at: IndexPath(section: 0, row: 1))
                #expect(result == "2")
            }
        ),
        (
            "remove at places, told in order", [["2"], [], ["4", "5"]],
            { snapshot, _ in
                let paths = [(2, 2), (0, 0), (0, 2), (0, 0)].map {
                    IndexPath(section: $0.0, row: $0.1)
                }
                let result = try snapshot.remove(at: paths)
                #expect(result == ["1", "3", "g"])
            }
        ),
        (
            "remove the rows of a section", [["1", "2", "3"], [], []],
            { snapshot, _ in
                let result = try snapshot.removeRows(in: "c")
                #expect(result == 3)
            }
        ),
        (
            "remove all rows", [[], [], []],
            { snapshot, _ in
                let result = try snapshot.removeAllRows()
                #expect(result == 6)
            }
        ),
        (
            "move before", [["3", "1", "2"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.move("3", before: "1") }
        ),
        (
            "move before a later one", [["2", "1", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.move("1", before: "3") }
        ),
        (
            "move behind", [["2", "1", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.move("1", after: "2") }
        ),
        (
            "move to another section", [["1", "3"], [], ["4", "2", "5", "g"]],
            { snapshot, _ in try snapshot.move("2", after: "4") }
        ),
        (
            "move behind itself", [["1", "2", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.move("2", after: "2") }
        ),
        (
            "move to the end", [["2", "3", "1"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.move("1", toEndOf: "a") }
        ),
        (
            "move to an empty section", [["1", "2", "3"], ["g"], ["4", "5"]],
            { snapshot, _ in try snapshot.move("g", toEndOf: "b") }
        ),
        (
            "swap", [["3", "2", "1"], [], ["4", "5", "g"]],
            { snapshot, _ in
                try snapshot.swap(
                    at: IndexPath(section: 0, row: 0),
                    with: IndexPath(section: 0, row: 2)
                )
            }
        ),
        (
            "swap between sections", [["1", "g", "3"], [], ["4", "5", "2"]],
            { snapshot, _ in
                try snapshot.swap(
                    at: IndexPath(section: 2, row: 2),
                    with: IndexPath(section: 0, row: 1)
                )
            }
        ),
        (
            "swap with itself", [["1", "2", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in
                try snapshot.swap(
                    at: IndexPath(section: 0, row: 1),
                    with: IndexPath(section: 0, row: 1)
                )
            }
        ),
        (
            "replace by another id", [["1", "9", "3"], [], ["4", "5", "g"]],
            {
                try $0.replace(
                    at: IndexPath(section: 0, row: 1),
                    with: Item(id: 9),
                    using: $1.items
                )
            }
        ),
        (
            "replace by another type", [["1", "h", "3"], [], ["4", "5", "g"]],
            {
                try $0.replace(
                    at: IndexPath(section: 0, row: 1),
                    with: Group(id: "h"),
                    using: $1.groups
                )
            }
        ),
        (
            "replace the rows of a section", [["3", "9"], [], ["4", "5", "g"]],
            {
                try $0.replaceRows(in: "a", with: [$1.run([3, 9])])
            }
        ),
        (
            "append a section", [["1", "2", "3"], [], ["4", "5", "g"], ["6"]],
            { try $0.append(Section("d", $1.run([6]))) }
        ),
        (
            "insert a section before", [["6"], ["1", "2", "3"], [], ["4", "5", "g"]],
            { try $0.insert(Section("d", $1.run([6])), before: "a") }
        ),
        (
            "insert a section behind", [["1", "2", "3"], ["6"], [], ["4", "5", "g"]],
            { try $0.insert(Section("d", $1.run([6])), after: "a") }
        ),
        ("remove sections", [[]], { snapshot, _ in try snapshot.removeSections(["c", "a", "c"]) }),
        (
            "remove sections at places, told in order", [[]],
            { snapshot, _ in
                let result = try snapshot.removeSections(at: [2, 0])
                #expect(result == ["a", "c"])
            }
        ),
        (
            "remove empty sections", [["1", "2", "3"], ["4", "5", "g"]],
            { snapshot, _ in
                let result = try snapshot.removeEmptySections()
                #expect(result == ["b"])
            }
        ),
        (
            "remove all sections", [],
            { snapshot, _ in
                let result = try snapshot.removeAllSections()
                #expect(result == 3)
            }
        ),
        (
            "move a section", [[], ["1", "2", "3"], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.moveSection(from: 0, to: 1) }
        ),
        (
            "move a section before", [["4", "5", "g"], ["1", "2", "3"], []],
            { snapshot, _ in try snapshot.moveSection("c", before: "a") }
        ),
        (
            "move a section behind", [[], ["4", "5", "g"], ["1", "2", "3"]],
            { snapshot, _ in try snapshot.moveSection("a", after: "c") }
        ),
        (
            "move a section before itself", [["1", "2", "3"], [], ["4", "5", "g"]],
            { snapshot, _ in try snapshot.moveSection("b", before: "b") }
        ),
        (
            "swap sections", [["4", "5", "g"], [], ["1", "2", "3"]],
            { snapshot, _ in try snapshot.swapSections(at: 2, with: 0) }
        ),
        (
            "replace a section", [["1", "2", "3"], [], ["5", "8"]],
            {
                try $0.replaceSection("c", with: Section("c", $1.run([5, 8])))
            }
        ),
        (
            "replace a section by another", [["1", "2", "3"], [], ["5", "8"]],
            {
                try $0.replaceSection(at: 2, with: Section("z", $1.run([5, 8])))
            }
        ),
    ]
}
