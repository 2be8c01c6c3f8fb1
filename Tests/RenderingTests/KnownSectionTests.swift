import Listings
import TestSupport
import Testing

@testable import Rendering

@Suite("Sections that were drawn before")
struct KnownSectionTests {
    @Test(
        "pages of one question are drawn as if each were the first, and its rows not kept",
        arguments: UInt64(1)...20
    )
    func pages(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let shelves = [3, 12, 100][Int.random(in: 0..<3, using: &generator)]
        // Of some lists no title needs an escape, and no shelf.
        let isPlain = seed.isMultiple(of: 2)
        let books = (0..<150).map { id in
            let shelf = Int.random(in: 0..<shelves, using: &generator)
            let isOdd = !isPlain && Int.random(in: 0..<30, using: &generator) == 0
            return Book(
                id: id,
                shelf: [isPlain ? "\(shelf)" : "<\(shelf)>", "O'\(shelf)", "P\(shelf)"][shelf % 3],
                title: isOdd ? ["\"\(id)\\", "a&b", "a\u{7F}", "\n"][id % 4] : "é\(id)"
            )
        }
        let schema = try ListSchema(columns: BookController().columns, idType: .integer)
        // A further state of the list has other counts, fewer letters, and otherwise the same sections.
        func readers(_ controller: BookController) throws -> [any ListReader] {
            var registry = ControllerRegistry()
            let registration = try registry.register(controller)
            return try [books, books.filter { $0.id % 3 > 0 && !$0.shelf.hasPrefix("P") }]
                .map { books in
                    let dataSource = try DataSource(models: books, using: registration)
                    return try DataSourceList(dataSource, schema: schema).makeReader()
                }
        }
        let kept = try readers(BookController())
        let written = try readers(BookController(dependsOnModelAlone: false))
        let templates = try TemplateSet(
            ["header-%3C0%3E.html": "{{title}} ({{count}})"],
            kinds: [:]
        )
        let html = [TemplateSet(), templates].map {
            HTMLPageRenderer(site: Fixture.site, templates: $0)
        }
        let drawings = [
            Drawing(renderer: JSONPageRenderer(), layout: .table, schema: schema),
            Drawing(renderer: html[0], layout: .table, schema: schema),
            Drawing(renderer: html[1], layout: .table, schema: schema),
            Drawing(renderer: html[1], layout: .grid, schema: schema),
        ]
        var page = Page(list: "books", schema: schema)
        var lentPages = 0
        for step in 0..<24 {
            var query = ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 20))
            query.start = .offset(Int.random(in: 0..<100, using: &generator))
            if step.isMultiple(of: 5) { query.shape = .peek(limit: 9, rows: 2) }
            if step.isMultiple(of: 5) { query.start = .offset(step % 2) }
            if step.isMultiple(of: 7) { query.counting = .off }
            if step.isMultiple(of: 3) { query.facets = [0] }
            query.wantsLetters = step.isMultiple(of: 2)
            let drawing = drawings[step % drawings.count]
            // What is asked again is drawn of what is known, and of what has changed since.
            for ask in 0..<4 {
                let state = Int.random(in: 0..<2, using: &generator)
                let fresh = drawing.context()
                fresh.duration = [nil, 40, 60, 130].randomElement(using: &generator) ?? nil
                drawing.known.duration = fresh.duration
                try written[state].read(query, into: &page)
                page.nameWindow(list: 1, question: 2)
                let expected = Fixture.text { drawing.renderer.render(page, in: fresh, to: &$0) }
                page.lendsRows = Bool.random(using: &generator)
                try kept[state].read(query, into: &page)
                page.lendsRows = false
                page.nameWindow(list: 1, question: 2)
                if page.hasLentRows,
                    !drawing.renderer.drawsLentRows(of: page, in: drawing.known)
                {
                    page.gatherLentRows()
                }
                lentPages += page.hasLentRows ? 1 : 0
                let drawn = Fixture.text {
                    drawing.renderer.render(page, in: drawing.known, to: &$0)
                }
                #expect(drawn == expected, "seed \(seed), step \(step), ask \(ask)")
            }
        }
        #expect(lentPages > 10 || !isPlain)
    }
}

