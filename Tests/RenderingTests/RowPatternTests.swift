import Listings
import Testing

@testable import Rendering

@Suite("Rows of texts and numbers")
struct RowPatternTests {
    @Test("rows of texts follow a pattern, also where all of their bytes need an escape")
    func fullest() throws {
        var registry = ControllerRegistry()
        let registration = try registry.register(NoteController())
        let schema = try ListSchema(columns: NoteController().columns)
        var page = Page(list: "notes", schema: schema)
        page.begin(
            ListQuery(columns: [0, 1, 3], shape: .flow(limit: 1)),
            version: ListVersion(epoch: 1, counter: 1)
        )
        page.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
        let text = String(repeating: "\"", count: 32)
        let note = Note(id: "n", revision: nil, texts: [text, text, text, text])
        page.append(note, using: registration)
        try page.end()
        let context = ListingContext(title: "Notes", links: FixtureLinks(), schema: schema)
        let layout = HTMLRowLayout(page, in: context)
        #expect(layout.bare?.kinds[0].pattern != nil)
        let renderer = HTMLPageRenderer(site: Fixture.site)
        let html = Fixture.text { renderer.render(page, in: context, to: &$0) }
        // Its name, what stands below it, and both fields.
        let escaped = String(repeating: "&quot;", count: 32)
        #expect(html.split(separator: escaped, omittingEmptySubsequences: false).count == 5)
    }

    @Test("rows that follow a pattern are drawn as other rows are", arguments: UInt64(1)...40)
    func rows(_ seed: UInt64) throws {
        var generator = SplitMix64(state: seed)
        var registry = ControllerRegistry()
        let notes = try registry.register(NoteController())
        let names = try registry.register(NameController())
        let schema = try ListSchema(columns: NoteController().columns)
        var page = Page(list: "notes", schema: schema)
        for columns in [
            nil, [0], [0, 1], [1, 3, 0], [2], [2, 0], [0, 2], [3, 1], [0, 1, 0], [4], [4, 0],
            [0, 4, 1],
        ] {
            var query = ListQuery(columns: columns, shape: .flow(limit: 9))
            if generator.next(below: 2) == 0 { query.grouping = Grouping(column: 1) }
            page.begin(query, version: ListVersion(epoch: 1, counter: 1))
            let mayFail = generator.next(below: 3) == 0
            for section in 0..<3 {
                let id = SectionID("s\(section)")
                page.beginSection(SectionInfo(id: id, key: .named(id), header: "S"))
                for index in 0..<generator.next(below: 8) {
                    let isPlain = generator.next(below: 4) > 0
                    let number = section * 10 + index
                    let note = Note(
                        id: isPlain ? generator.id(number) : "n<\(number)",
                        revision: generator.revision(),
                        texts: (0..<4).map { _ in generator.cell() },
                        number: generator.number(),
                        fails: mayFail && generator.next(below: 6) == 0
                    )
                    if generator.next(below: 3) == 0 {
                        page.append(Name(note: note), using: names)
                    } else {
                        page.append(note, using: notes)
                    }
                }
            }
            try page.end()
            expectAlike(page, schema, "seed \(seed), columns \(columns ?? [])")
        }
    }

    @Test(
        "long pages are drawn as others are, wherever a row is not like the others",
        arguments: [
            [], [0], [1], [7], [8], [23, 24], [56], [63], [64], [119, 120, 121], [149],
            Array(0..<150),
            Array(stride(from: 0, to: 150, by: 2)),
        ]
    )
    func longPages(odd: [Int]) throws {
        for oddity in Oddity.allCases {
            var registry = ControllerRegistry()
            // The bytes of what is changed stay between the texts of two rows.
            var events = RowEvents<Note>()
            events.willRender = { context, row in
                if context.model.texts[0] == "<old>" { row.cells[0] = .text("new") }
            }
            let notes = try registry.register(NoteController(), on: events)
            let schema = try ListSchema(columns: NoteController().columns)
            var page = Page(list: "notes", schema: schema)
            page.begin(
                ListQuery(shape: .flow(limit: 150)),
                version: ListVersion(epoch: 1, counter: 1)
            )
            page.beginSection(SectionInfo(id: "all", key: .whole, header: nil))
            for number in 0..<150 {
                let note = Note(
                    id: "\(number)",
                    revision: 7,
                    texts: ["Name \(number)", "City", "a@example.org", "Note"]
                )
                page.append(odd.contains(number) ? oddity.applied(to: note) : note, using: notes)
            }
            try page.end()
            expectAlike(page, schema, "\(oddity) at \(odd)")
        }
    }

