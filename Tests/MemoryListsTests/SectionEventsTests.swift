import Listings
import Locks
import MemoryLists
import Testing

@Suite("Events of headers and footers")
struct SectionEventsTests {
    struct Fault: Error {}

    private func page(
        _ events: SectionEvents,
        _ query: ListQuery = ListQuery(shape: .flow(limit: 3)),
        onFailure: @escaping @Sendable (RowFailure) -> Void = { _ in }
    ) throws -> [SectionInfo] {
        let registered = try Registrations()
        let source = try DataSource(sections: [
            Section(SectionInfo("one", header: "One", footer: "end"), registered.run([1, 2])),
            Section("two", registered.run([3, 4])),
            Section(SectionInfo("shut", header: "Shut", isCollapsed: true), registered.run([5])),
        ])
        let schema = try ListSchema(columns: ItemController().columns, idType: .integer)
        let list = DataSourceList(source, schema: schema.on(sections: events))
        var page = Page(list: "items", schema: list.schema)
        page.onFailure = onFailure
        try list.makeReader().read(query, into: &page)
        return page.sections.map(\.info)
    }

    @Test("what is not set leaves the sections as their source describes them")
    func unset() throws {
        let plain = try page(SectionEvents())
        #expect(plain.map(\.header) == ["One", nil])
        #expect(plain.map(\.footer) == ["end", nil])
        var events = SectionEvents()
        events.footer = { _ in nil }
        let sections = try page(events)
        #expect(sections.map(\.header) == ["One", nil])
        #expect(sections.map(\.footer) == [nil, nil])
    }

    @Test("all sections of a page are told at once, before any of them is described")
    func prefetch() throws {
        let calls = Locked<[String]>([])
        var events = SectionEvents()
        events.prefetch = { contexts in
            let names = contexts.map { "\($0.index)\($0.section.info.id)\($0.section.rows.count)" }
            calls.withLock { $0.append(names.joined(separator: " ")) }
        }
        events.header = { context in
            calls.withLock { $0.append("header \(context.section.info.id)") }
            return context.section.count.map { "\($0.value) rows" }
        }
        let sections = try page(events)
        #expect(calls.withLock { $0 } == ["0one2 1two1", "header one", "header two"])
        #expect(sections.map(\.header) == ["2 rows", "2 rows"])
    }

    @Test("the last word on a section is had when all else is known, but not on its rows")
    func willRender() throws {
        var events = SectionEvents()
        events.header = { "<\($0.section.info.id)>" }
        events.willRender = { context, info in
            info.header = (info.header ?? "") + (context.section.hasMore ? " …" : "")
            info.indexTitle = "\(context.index)"
            info.isCollapsed.toggle()
        }
        let sections = try page(events, ListQuery(shape: .flow(limit: 3)))
        #expect(sections.map(\.header) == ["<one>", "<two> …"])
        #expect(sections.map(\.indexTitle) == ["0", "1"])
        #expect(sections.map(\.isCollapsed) == [false, false])
        let all = try page(events, ListQuery(shape: .peek(limit: 9, rows: 1)))
        #expect(all.map(\.isCollapsed) == [false, false, true])
    }

    @Test("a section whose event throws stays as its source describes it, and is told")
    func failure() throws {
        let failures = Locked<[String]>([])
        let tell: @Sendable (RowFailure) -> Void = { failure in
            failures.withLock { $0.append("\(failure.id) \(failure.code.rawValue)") }
        }
        var events = SectionEvents()
        events.header = { context in
            guard context.index == 0 else { throw Fault() }
            return "first"
        }
        #expect(try page(events, onFailure: tell).map(\.header) == ["first", nil])
        events.prefetch = { _ in throw Fault() }
        #expect(try page(events, onFailure: tell).map(\.header) == ["One", nil])
        #expect(failures.withLock { $0 } == ["two section-failed", "one section-failed"])
    }
}
