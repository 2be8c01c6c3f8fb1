import Bytes
import Listings

@testable import Rendering

/// A model whose cells are given as they are.
struct Person: Identifiable, Sendable {
    let id: String
    var name: String? = "Barbara Allen"
    var email: String? = "u19@example.org"
    var site: String?
    var age: Int64?
    var score: Double?
    var active: Bool?
    var since: CalendarDate?
    /// What is shown in place of a missing age.
    var ageDisplay: String?
    var revision: Int64?
    var fails = false
}

struct PersonController: RowController {
    struct Failure: Error {}

    let kind = "person.row"
    let columns = [
        Column("name", priority: 1, isGroupable: true),
        Column("email", type: .email),
        Column("site", type: .link),
        Column("age", type: .integer, priority: 3),
        Column("score", type: .real, priority: 3, isSortable: false),
        Column("active", type: .boolean, isGroupable: true),
        Column("since", type: .date, priority: 3),
    ]

    func write(_ context: Context<Person>, to cells: inout CellBuffer) throws {
        let person = context.model
        if person.fails { throw Failure() }
        cells.append(person.name)
        cells.append(person.email)
        cells.append(person.site)
        let age = person.age.map(CellValue.integer) ?? .null
        cells.append(age, display: person.ageDisplay)
        cells.append(person.score.map(CellValue.real) ?? .null)
        cells.append(person.active.map(CellValue.boolean) ?? .null)
        cells.append(person.since.map(CellValue.date) ?? .null)
    }

    func revision(of model: Person) -> Int64? { model.revision }
}

/// Addresses that are easy to recognise; rows are named by their id as it is, so that escaping is
/// left to the renderers.
struct FixtureLinks: PageLinks {
    /// Whether the addresses of rows are said to end with their ids.
    var hasStem = true

    func write(_ link: PageLink, to buffer: inout ByteBuffer) {
        switch link {
        case .list: buffer.append("/people")
        case .current: buffer.append("/people?limit=4&current")
        case .first: buffer.append("/people?limit=4")
        case .last: buffer.append("/people?limit=4&before=end")
        case .after(let cursor, let rows):
            write("/people?limit=4&after=", cursor, to: &buffer)
            if let rows { buffer.append("~\(rows)") }
        case .before(let cursor, let rows):
            write("/people?limit=4&before=", cursor, to: &buffer)
            if let rows { buffer.append("~\(rows)") }
        case .page(let page): buffer.append("/people?limit=4&page=\(page)")
        case .alternate(let format): buffer.append("/people.\(format.rawValue)?limit=4")
        case .sorted(let keys):
            let text = keys.map { $0.text(schema) }.joined(separator: ",")
            buffer.append("/people?limit=4&sort=\(text)")
        case .grouped(let grouping):
            let name = grouping.map { schema.columns[$0.column].id } ?? "none"
            let part = grouping?.part == .initial ? ":initial" : ""
            buffer.append("/people?limit=4&group=\(name)\(part)")
        case .merged: buffer.append("/people?limit=4&group=none")
        case .limited(let limit): buffer.append("/people?limit=\(limit)")
        case .narrowed(let filters, let search):
            buffer.append("/people?limit=4")
            if let search { buffer.append("&q=\(search.text)") }
            for filter in filters {
                let id = schema.name(of: filter.field)
                let operands = filter.operands.map(\.plainText).joined(separator: ",")
                buffer.append("&\(id)__\(filter.operation.rawValue)=\(operands)")
            }
        case .unrelated(let filter): buffer.append("/people?limit=4&without=\(filter.name)")
        case .counted(let counting): buffer.append("/people?count=\(counting.rawValue)")
        case .facet(let path): buffer.append("/people?facets=\(path)")
        case .withoutFacet(let column):
            buffer.append("/people?facets=without-\(schema.columns[column].id)")
        case .letter(let letter): buffer.append("/people?jump=\(letter)")
        case .narrowingForm: buffer.append("/people/-/narrow")
        case .section(let id): buffer.append("/people/-/sections/\(id.rawValue)")
        case .sectionAfter(let id, let cursor):
            write("/people/-/sections/\(id.rawValue)?after=", cursor, to: &buffer)
        case .sections: buffer.append("/people/-/sections")
        case .schema: buffer.append("/people/-/schema")
        case .refresh: buffer.append("/people/-/refresh")
        case .changes: buffer.append("/people/-/changes?limit=4")
        case .foldingSection(let key): buffer.append("/people?collapsed=\(key.plainID)")
        case .inLayout(let layout): buffer.append("/people?layout=\(layout.rawValue)")
        }
    }

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        buffer.append("/people/")
        buffer.append(id)
        buffer.append("/-/\(name)")
    }

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        buffer.append("/people/")
        buffer.append(id)
    }

    func writeAddress(_ address: String, to buffer: inout ByteBuffer) { buffer.append(address) }

    func writeRowStem(to buffer: inout ByteBuffer) -> Bool {
        if hasStem { buffer.append("/people/") }
        return hasStem
    }

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer) {
        buffer.append("/people/-/actions/\(name)")
    }

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeRow(id, to: &buffer)
        buffer.append("/-/children")
    }

    /// Whether cells of bytes have addresses.
    var linksCells = true

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        writeRow(id, to: &buffer)
        buffer.append("/-/cells/\(schema.columns[column].id)")
    }

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer) {
        buffer.append("/people?expanded=")
        buffer.append(id)
    }

    func parameters(of link: PageLink) -> [(name: String, value: String)] { [("limit", "4")] }

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer) {
        for value in cursor.row?.values ?? [] { buffer.append(value.plainText) }
        buffer.append("~")
        buffer.append(cursor.section.plainID.rawValue)
    }

    private func write(_ address: String, _ cursor: Cursor, to buffer: inout ByteBuffer) {
        buffer.append(address)
        writeCursor(cursor, to: &buffer)
    }

    private let schema = Fixture.schema
}