    /// Draws a page with rows that follow a pattern, and with each row by itself.
    private func expectAlike(_ page: borrowing Page, _ schema: ListSchema, _ sample: String) {
        let (atOnce, oneByOne) = (
            ListingContext(title: "Notes", links: FixtureLinks(), schema: schema),
            ListingContext(title: "Notes", links: FixtureLinks(hasStem: false), schema: schema)
        )
        let renderers: [any PageRenderer] = [
            HTMLPageRenderer(site: Fixture.site), JSONPageRenderer(),
        ]
        for renderer in renderers {
            let fast = Fixture.text { renderer.render(page, in: atOnce, to: &$0) }
            let slow = Fixture.text { renderer.render(page, in: oneByOne, to: &$0) }
            #expect(fast == slow, "\(sample)")
        }
    }

    /// What a row can have that others have not.
    enum Oddity: CaseIterable {
        case escapedText, longText, emptyName, escapedID, longID, longRevision, noRevision, changed

        fileprivate func applied(to note: Note) -> Note {
            var texts = note.texts
            var (id, revision) = (note.id, note.revision)
            switch self {
            case .escapedText: texts[1] = "\"<&"
            case .longText: texts[2] = String(repeating: "x", count: 33) + "&"
            case .emptyName: texts[0] = ""
            case .escapedID: id = "<\(id)"
            case .longID: id = String(repeating: "n", count: 33) + id
            case .longRevision: revision = 12_345_678_901_234_567
            case .noRevision: revision = nil
            case .changed: texts[0] = "<old>"
            }
            return Note(id: id, revision: revision, texts: texts)
        }
    }
}

extension SplitMix64 {
    /// An id of a row: a number, or a name that is longer than short texts are, or not.
    fileprivate mutating func id(_ index: Int) -> String {
        switch next(below: 3) {
        case 0: "\(index)"
        case 1: "n-\(index)"
        default: String(repeating: "n", count: 28 + next(below: 8)) + "\(index)"
        }
    }

    /// A revision, or nil.
    fileprivate mutating func revision() -> Int64? {
        [
            nil, 0, 7, 1_234, 99_999_999, 100_000_000, 9_999_999_999_999_999,
            10_000_000_000_000_000, .max, -1,
        ][next(below: 10)]
    }

    /// What stands in a column of numbers, most of them short ones.
    fileprivate mutating func number() -> CellValue {
        switch next(below: 12) {
        case 0: .null
        case 1: .text("many")
        case 2: .integer([-1, .min, .max, 1 << 53, 1 << 53 + 1][next(below: 5)])
        default: .integer([0, 7, 42, 1_234_567_890][next(below: 4)])
        }
    }

    /// A text, most of them without anything to escape; or nil.
    fileprivate mutating func cell() -> String? {
        switch next(below: 12) {
        case 0: nil
        case 1: ""
        case 2: text()
        case 3: String(repeating: "é", count: 14 + next(below: 5))
        default: String("abcdefghijklmnopqrstuvwxyz ABCDEFGHI".prefix(1 + next(below: 36)))
        }
    }
}

private struct Note: Identifiable, Sendable {
    let id: String
    let revision: Int64?
    let texts: [String?]
    var number: CellValue = .integer(1)
    var fails = false
}

/// Has fewer columns than a note.
private struct Name: Identifiable, Sendable {
    let note: Note
    var id: String { note.id }
}

private struct NameController: RowController {
    let kind = "name.row"
    let columns = [
        Column("age", type: .integer), Column("name", priority: 1), Column("note", priority: 3),
    ]

    func write(_ context: Context<Name>, to cells: inout CellBuffer) {
        cells.append(context.model.note.number)
        for text in context.model.note.texts.prefix(2) { cells.append(text) }
    }

    func revision(of model: Name) -> Int64? { model.note.revision }
}

private struct NoName: Error {}

private struct NoteController: RowController {
    let kind = "note.row"
    let columns = [
        Column("name", priority: 1), Column("city", isGroupable: true),
        Column("mail", type: .email), Column("note", priority: 3), Column("age", type: .integer),
    ]

    func write(_ context: Context<Note>, to cells: inout CellBuffer) throws {
        if context.model.fails { throw NoName() }
        for text in context.model.texts { cells.append(text) }
        let number = context.model.number
        // What people read instead is another reason not to follow a pattern.
        cells.append(number, display: number == .integer(42) ? "forty-two" : nil)
    }

    func revision(of model: Note) -> Int64? { model.revision }
}
