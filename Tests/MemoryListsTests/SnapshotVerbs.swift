import Listings
import MemoryLists
import Testing

/// An edit of the list of ``SnapshotTests``, and what is expected of it.
struct SnapshotCase<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Expected
    let edit: @Sendable (inout Snapshot, Registrations) throws -> Void

    init(
        _ name: String,
        _ expected: Expected,
        _ edit: @escaping @Sendable (inout Snapshot, Registrations) throws -> Void
    ) {
        testDescription = name
        self.expected = expected
        self.edit = edit
    }
}

func at(_ section: Int, _ row: Int) -> IndexPath { IndexPath(section: section, row: row) }

/// Edits of the list of ``SnapshotTests``, and the rows that stand there then.
enum SnapshotVerbs {
    typealias Case = SnapshotCase<[[String]]>

    static let all: [Case] = [
        Case("append to the last", [["1", "2", "3"], [], ["4", "5", "g", "6"]]) {
            try $0.append($1.run([6]))
        },
        Case("append to a section", [["1", "2", "3"], ["6"], ["4", "5", "g"]]) {
            try $0.append($1.run([6]), to: "b")
        },
        Case("insert before", [["1", "6", "7", "2", "3"], [], ["4", "5", "g"]]) {
            try $0.insert($1.run([6, 7]), before: "2")
        },
        Case("insert behind", [["1", "2", "6", "3"], [], ["4", "5", "g"]]) {
            try $0.insert($1.run([6]), after: "2")
        },
        Case("insert at a place", [["1", "2", "3"], [], ["6", "4", "5", "g"]]) {
            try $0.insert($1.run([6]), at: at(2, 0))
        },
        Case("insert nothing", [["1", "2", "3"], [], ["4", "5", "g"]]) {
            try $0.insert($1.run([]), at: at(1, 0))
        },
        Case("remove by ids", [["2"], [], ["4", "g"]]) { list, _ in
            try list.remove(["5", "1", "3", "1"])
        },
        Case("remove at a place", [["1", "3"], [], ["4", "5", "g"]]) { list, _ in
            let result = try list.remove(at: at(0, 1))
            #expect(result == "2")
        },
        Case("remove at places, told in order", [["2"], [], ["4", "5"]]) { list, _ in
            let paths = [at(2, 2), at(0, 0), at(0, 2), at(0, 0)]
            let result = try list.remove(at: paths)
            #expect(result == ["1", "3", "g"])
        },
        Case("remove the rows of a section", [["1", "2", "3"], [], []]) { list, _ in
            let result = try list.removeRows(in: "c")
            #expect(result == 3)
        },
        Case("remove all rows", [[], [], []]) { list, _ in
            let result = try list.removeAllRows()
            #expect(result == 6)
        },
        Case("move before", [["3", "1", "2"], [], ["4", "5", "g"]]) { list, _ in
            try list.move("3", before: "1")
        },
        Case("move before a later one", [["2", "1", "3"], [], ["4", "5", "g"]]) { list, _ in
            try list.move("1", before: "3")
        },
        Case("move behind", [["2", "1", "3"], [], ["4", "5", "g"]]) { list, _ in
            try list.move("1", after: "2")
        },
        Case("move to another section", [["1", "3"], [], ["4", "2", "5", "g"]]) { list, _ in
            try list.move("2", after: "4")
        },
        Case("move behind itself", [["1", "2", "3"], [], ["4", "5", "g"]]) { list, _ in
            try list.move("2", after: "2")
        },
        Case("move to the end", [["2", "3", "1"], [], ["4", "5", "g"]]) { list, _ in
            try list.move("1", toEndOf: "a")
        },
        Case("move to an empty section", [["1", "2", "3"], ["g"], ["4", "5"]]) { list, _ in
            try list.move("g", toEndOf: "b")
        },
        Case("swap", [["3", "2", "1"], [], ["4", "5", "g"]]) { list, _ in
            try list.swap(at: at(0, 0), with: at(0, 2))
        },
        Case("swap between sections", [["1", "g", "3"], [], ["4", "5", "2"]]) { list, _ in
            try list.swap(at: at(2, 2), with: at(0, 1))
        },
        Case("swap with itself", [["1", "2", "3"], [], ["4", "5", "g"]]) { list, _ in
            try list.swap(at: at(0, 1), with: at(0, 1))
        },
        Case("replace by another id", [["1", "9", "3"], [], ["4", "5", "g"]]) {
            try $0.replace(at: at(0, 1), with: Item(id: 9), using: $1.items)
        },
        Case("replace by another type", [["1", "h", "3"], [], ["4", "5", "g"]]) {
            try $0.replace(at: at(0, 1), with: Group(id: "h"), using: $1.groups)
        },
        Case("replace the rows of a section", [["3", "9"], [], ["4", "5", "g"]]) {
            try $0.replaceRows(in: "a", with: [$1.run([3, 9])])
        },
        Case("append a section", [["1", "2", "3"], [], ["4", "5", "g"], ["6"]]) {
            try $0.append(Section("d", $1.run([6])))
        },
        Case("insert a section before", [["6"], ["1", "2", "3"], [], ["4", "5", "g"]]) {
            try $0.insert(Section("d", $1.run([6])), before: "a")
        },
        Case("insert a section behind", [["1", "2", "3"], ["6"], [], ["4", "5", "g"]]) {
            try $0.insert(Section("d", $1.run([6])), after: "a")
        },
        Case("remove sections", [[]]) { list, _ in
            try list.removeSections(["c", "a", "c"])
        },
        Case("remove sections at places, told in order", [[]]) { list, _ in
            let result = try list.removeSections(at: [2, 0])
            #expect(result == ["a", "c"])
        },
        Case("remove empty sections", [["1", "2", "3"], ["4", "5", "g"]]) { list, _ in
            let result = try list.removeEmptySections()
            #expect(result == ["b"])
        },
        Case("remove all sections", []) { list, _ in
            let result = try list.removeAllSections()
            #expect(result == 3)
        },
        Case("move a section", [[], ["1", "2", "3"], ["4", "5", "g"]]) { list, _ in
            try list.moveSection(from: 0, to: 1)
        },
        Case("move a section before", [["4", "5", "g"], ["1", "2", "3"], []]) { list, _ in
            try list.moveSection("c", before: "a")
        },
        Case("move a section behind", [[], ["4", "5", "g"], ["1", "2", "3"]]) { list, _ in
            try list.moveSection("a", after: "c")
        },
        Case("move a section before itself", [["1", "2", "3"], [], ["4", "5", "g"]]) { list, _ in
            try list.moveSection("b", before: "b")
        },
        Case("swap sections", [["4", "5", "g"], [], ["1", "2", "3"]]) { list, _ in
            try list.swapSections(at: 2, with: 0)
        },
        Case("replace a section", [["1", "2", "3"], [], ["5", "8"]]) {
            try $0.replaceSection("c", with: Section("c", $1.run([5, 8])))
        },
        Case("replace a section by another", [["1", "2", "3"], [], ["5", "8"]]) {
            try $0.replaceSection(at: 2, with: Section("z", $1.run([5, 8])))
        },
    ]
}
