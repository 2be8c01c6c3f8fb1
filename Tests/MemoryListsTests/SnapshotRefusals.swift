import Listings
import MemoryLists

/// Edits and questions that the list of ``SnapshotTests`` refuses.
enum SnapshotRefusals {
    typealias Edit = SnapshotVerbs.Edit

    static let all: [(String, DataSourceError, Edit)] = [
        (
            "read before a section", .outOfBounds(IndexPath(section: 0, row: -1)),
            { snapshot, _ in
                _ = try snapshot.id(at: IndexPath(section: 0, row: -1))
            }
        ),
        (
            "read behind a section", .outOfBounds(IndexPath(section: 0, row: 3)),
            { snapshot, _ in
                _ = try snapshot.model(at: IndexPath(section: 0, row: 3), as: Item.self)
            }
        ),
        (
            "read in a section before all", .outOfBounds(IndexPath(section: -1, row: 0)),
            { snapshot, _ in
                _ = try snapshot.kind(at: IndexPath(section: -1, row: 0))
            }
        ),
        (
            "read in a section behind all", .outOfBounds(IndexPath(section: 3, row: 0)),
            { snapshot, _ in
                _ = try snapshot.id(at: IndexPath(section: 3, row: 0))
            }
        ),
        (
            "read the largest place", .outOfBounds(IndexPath(section: .max, row: .max)),
            { snapshot, _ in
                _ = try snapshot.id(at: IndexPath(section: .max, row: .max))
            }
        ),
        (
            "read another type",
            .modelMismatch(IndexPath(section: 0, row: 0), found: "Item", wanted: "Group"),
            { snapshot, _ in
                _ = try snapshot.model(at: IndexPath(section: 0, row: 0), as: Group.self)
            }
        ),
        (
            "insert behind the end", .outOfBounds(IndexPath(section: 0, row: 4)),
            {
                try $0.insert($1.run([9]), at: IndexPath(section: 0, row: 4))
            }
        ),
        (
            "insert before the beginning", .outOfBounds(IndexPath(section: 0, row: -1)),
            {
                try $0.insert($1.run([9]), at: IndexPath(section: 0, row: -1))
            }
        ),
        (
            "insert in no section", .outOfBounds(IndexPath(section: 3, row: 0)),
            {
                try $0.insert($1.run([9]), at: IndexPath(section: 3, row: 0))
            }
        ),
        (
            "insert before an unknown row", .unknownID("9"),
            { try $0.insert($1.run([8]), before: "9") }
        ),
        (
            "append to an unknown section", .unknownSection("z"),
            { try $0.append($1.run([8]), to: "z") }
        ),
        (
            "append without sections", .noSections,
            {
                try $0.removeAllSections()
                try $0.append($1.run([8]))
            }
        ),
        (
            "remove nothing", .outOfBounds(IndexPath(section: 1, row: 0)),
            { snapshot, _ in
                try snapshot.remove(at: IndexPath(section: 1, row: 0))
            }
        ),
        (
            "remove an unknown row among known ones", .unknownID("9"),
            { snapshot, _ in
                try snapshot.remove(["1", "9"])
            }
        ),
        (
            "remove a row and then none", .outOfBounds(IndexPath(section: 0, row: 3)),
            { snapshot, _ in
                try snapshot.remove(
                    at: [(0, 0), (0, 3)].map { IndexPath(section: $0.0, row: $0.1) }
                )
            }
        ),
        (
            "move from nowhere", .outOfBounds(IndexPath(section: 1, row: 0)),
            { snapshot, _ in
                try snapshot.move(
                    from: IndexPath(section: 1, row: 0),
                    to: IndexPath(section: 0, row: 0)
                )
            }
        ),
        (
            "move past the end of its own section", .outOfBounds(IndexPath(section: 0, row: 3)),
            { snapshot, _ in
                try snapshot.move(
                    from: IndexPath(section: 0, row: 0),
                    to: IndexPath(section: 0, row: 3)
                )
            }
        ),
        (
            "move past the end of another section", .outOfBounds(IndexPath(section: 1, row: 1)),
            { snapshot, _ in
                try snapshot.move(
                    from: IndexPath(section: 0, row: 0),
                    to: IndexPath(section: 1, row: 1)
                )
            }
        ),
        (
            "move to no section", .outOfBounds(IndexPath(section: -1, row: 0)),
            { snapshot, _ in
                try snapshot.move(
                    from: IndexPath(section: 0, row: 0),
                    to: IndexPath(section: -1, row: 0)
                )
            }
        ),
        (
            "move an unknown row", .unknownID("x"),
            { snapshot, _ in try snapshot.move("x", before: "1") }
        ),
        (
            "swap with nothing", .outOfBounds(IndexPath(section: 1, row: 0)),
            { snapshot, _ in
                try snapshot.swap(
                    at: IndexPath(section: 1, row: 0),
                    with: IndexPath(section: 0, row: 0)
                )
            }
        ),
        (
            "replace nothing", .outOfBounds(IndexPath(section: 0, row: 3)),
            {
                try $0.replace(
                    at: IndexPath(section: 0, row: 3),
                    with: Item(id: 9),
                    using: $1.items
                )
            }
        ),
        ("update an unknown row", .unknownID("9"), { try $0.update(Item(id: 9), using: $1.items) }),
        (
            "reload an unknown row", .unknownID("9"),
            { snapshot, _ in try snapshot.reload(["1", "9"]) }
        ),
        (
            "reconfigure an unknown row", .unknownID("9"),
            { snapshot, _ in try snapshot.reconfigure(["9"]) }
        ),
        (
            "a row again, before it",
            .duplicateID(
                "3",
                first: IndexPath(section: 0, row: 0),
                second: IndexPath(section: 0, row: 3)
            ),
            {
                try $0.insert($1.run([3]), at: IndexPath(section: 0, row: 0))
            }
        ),
        (
            "a row again, in another section",
            .duplicateID(
                "1",
                first: IndexPath(section: 0, row: 0),
                second: IndexPath(section: 1, row: 1)
            ),
            {
                try $0.append($1.run([8, 1]), to: "b")
            }
        ),
        (
            "a row twice in one insertion",
            .duplicateID(
                "8",
                first: IndexPath(section: 1, row: 0),
                second: IndexPath(section: 1, row: 2)
            ),
            {
                try $0.append($1.run([8, 9, 8]), to: "b")
            }
        ),
        (
            "an id of another type of model",
            .duplicateID(
                "1",
                first: IndexPath(section: 0, row: 0),
                second: IndexPath(section: 1, row: 0)
            ),
            {
                try $0.append($1.groups("1"), to: "b")
            }
        ),
        (
            "replace by a row that is there",
            .duplicateID(
                "1",
                first: IndexPath(section: 0, row: 0),
                second: IndexPath(section: 0, row: 1)
            ),
            {
                try $0.replace(
                    at: IndexPath(section: 0, row: 1),
                    with: Item(id: 1),
                    using: $1.items
                )
            }
        ),
        (
            "a section with a row that is there",
            .duplicateID(
                "4",
                first: IndexPath(section: 0, row: 0),
                second: IndexPath(section: 3, row: 0)
            ),
            {
                try $0.insert(Section("d", $1.run([4])), at: 0)
            }
        ),
        (
            "a section again", .duplicateSection("b", first: 0, second: 2),
            { try $0.insert(Section("b", $1.run([])), at: 0) }
        ),
        (
            "a section again, behind itself", .duplicateSection("a", first: 0, second: 3),
            { try $0.append(Section("a", $1.run([]))) }
        ),
        (
            "insert a section before the beginning", .sectionOutOfBounds(-1),
            { snapshot, _ in try snapshot.insert(Section("d"), at: -1) }
        ),
        (
            "insert a section behind the end", .sectionOutOfBounds(4),
            { snapshot, _ in try snapshot.insert(Section("d"), at: 4) }
        ),
        (
            "insert a section before an unknown one", .unknownSection("z"),
            { snapshot, _ in try snapshot.insert(Section("d"), before: "z") }
        ),
        (
            "remove a section before all", .sectionOutOfBounds(-1),
            { snapshot, _ in try snapshot.removeSection(at: -1) }
        ),
        (
            "remove an unknown section among known ones", .unknownSection("z"),
            { snapshot, _ in try snapshot.removeSections(["a", "z"]) }
        ),
        (
            "remove the rows of an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.removeRows(in: "z") }
        ),
        (
            "move a section to nowhere", .sectionOutOfBounds(3),
            { snapshot, _ in try snapshot.moveSection(from: 0, to: 3) }
        ),
        (
            "move a section from nowhere", .sectionOutOfBounds(-2),
            { snapshot, _ in try snapshot.moveSection(from: -2, to: 0) }
        ),
        (
            "move an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.moveSection("z", after: "a") }
        ),
        (
            "swap a section with none", .sectionOutOfBounds(7),
            { snapshot, _ in try snapshot.swapSections(at: 7, with: 0) }
        ),
        (
            "replace an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.replaceSection("z", with: Section("z")) }
        ),
        (
            "replace a section by one that is there", .duplicateSection("a", first: 0, second: 2),
            { snapshot, _ in
                try snapshot.replaceSection(at: 2, with: Section("a"))
            }
        ),
        (
            "describe an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.describeSection(SectionInfo("z")) }
        ),
        (
            "collapse an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.collapseSection("z") }
        ),
        (
            "reload an unknown section", .unknownSection("z"),
            { snapshot, _ in try snapshot.reloadSections(["a", "z"]) }
        ),
        (
            "a section at no place", .sectionOutOfBounds(3),
            { snapshot, _ in _ = try snapshot.section(at: 3) }
        ),
        (
            "the rows of a section at no place", .sectionOutOfBounds(-1),
            { snapshot, _ in _ = try snapshot.rowCount(inSection: -1) }
        ),
    ]
}
