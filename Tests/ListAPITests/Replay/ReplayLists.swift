import ListAPITestSupport
import Listings
import Locks
import MemoryLists

final class ReplayLists {
    /// Registrations whose rows have rows of the same below them, kept for good.
    private static let kept = Locked<[Locked<Registration<ReplayModel>?>]>([])

    let lists: [ListDefinition]
    private let gallery: DataSource
    private let desk: DataSource
    private let specimens: Registration<ReplayModel>

    init() throws {
        var registry = ControllerRegistry()
        specimens = try registry.register(ReplayController())
        gallery = try Self.gallery(specimens)
        desk = try Self.desk()
        let schema = try ListSchema(columns: ReplayController.allColumns)
        lists = [
            ListDefinition(
                "gallery",
                title: "Gallery <of> \"all\" & more",
                source: DataSourceList(gallery, schema: schema)
            ),
            try Self.arranged(), try Self.edges(), try Self.short(),
            ListDefinition("desk", source: DataSourceList(desk, schema: try Self.deskSchema())),
            try Self.tree(), try Self.parts(), try Self.empty(),
        ]
    }

    func write() throws {
        let registration = specimens
        try gallery.update { snapshot in
            var specimen = ReplayModel.whole[0]
            specimen.cells["note"] = .text("A <changed> row")
            specimen.revision = 2
            try snapshot.update(specimen, using: registration)
            try snapshot.remove(["nothing"])
            let other = ReplayModel(id: "new", cells: ["name": .text("New"), "ok": .boolean(true)])
            try snapshot.insert(Run([other], using: registration), before: "largest")
        }
        try desk.update { try $0.remove(["n1"]) }
    }

    /// Cells of every type, in sections without any more to them.
    private static func gallery(_ specimens: Registration<ReplayModel>) throws -> DataSource {
        try DataSource(
            Snapshot([
                Section("whole", header: "Whole", Run(ReplayModel.whole, using: specimens)),
                Section(
                    SectionInfo(
                        "partial & more",
                        header: "Partial <&>",
                        footer: "The \"end\" & all."
                    ),
                    Run(ReplayModel.partial, using: specimens)
                ),
            ]),
            epoch: 0x1A
        )
    }

    /// The same cells, in sections and an order by values.
    private static func arranged() throws -> ListDefinition {
        var registry = ControllerRegistry()
        let controller = ReplayController("arranged.row", dependsOnModelAlone: true)
        let source = try MemorySource(
            models: ReplayModel.whole + ReplayModel.partial.filter { !$0.fails },
            using: registry.register(controller),
            schema: ListSchema(
                columns: controller.columns,
                defaultGrouping: Grouping(column: 0, part: .initial),
                defaultSort: [SortKey(.column(0)), SortKey(.column(2), .descending)]
            ),
            version: ListVersion(epoch: 0x1B, counter: 3)
        )
        return ListDefinition("arranged", source: source)
    }

    private static func edges() throws -> ListDefinition {
        var registry = ControllerRegistry()
        let columns = [Column("name"), Column("note")]
        let controller = ReplayController("edge.row", columns: columns)
        var models: [ReplayModel] = []
        for length in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128, 129] {
            for (number, character) in ["\"", "<", "é", "\u{1}", "x"].enumerated() {
                let text = String(repeating: "a", count: length - 1)
                models.append(
                    ReplayModel(
                        id: "\(length)-\(number)",
                        cells: [
                            "name": .text(text + character), "note": .text(character + text),
                        ]
                    )
                )
            }
        }
        let source = try MemorySource(
            models: models,
            using: registry.register(controller),
            schema: ListSchema(columns: columns, defaultLimit: 500),
            version: ListVersion(epoch: 0x1C, counter: 1)
        )
        return ListDefinition("edges", source: source)
    }

    /// Short texts and whole numbers only, of models that say all of their rows.
    private static func short() throws -> ListDefinition {
        var registry = ControllerRegistry()
        let columns = [
            Column("name"), Column("size", type: .integer, isGroupable: true), Column("note"),
        ]
        let controller = ReplayController(
            "short.row",
            columns: columns,
            dependsOnModelAlone: true
        )
        let models = (1...120).map { number in
            ReplayModel(
                id: "\(number)",
                cells: [
                    "name": .text("Name \(number * 7 % 120)"), "size": .integer(Int64(number % 4)),
                    "note": .text(["", "a & b", "<é>", "plain"][number % 4]),
                ],
                revision: Int64(number)
            )
        }
        let run = Run(models, using: try registry.register(controller))
        let source = DataSource(try Snapshot([Section("all", run)]), epoch: 0x1D)
        let schema = try ListSchema(columns: columns, idType: .integer, defaultLimit: 20)
        return ListDefinition("short", source: DataSourceList(source, schema: schema))
    }

    private static func parts() throws -> ListDefinition {
        let items = (1...5).map { Item(id: "p\($0)", title: "Part \($0)", shelf: "s", size: nil) }
        return ListDefinition(
            "parts",
            segments: try Segments(
                .init("open", source: MemorySource.items(items)),
                .init("old & gone", title: "Gone", source: MemorySource.items([items[0]]))
            )
        )
    }

    private static func empty() throws -> ListDefinition {
        try .items([], list: "empty")
    }

    private static func tree() throws -> ListDefinition {
        let bound = Locked<Registration<ReplayModel>?>(nil)
        kept.withLock { $0.append(bound) }
        let below = [
            "docs": ["guides", "R&D <x>"], "guides": ["a/b.json"],
            "notes": (1...60).map { "note \($0)" },
        ]
        var events = RowEvents<ReplayModel>()
        events.canExpand = { below[$0.model.id] != nil }
        events.children = { context in
            bound.withLock { registration in
                guard let ids = below[context.model.id], let registration else { return nil }
                return Run(ids.map { ReplayModel.named($0, "Title <\($0)>") }, using: registration)
            }
        }
        var registry = ControllerRegistry()
        let columns = [Column("name"), Column("note")]
        let registration = try registry.register(
            ReplayController("tree.row", columns: columns),
            on: events
        )
        bound.withLock { $0 = registration }
        let models = ["docs", "notes", "todo"].map { ReplayModel.named($0, "Top \($0)") }
        let section = Section("all", Run(models, using: registration))
        let source = DataSource(try Snapshot([section]), epoch: 0x1E)
        let schema = try ListSchema(columns: columns)
        return ListDefinition("tree", source: DataSourceList(source, schema: schema))
    }
}
