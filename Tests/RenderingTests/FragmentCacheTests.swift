import Listings
import MemoryLists
import Rendering
import TestSupport
import Testing

@Suite("Fragments and row layouts that are kept")
struct FragmentCacheTests {
    @Test(
        "pages of one request are the same as if each were the first",
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
        var registry = ControllerRegistry()
        let registration = try registry.register(BookController())
        let readers = try [books, books.filter { $0.id % 3 > 0 && !$0.shelf.hasPrefix("P") }]
            .map { books in
                let dataSource = try DataSource(models: books, using: registration)
                return try DataSourceList(dataSource, schema: schema).makeReader()
            }
        let templates = try TemplateSet(
            ["header-%3C0%3E.html": "{{title}} ({{count}})"],
            kinds: [:]
        )
        let html = [TemplateSet(), templates].map {
            HTMLPageRenderer(site: Fixture.site, templates: $0)
        }
        let drawings = [
            RendererSetup(renderer: JSONPageRenderer(), layout: .table, schema: schema),
            RendererSetup(renderer: html[0], layout: .table, schema: schema),
            RendererSetup(renderer: html[1], layout: .table, schema: schema),
            RendererSetup(renderer: html[1], layout: .grid, schema: schema),
        ]
        var page = Page(list: "books", schema: schema)
        for step in 0..<24 {
            var query = ListQuery(grouping: Grouping(column: 0), shape: .flow(limit: 20))
            query.start = .offset(Int.random(in: 0..<100, using: &generator))
            if step.isMultiple(of: 5) { query.shape = .peek(limit: 9, rows: 2) }
            if step.isMultiple(of: 5) { query.start = .offset(step % 2) }
            if step.isMultiple(of: 7) { query.counting = .off }
            if step.isMultiple(of: 3) { query.facets = [0] }
            query.wantsLetters = step.isMultiple(of: 2)
            let drawing = drawings[step % drawings.count]
            let known = drawing.context(of: drawing.rowLayouts)
            known.keepFragments()
            for ask in 0..<4 {
                let state = Int.random(in: 0..<2, using: &generator)
                let fresh = drawing.context(of: RowLayoutCache())
                try readers[state].read(query, into: &page)
                page.nameWindow(list: 1, query: 2)
                let expected = Fixture.text { drawing.renderer.render(page, in: fresh, to: &$0) }
                let drawn = Fixture.text {
                    drawing.renderer.render(page, in: known, to: &$0)
                }
                #expect(drawn == expected, "seed \(seed), step \(step), ask \(ask)")
            }
        }
    }
}

private struct RendererSetup {
    let renderer: any PageRenderer
    let layout: PageLayout
    let schema: ListSchema
    let rowLayouts = RowLayoutCache()

    func context(of rowLayouts: RowLayoutCache) -> RenderContext {
        let context = RenderContext(
            title: "Books",
            links: FixtureLinks(),
            groupings: schema.columns.indices
                .filter { schema.columns[$0].isGroupable }
                .map { Grouping(column: $0) },
            layout: layout,
            rowLayouts: rowLayouts
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

    func write(_ context: Context<Book>, to cells: inout CellBuffer) {
        cells.append(context.model.shelf)
        cells.append(context.model.title)
    }

    func revision(of model: Book) -> Int64? { model.id % 40 == 7 ? 12_345_678_901 : 3 }
}
