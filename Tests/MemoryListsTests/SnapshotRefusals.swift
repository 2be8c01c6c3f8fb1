import Listings
import MemoryLists

/// Edits and questions that the list of ``SnapshotTests`` refuses.
enum SnapshotRefusals {
    typealias Case = SnapshotCase<DataSourceError>

    static let all: [Case] = [
        Case("read before a section", .outOfBounds(at(0, -1))) { list, _ in
            _ = try list.id(at: at(0, -1))
        },
        Case("read behind a section", .outOfBounds(at(0, 3))) { list, _ in
            _ = try list.model(at: at(0, 3), as: Item.self)
        },
        Case("read in a section before all", .outOfBounds(at(-1, 0))) { list, _ in
            _ = try list.kind(at: at(-1, 0))
        },
        Case("read in a section behind all", .outOfBounds(at(3, 0))) { list, _ in
            _ = try list.id(at: at(3, 0))
        },
        Case("read the largest place", .outOfBounds(at(.max, .max))) { list, _ in
            _ = try list.id(at: at(.max, .max))
        },
        Case("read another type", .modelMismatch(at(0, 0), found: "Item", wanted: "Group")) {
            list,
            _ in
            _ = try list.model(at: at(0, 0), as: Group.self)
        },
        Case("insert behind the end", .outOfBounds(at(0, 4))) {
            try $0.insert($1.run([9]), at: at(0, 4))
        },
        Case("insert before the beginning", .outOfBounds(at(0, -1))) {
            try $0.insert($1.run([9]), at: at(0, -1))
        },
        Case("insert in no section", .outOfBounds(at(3, 0))) {
            try $0.insert($1.run([9]), at: at(3, 0))
        },
        Case("insert before an unknown row", .unknownID("9")) {
            try $0.insert($1.run([8]), before: "9")
        },
        Case("append to an unknown section", .unknownSection("z")) {
            try $0.append($1.run([8]), to: "z")
        },
        Case("append without sections", .noSections) {
            try $0.removeAllSections()
            try $0.append($1.run([8]))
        },
        Case("remove nothing", .outOfBounds(at(1, 0))) { list, _ in
            try list.remove(at: at(1, 0))
        },
        Case("remove an unknown row among known ones", .unknownID("9")) { list, _ in
            try list.remove(["1", "9"])
        },
        Case("remove a row and then none", .outOfBounds(at(0, 3))) { list, _ in
            try list.remove(at: [at(0, 0), at(0, 3)])
        },
        Case("move from nowhere", .outOfBounds(at(1, 0))) { list, _ in
            try list.move(from: at(1, 0), to: at(0, 0))
        },
        Case("move past the end of its own section", .outOfBounds(at(0, 3))) { list, _ in
            try list.move(from: at(0, 0), to: at(0, 3))
        },
        Case("move past the end of another section", .outOfBounds(at(1, 1))) { list, _ in
            try list.move(from: at(0, 0), to: at(1, 1))
        },
        Case("move to no section", .outOfBounds(at(-1, 0))) { list, _ in
            try list.move(from: at(0, 0), to: at(-1, 0))
        },
        Case("move an unknown row", .unknownID("x")) { list, _ in
            try list.move("x", before: "1")
        },
        Case("swap with nothing", .outOfBounds(at(1, 0))) { list, _ in
            try list.swap(at: at(1, 0), with: at(0, 0))
        },
        Case("replace nothing", .outOfBounds(at(0, 3))) {
            try $0.replace(at: at(0, 3), with: Item(id: 9), using: $1.items)
        },
        Case("update an unknown row", .unknownID("9")) {
            try $0.update(Item(id: 9), using: $1.items)
        },
        Case("reload an unknown row", .unknownID("9")) { list, _ in
            try list.reload(["1", "9"])
        },
        Case("reconfigure an unknown row", .unknownID("9")) { list, _ in
            try list.reconfigure(["9"])
        },
        Case("a row again, before it", .duplicateID("3", first: at(0, 0), second: at(0, 3))) {
            try $0.insert($1.run([3]), at: at(0, 0))
        },
        Case(
            "a row again, in another section",
            .duplicateID("1", first: at(0, 0), second: at(1, 1))
        ) {
            try $0.append($1.run([8, 1]), to: "b")
        },
        Case(
            "a row twice in one insertion",
            .duplicateID("8", first: at(1, 0), second: at(1, 2))
        ) {
            try $0.append($1.run([8, 9, 8]), to: "b")
        },
        Case(
            "an id of another type of model",
            .duplicateID("1", first: at(0, 0), second: at(1, 0))
        ) {
            try $0.append($1.groups("1"), to: "b")
        },
        Case(
            "replace by a row that is there",
            .duplicateID("1", first: at(0, 0), second: at(0, 1))
        ) {
            try $0.replace(at: at(0, 1), with: Item(id: 1), using: $1.items)
        },
        Case(
            "a section with a row that is there",
            .duplicateID("4", first: at(0, 0), second: at(3, 0))
        ) {
            try $0.insert(Section("d", $1.run([4])), at: 0)
        },
        Case("a section again", .duplicateSection("b", first: 0, second: 2)) {
            try $0.insert(Section("b", $1.run([])), at: 0)
        },
        Case("a section again, behind itself", .duplicateSection("a", first: 0, second: 3)) {
            try $0.append(Section("a", $1.run([])))
        },
        Case("insert a section before the beginning", .sectionOutOfBounds(-1)) { list, _ in
            try list.insert(Section("d"), at: -1)
        },
        Case("insert a section behind the end", .sectionOutOfBounds(4)) { list, _ in
            try list.insert(Section("d"), at: 4)
        },
        Case("insert a section before an unknown one", .unknownSection("z")) { list, _ in
            try list.insert(Section("d"), before: "z")
        },
        Case("remove a section before all", .sectionOutOfBounds(-1)) { list, _ in
            try list.removeSection(at: -1)
        },
        Case("remove an unknown section among known ones", .unknownSection("z")) { list, _ in
            try list.removeSections(["a", "z"])
        },
        Case("remove the rows of an unknown section", .unknownSection("z")) { list, _ in
            try list.removeRows(in: "z")
        },
        Case("move a section to nowhere", .sectionOutOfBounds(3)) { list, _ in
            try list.moveSection(from: 0, to: 3)
        },
        Case("move a section from nowhere", .sectionOutOfBounds(-2)) { list, _ in
            try list.moveSection(from: -2, to: 0)
        },
        Case("move an unknown section", .unknownSection("z")) { list, _ in
            try list.moveSection("z", after: "a")
        },
        Case("swap a section with none", .sectionOutOfBounds(7)) { list, _ in
            try list.swapSections(at: 7, with: 0)
        },
        Case("replace an unknown section", .unknownSection("z")) { list, _ in
            try list.replaceSection("z", with: Section("z"))
        },
        Case(
            "replace a section by one that is there",
            .duplicateSection("a", first: 0, second: 2)
        ) { list, _ in
            try list.replaceSection(at: 2, with: Section("a"))
        },
        Case("describe an unknown section", .unknownSection("z")) { list, _ in
            try list.describeSection(SectionInfo("z"))
        },
        Case("collapse an unknown section", .unknownSection("z")) { list, _ in
            try list.collapseSection("z")
        },
        Case("reload an unknown section", .unknownSection("z")) { list, _ in
            try list.reloadSections(["a", "z"])
        },
        Case("a section at no place", .sectionOutOfBounds(3)) { list, _ in
            _ = try list.section(at: 3)
        },
        Case("the rows of a section at no place", .sectionOutOfBounds(-1)) { list, _ in
            _ = try list.rowCount(inSection: -1)
        },
    ]
}