struct PeopleSection {
    var key = SectionKey.whole
    var people: [Person]
    var header: String?
    var footer: String?
    var count: Count?
    var isContinued = false
    var hasMore = false
    var indexTitle: String?
    var isCollapsed = false
}

enum Fixture {
    static let registration = registration(on: RowEvents())

    static func registration(on events: RowEvents<Person>) -> Registration<Person> {
        var registry = ControllerRegistry()
        do {
            return try registry.register(PersonController(), on: events)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static let schema: ListSchema = {
        do {
            return try ListSchema(columns: PersonController().columns)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static var context: RenderContext {
        RenderContext(title: "People", links: FixtureLinks(), schema: schema)
    }

    static let site = SiteAssets(
        stylesheet: "/-/assets/style.css",
        script: "/-/assets/list.js",
        icon: "/-/assets/favicon.svg",
        directory: "/"
    )

    static func page(
        _ sections: [PeopleSection],
        query: ListQuery = ListQuery(shape: .flow(limit: 4)),
        total: Count? = nil,
        previous: Cursor? = nil,
        next: Cursor? = nil,
        events: RowEvents<Person>? = nil
    ) -> Page {
        let registration = events.map(Self.registration) ?? registration
        var page = Page(list: "people", schema: schema)
        var query = query
        // Tables name every row, so that tests can tell them apart.
        let columns = query.columns ?? Array(schema.columns.indices)
        query.fields = query.fields ?? [.section, .id] + columns.map(RowField.column)
        page.begin(query, version: ListVersion(epoch: 0x7F, counter: 0x3A))
        for section in sections {
            page.beginSection(
                SectionInfo(
                    id: section.key.plainID,
                    key: section.key,
                    header: section.header,
                    footer: section.footer,
                    indexTitle: section.indexTitle,
                    isCollapsed: section.isCollapsed
                ),
                isContinued: section.isContinued
            )
            for person in section.people { page.append(person, using: registration) }
            page.updateSection { known in
                known.count = section.count
                known.hasMore = section.hasMore
                known.next = section.hasMore ? cursor("more", in: section.key) : nil
            }
        }
        do { try page.end() } catch { preconditionFailure("\(error)") }
        page.total = total
        page.previous = previous
        page.next = next
        return page
    }

    /// A page of one person in a list without sections.
    static func page(_ person: Person) -> Page { page([PeopleSection(people: [person])]) }

    static func cursor(_ id: String, in key: SectionKey = .whole) -> Cursor {
        Cursor(signature: 1, section: key, row: Cursor.Row(values: [.text(id)]))
    }

    static func json(_ page: borrowing Page, links: FixtureLinks = FixtureLinks()) -> String {
        let context = RenderContext(title: "People", links: links, schema: schema)
        context.suggestsWrites = true
        return text { JSONPageRenderer().render(page, in: context, to: &$0) }
    }

    static func html(
        _ page: borrowing Page,
        layout: PageLayout = .table,
        templates: TemplateSet = TemplateSet(),
        links: FixtureLinks = FixtureLinks()
    ) -> String {
        let context = RenderContext(
            title: "People",
            links: links,
            schema: schema,
            layout: layout
        )
        if layout == .grid { context.layouts = PageLayout.allCases }
        context.suggestsWrites = true
        let renderer = HTMLPageRenderer(site: site, templates: templates)
        return text { renderer.render(page, in: context, to: &$0) }
    }

    static func csv(_ page: borrowing Page, formulas: CSVWriter.Formulas = .kept) -> String {
        text { buffer in
            CSVRowRenderer(formulas: formulas).renderStart(of: page, to: &buffer)
            CSVRowRenderer(formulas: formulas).renderRows(of: page, to: &buffer)
        }
    }

    static func ndjson(_ page: borrowing Page) -> String {
        text { buffer in
            NDJSONRowRenderer().renderStart(of: page, to: &buffer)
            NDJSONRowRenderer().renderRows(of: page, to: &buffer)
        }
    }

    static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer()
        write(&buffer)
        return buffer.text()
    }
}

extension SectionKey {
    /// The name of a section whose key reads as itself.
    var plainID: SectionID {
        switch self {
        case .whole: "all"
        case .named(let id): id
        case .value(let value): SectionID(Column("any", isMixed: true).name(of: value))
        }
    }
}
