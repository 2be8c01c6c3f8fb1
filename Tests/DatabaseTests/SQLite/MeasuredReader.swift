import Database
import Listings
import SQLite
import Testing

/// One thread's way to ask for pages and to see what they took.
struct MeasuredReader {
    let session: FileSession
    let reader: any ListReader
    let schema: ListSchema

    init(_ list: ListFixture, budgets: ReadingBudgets = .ample) throws {
        schema = list.schema
        var registry = ControllerRegistry()
        let source = TableSource(
            location: list.writer.location,
            table: list.table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: "people", columns: schema.columns)
            ),
            budgets: budgets
        )
        session = try #require(try source.openSession() as? FileSession)
        reader = source.makeReader(through: session)
    }

    func work(_ query: ListQuery) throws -> (work: EngineStatistics, rows: Int) {
        var page = Page(list: "people", schema: schema)
        try reader.read(query, into: &page)
        session.connection?.work = EngineStatistics()
        try reader.read(query, into: &page)
        return (session.connection?.work ?? EngineStatistics(), page.rowCount)
    }

    func firstWork(_ query: ListQuery) throws -> (work: EngineStatistics, rows: Int) {
        var page = Page(list: "people", schema: schema)
        session.connection?.work = EngineStatistics()
        try reader.read(query, into: &page)
        return (session.connection?.work ?? EngineStatistics(), page.rowCount)
    }

    /// The cursors on both sides of a place.
    func cursor(after location: Int, _ query: ListQuery) throws -> Cursor {
        var query = query
        query.shape = .flow(limit: 1)
        query.start = .offset(location - 1)
        var page = Page(list: "people", schema: schema)
        try reader.read(query, into: &page)
        let next = page.next
        return try #require(next)
    }

    struct Seen: Equatable {
        let ids: [[String]]
        let total: Count?
        let previous: Cursor?
        let next: Cursor?
    }

    func page(_ query: ListQuery) throws -> Seen {
        var page = Page(list: "people", schema: schema)
        try reader.read(query, into: &page)
        return Seen(ids: ids(page), total: page.total, previous: page.previous, next: page.next)
    }

    func walk(_ query: ListQuery, _ first: ListQuery.Start = .beginning) throws -> [String] {
        var query = query
        query.start = first
        var found: [String] = []
        var page = Page(list: "people", schema: schema)
        while true {
            try reader.read(query, into: &page)
            found += ids(page).flatMap(\.self)
            guard let next = page.next else { return found }
            query.start = .after(next)
        }
    }
}
