import Listings

/// Fills pages from a table, through a connection of its own.
final class TableReader<Model>: ListReader
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    private let list: String
    private let session: any TableSession
    private let schema: ListSchema
    private let registration: Registration<Model>
    private let budgets: ReadingBudgets
    private let decode: @Sendable (Record) -> Model
    private var counts = SectionCounts()

    init(
        list: String,
        session: any TableSession,
        schema: ListSchema,
        registration: Registration<Model>,
        budgets: ReadingBudgets,
        decode: @escaping @Sendable (Record) -> Model
    ) {
        self.list = list
        self.session = session
        self.schema = schema
        self.registration = registration
        self.budgets = budgets
        self.decode = decode
    }

    var hasOutline: Bool { registration.events.children != nil }

    func version() throws(SourceError) -> ListVersion {
        do { return try session.version() } catch { throw error.sourceError }
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        try readRows(query, into: &page)
        try page.end()
    }

    private func readRows(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        do {
            let version = try session.beginReading()
            defer { session.endReading() }
            page.begin(query, version: version)
            counts.begin(version)
            let plan = session.reading.plan(for: query)
            let keys = try session.reading.connection.within(budgets.rows) {
                () throws(ReadingError) in
                try SectionSelection(query, session.reading).keys(plan)
            }
            let outline = try session.reading.connection.within(budgets.rows) {
                () throws(ReadingError) in
                try readOutline(of: query, plan, keys)
            }
            fill(&page, with: outline, query)
            try session.reading.connection.within(budgets.counts) { () throws(ReadingError) in
                try count(&page, plan, keys)
            }
        } catch {
            throw error.sourceError
        }
    }

    private func readOutline(
        of query: ListQuery,
        _ plan: OrderPlan,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> PageOutline {
        switch query.shape {
        case .flow(let limit):
            try session.reading.flow(
                TableReading.FlowQuestion(
                    plan: plan,
                    keys: keys,
                    limit: registration.modelCount(forRows: limit),
                    start: registration.start(query.start, limit: limit)
                )
            )
        case .peek(let limit, let rows):
            try session.reading.peek(
                TableReading.PeekQuestion(
                    plan: plan,
                    keys: keys,
                    limit: limit,
                    rows: registration.modelCount(forRows: rows),
                    start: query.start
                )
            )
        }
    }

    private func fill(_ page: inout Page, with outline: PageOutline, _ query: ListQuery) {
        for section in outline.sections {
            page.beginSection(
                schema.section(section.key, grouping: query.grouping),
                isContinued: section.isContinued
            )
            for record in section.records {
                page.append(decode(Record(outline.batch, at: record)), using: registration)
            }
            guard section.hasMore else { continue }
            let restricted = query.restricted(to: section.key, limit: 1)
            let signature = restricted.signature(of: list, schema: schema)
            let next = section.last.map {
                Cursor(signature: signature, section: $0.section, row: $0.row)
            }
            page.updateSection {
                $0.hasMore = true
                $0.next = next
            }
        }
        let signature = query.signature(of: list, schema: schema)
        page.previous = outline.previous.map {
            Cursor(signature: signature, section: $0.section, row: $0.row)
        }
        page.next = outline.next.map {
            Cursor(signature: signature, section: $0.section, row: $0.row)
        }
    }

    /// Adds the counts that the time allows: of the sections on the page, then of all pages.
    private func count(
        _ page: inout Page,
        _ plan: OrderPlan,
        _ keys: [CellValue]?
    ) throws(ReadingError) {
        for index in page.sections.indices {
            guard case .value(let key) = page.sections[index].info.key else { continue }
            let count = try counts.count(key, plan, session.reading)
            page.updateSection(at: index) { $0.count = count.map(rows) }
        }
        page.total = try total(plan, keys).map(rows)
        for index in page.sections.indices where page.sections[index].info.key == .whole {
            let total = page.total
            page.updateSection(at: index) { $0.count = total }
        }
    }

    /// The rows of so many models.
    private func rows(_ models: Int) -> Count { Count(models * registration.rowsPerModel) }

    private func total(_ plan: OrderPlan, _ keys: [CellValue]?) throws(ReadingError) -> Int? {
        guard let keys else { return try counts.total(session.reading) }
        var total = 0
        for key in keys {
            guard let count = try counts.count(key, plan, session.reading) else { return nil }
            total += count
        }
        return total
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        guard try readModel(id, grouping: grouping, into: &page) else { return false }
        try page.end()
        return true
    }

    private func readModel(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        guard let (model, part) = registration.model(ofRow: id) else { return false }
        do {
            let version = try session.beginReading()
            defer { session.endReading() }
            let query = ListQuery(grouping: grouping, shape: .flow(limit: 1))
            page.begin(query, version: version)
            let reading = session.reading
            let found = try reading.connection.within(budgets.rows) { () throws(ReadingError) in
                try reading.record(model, grouping: grouping)
            }
            guard let found else { return false }
            page.beginSection(schema.section(found.section, grouping: grouping))
            page.append(
                part: part,
                of: decode(Record(found.batch, at: 0)),
                using: registration
            )
            return true
        } catch {
            throw error.sourceError
        }
    }
}
