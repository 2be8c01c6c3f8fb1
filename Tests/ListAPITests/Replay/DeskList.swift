import Listings
import MemoryLists
import Rendering

extension ReplayLists {
    private static let columns = [
        Column("name", priority: 1, isGroupable: true), Column("size", type: .integer),
        Column("day", type: .date), Column("note", isSortable: false),
    ]

    /// The columns of the desk, whose sections are headed anew for each page.
    static func deskSchema() throws -> ListSchema {
        var events = SectionEvents()
        events.header = { context in
            context.section.info.header.map { "\($0), section <\(context.index + 1)>" }
        }
        events.footer = { context in
            if context.section.info.id == "broken" { throw ReplayController.Refusal() }
            return context.section.info.footer
        }
        return try ListSchema(columns: columns, maximumLimit: 100).on(sections: events)
    }

    static func desk() throws -> DataSource {
        var registry = ControllerRegistry()
        let plain = try registry.register(ReplayController("desk.row", columns: columns))
        let noted = try registry.register(
            NoteController(columns: columns),
            on: events()
        )
        let specimens = [
            ReplayModel(id: "d1", cells: ["name": .text("One"), "size": .integer(1)]),
            ReplayModel(id: "d2", cells: ["name": .text("<Two> & \"2\"")], fails: true),
            ReplayModel(id: "d3", cells: ["name": .text("Three"), "note": .text("a\nb")]),
        ]
        let notes = (1...6).map { Note(id: "n\($0)", name: "Note <\($0)>", size: Int64($0)) }
        return try DataSource(
            Snapshot([
                Section(
                    SectionInfo("first", header: "First", footer: "All of it.", indexTitle: "F"),
                    Run(specimens, using: plain),
                    Run(Array(notes[..<3]), using: noted)
                ),
                Section(SectionInfo("none & such", header: "", footer: "")),
                Section(
                    SectionInfo("shut", header: "Shut", indexTitle: "S", isCollapsed: true),
                    Run([ReplayModel(id: "s1"), ReplayModel(id: "s2")], using: plain)
                ),
                Section("broken", header: "Broken", Run(Array(notes[3...]), using: noted)),
            ]),
            epoch: 0x1F
        )
    }

    private static func events() -> RowEvents<Note> {
        var events = RowEvents<Note>()
        events.link = { context in
            switch context.model.id {
            case "n1": "/gallery?q=\(context.model.size)&x=<y>"
            case "n2": nil
            case "n3": "javascript:alert(1)"
            default: "https://example.org/\(context.model.id)"
            }
        }
        events.canOpen = { $0.model.id != "n4" }
        events.actions = { context in
            guard context.model.size != 2 else { return [] }
            return [
                RowAction("edit", method: .get), RowAction("mark", title: "Mark <b>"),
                RowAction(
                    "erase",
                    isDestructive: true,
                    confirm: "Erase \"\(context.model.name)\"?"
                ),
            ]
        }
        events.perform = { name, _ in .done(message: name) }
        events.willRender = { context, row in
            guard context.model.size == 5 else { return }
            row.cells[3] = .text("Written <later>")
            row.displays[1] = "five"
        }
        events.span = { $0.model.size == 6 ? 2 : nil }
        events.outline = { context in
            switch context.model.size {
            case 4: RowOutline(level: 0, isExpanded: true, toggle: "/desk?closed=n4")
            case 5: RowOutline(level: 1, isExpanded: false)
            default: nil
            }
        }
        return events
    }

    static func templates() throws -> TemplateSet {
        try TemplateSet(
            [
                "note.row.html":
                    "<b title=\"{{name}}\">{{name}}</b> <a href=\"{{link}}\">{{size}}</a> {{day}}",
                "header-first.html": "<h2>{{title}} ({{count}})</h2>",
                "footer-first.html": "<p>{{title}}</p>",
            ],
            kinds: ["note.row": columns, "desk.row": columns]
        )
    }

    struct Note: Identifiable, Sendable {
        var id: String
        var name: String
        var size: Int64
    }

    private struct NoteController: RowController {
        let kind = "note.row"
        let columns: [Column]

        func write(_ context: Context<Note>, to cells: inout CellBuffer) throws {
            cells.append(context.model.name)
            cells.append(context.model.size)
            cells.appendNull(display: context.model.size == 1 ? "No <day>" : nil)
            cells.append("\(context.model.name) & co")
        }

        func revision(of model: Note) -> Int64? { nil }
    }
}