extension KnownSectionTests {
    @Test("rows that are lent are gathered for a large page, which tells the widths of its columns")
    func largePages() throws {
        let schema = try ListSchema(columns: BookController().columns, idType: .integer)
        var registry = ControllerRegistry()
        let books = try registry.register(BookController())
        let models = (0..<1000).map { Book(id: $0, shelf: "\($0 % 3)", title: "t\($0)") }
        let dataSource = try DataSource(sections: [Section("a", Run(models, using: books))])
        let reader = try DataSourceList(dataSource, schema: schema).makeReader()
        let renderer = HTMLPageRenderer(site: Fixture.site)
        for (limit, isDrawn) in [(100, true), (900, false)] {
            let context = ListingContext(title: "Books", links: FixtureLinks(), schema: schema)
            var page = Page(list: "books", schema: schema)
            page.lendsRows = true
            let columns = (0..<12).map { $0 % schema.columns.count }
            let query = ListQuery(columns: columns, shape: .flow(limit: limit))
            try reader.read(query, into: &page)
            let (isLent, draws) = (page.hasLentRows, renderer.drawsLentRows(of: page, in: context))
            #expect(isLent && draws == isDrawn)
        }
    }

    @Test("rows of several runs and kinds are drawn where they are kept as on a page of their own")
    func severalRuns() throws {
        let schema = try ListSchema(columns: BookController().columns, idType: .integer)
        var registry = ControllerRegistry()
        let books = try registry.register(BookController())
        var otherRegistry = ControllerRegistry()
        let atlases = try otherRegistry.register(BookController(kind: "atlas.row"))
        func some(_ ids: Range<Int>) -> [Book] {
            ids.map { Book(id: $0, shelf: "\($0 % 3)", title: "t\($0 * 7 % 100)") }
        }
        let dataSource = try DataSource(sections: [
            Section(
                "a",
                header: "A",
                Run(some(0..<25), using: books),
                Run(some(25..<45), using: atlases)
            ),
            Section("b", header: "B", Run(some(45..<60), using: books)),
            Section("c", header: "C", Run(some(60..<90), using: books)),
        ])
        let reader = try DataSourceList(dataSource, schema: schema).makeReader()
        var page = Page(list: "books", schema: schema)
        for renderer in [JSONPageRenderer(), HTMLPageRenderer(site: Fixture.site)]
            as [any PageRenderer]
        {
            for step in 0..<12 {
                var query = ListQuery(shape: .flow(limit: 60), start: .offset(step * 3))
                query.mergesSections = step.isMultiple(of: 2)
                if step % 3 == 1 { query.sort = [SortKey(.column(1))] }
                if step % 4 == 3 { query.grouping = Grouping(column: 0) }
                var drawn: [String] = []
                for lends in [false, true] {
                    let context = ListingContext(
                        title: "Books",
                        links: FixtureLinks(),
                        schema: schema
                    )
                    page.lendsRows = lends
                    try reader.read(query, into: &page)
                    #expect(page.hasLentRows == lends)
                    let isDrawn = !lends || renderer.drawsLentRows(of: page, in: context)
                    #expect(isDrawn)
                    drawn.append(Fixture.text { renderer.render(page, in: context, to: &$0) })
                }
                #expect(drawn[0] == drawn[1], "step \(step)")
            }
        }
    }
}

/// Draws pages in one way, and keeps what it knows of them.
private struct Drawing {
    let renderer: any PageRenderer
    let layout: PageLayout
    let schema: ListSchema
    let known: ListingContext

    init(renderer: some PageRenderer, layout: PageLayout, schema: ListSchema) {
        self.renderer = renderer
        self.layout = layout
        self.schema = schema
        known = Self.context(layout, schema)
    }

    func context() -> ListingContext { Self.context(layout, schema) }

    private static func context(_ layout: PageLayout, _ schema: ListSchema) -> ListingContext {
        let context = ListingContext(
            title: "Books",
            links: FixtureLinks(),
            schema: schema,
            layout: layout
        )
        context.canCollapse = true
        return context
    }
}

private struct Book: Identifiable, Sendable {
    let id: Int
    let shelf: String
    let title: String
}

private struct BookController: RowController {
    var kind = "book.row"
    let columns = [Column("shelf", isGroupable: true), Column("title")]
    var dependsOnModelAlone = true

    func write(_ context: Context<Book>, to cells: inout CellBuffer) {
        cells.append(context.model.shelf)
        cells.append(context.model.title)
    }

    func revision(of model: Book) -> Int64? { model.id % 40 == 7 ? 12_345_678_901 : 3 }
}
