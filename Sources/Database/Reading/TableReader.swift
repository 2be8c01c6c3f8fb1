import Listings

final class TableReader: ListReader {
    let session: any TableSession
    private let source: TableSource
    private var derived: [[DerivedColumn]: TableReader] = [:]
    private(set) var budgets: ReadingBudgets
    private var counts = SectionCounts()
    private var overview = QueryStatistics()
    private var generation = 0

    init(of source: TableSource, through session: any TableSession) {
        self.source = source
        self.session = session
        budgets = source.budgets
    }

    var schema: ListSchema { source.schema }

    private var registration: Registration<Record> { source.registration }

    private var finished: FinishedCounts { source.finishedCounts }

    private static let maximumDerived = 16

    func deriving(
        _ columns: [DerivedColumn]
    ) throws(TableSource.DerivationError) -> TableReader {
        if columns == schema.derived { return self }
        if let known = derived[columns] { return known }
        let wider = try source.deriving(columns, session.dialect)
        let reader = TableReader(of: wider, through: session)
        reader.budgets = budgets
        if derived.count >= Self.maximumDerived { derived.removeAll() }
        derived[columns] = reader
        return reader
    }

    var reading: TableQueries {
        session.reading.deriving(source.table, schema)
    }

    var isStale: Bool { source.isStale?() ?? false }

    var waitsForPrograms: Bool { session.waitsForPrograms }

    func limit(to times: ReadingTimes) { budgets.limit(to: times) }

    var abilities: ReaderAbilities {
        var abilities: ReaderAbilities = .bytes
        if registration.events.children != nil { abilities.insert(.children) }
        if registration.events.actions != nil { abilities.insert(.actions) }
        return abilities
    }

    func finishCounting(of query: ListQuery) {
        guard query.derived == schema.derived else {
            // Columns that cannot be derived have no page whose counts are missing.
            try? deriving(query.derived).finishCounting(of: query)
            return
        }
        let usual = budgets
        budgets.finishCounts()
        (counts.isPatient, overview.isPatient) = (true, true)
        var page = Page(list: "", schema: schema)
        let isRead = (try? read(query, into: &page)) != nil
        budgets = usual
        (counts.isPatient, overview.isPatient) = (false, false)
        // Rows that cannot be read now may be readable when the page is read again.
        guard isRead else { return }
        guard !page.isUnfinished else { return finished.giveUp(query) }
        generation = finished.keep(
            FinishedCounts.Findings(counts: counts, overview: overview)
        )
    }

    private func lacksCounts(_ page: borrowing Page) -> Bool {
        if page.aggregates.contains(nil) || page.query.statistics != page.statistics?.column
            || page.sections.contains(where: { $0.aggregates.contains(nil) })
            || page.facets.contains(where: { $0.isMissing })
        {
            return true
        }
        guard page.query.counting != .off else { return false }
        return page.total == nil || page.sections.contains { $0.count == nil }
    }

    func told(_ error: ReadingError) -> SourceError {
        let seconds = error.isOutOfTime ? source.secondsToIndexes?() ?? 0 : 0
        return seconds > 0 ? .indexing(seconds: seconds) : error.sourceError
    }

    func version() throws(SourceError) -> ListVersion {
        do { return lasting(try session.version()) } catch { throw told(error) }
    }

    func immediateVersion() throws(SourceError) -> ListVersion? {
        do throws(ReadingError) {
            return try session.immediateVersion().map(lasting)
        } catch {
            let maySucceedLater =
                error.isOutOfTime || error == .engine(.locked) || error == .engine(.redefined)
            if maySucceedLater { return nil }
            throw told(error)
        }
    }

    /// Returns a version, or a new one for each read of rows that change without one.
    private func lasting(_ version: ListVersion) -> ListVersion {
        source.table.isVolatile ? .random() : version
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        let reader: TableReader
        do { reader = try deriving(query.derived) } catch {
            throw .unavailable(reason: "\(error)")
        }
        do throws(SourceError) {
            try reader.readRows(query, into: &page)
            try page.end()
        } catch .duplicateRow where session.refuteKey() {
            throw told(.engine(.redefined))
        }
    }

    private func readRows(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        do throws(ReadingError) {
            let version = lasting(try session.beginReading())
            defer { session.endReading() }
            page.begin(query, version: version)
            page.isStale = isStale
            if let findings = finished.findings(of: version, after: generation) {
                (counts, overview) = (findings.counts, findings.overview)
                generation = findings.generation
            }
            counts.begin(version)
            overview.begin(version)
            if query.isNarrowed { reading.connection.dialect.prepareConditions() }
            defer { reading.table.sortedTimes = [] }
            let timeLimit = query.isBrief ? budgets.facets : budgets.rows
            let (outline, planned) = try reading.connection.within(timeLimit) {
                () throws(ReadingError) -> (PagePlan, PlannedQuery) in
                try overview.learnTimes(of: query, reading, within: timeLimit / 2)
                try reading.learnNulls(of: query, version)
                let keys = try reading.keys(ofSectionsIn: query)
                return try readOutline(of: query, keys)
            }
            fill(&page, with: outline, query)
            let isExact = query.counting == .exact
            let start = ContinuousClock.now
            defer { page.countingTime = ContinuousClock.now - start }
            let countingTime = isExact ? budgets.exactCounts : budgets.counts
            try reading.connection.within(countingTime) { () throws(ReadingError) in
                if query.counting != .off { try count(&page, planned) }
            }
            let facetTime = isExact ? budgets.exactCounts : budgets.facets
            try reading.connection.within(facetTime) { () throws(ReadingError) in
                let keys = planned.keys
                page.facets = try overview.facets(planned.query, keys, reading).map(rows)
                try aggregate(&page, planned)
                let letters = try overview.letters(planned.query, keys, planned.accessPath, reading)
                page.letters = letters ?? []
                page.isUnfinished = letters == nil || lacksCounts(page)
            }
            if !overview.isPatient, !reading.table.isVolatile, page.isUnfinished,
                finished.canFinish(query)
            {
                page.uncounted = query
            }
            // Statistics of the engine change without a new version.
            if !overview.isPatient, page.total?.relation == .estimate { page.isUnfinished = true }
        } catch {
            throw told(error)
        }
    }

    private struct PlannedQuery {
        let query: ListQuery
        let keys: [CellValue]?
        let accessPath: AccessPathChoice
        var count: Int?
    }

    private func readOutline(
        of query: ListQuery,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> (PagePlan, PlannedQuery) {
        var accessPaths = overview.accessPaths(query)
        if accessPaths.isEmpty {
            accessPaths = try reading.accessPaths(for: query) { (condition) throws(ReadingError) in
                try countMatches(condition)
            }
            overview.remember(accessPaths, for: query)
        }
        let last = accessPaths[accessPaths.count - 1]
        let budget =
            accessPaths.count == 1 || last == .gathered ? budgets.shortestTrial : try trial()
        for (number, accessPath) in accessPaths.dropLast().enumerated() {
            do {
                return try reading.connection.within(budget) { () throws(ReadingError) in
                    try readOutline(
                        of: PlannedQuery(query: query, keys: keys, accessPath: accessPath)
                    )
                }
            } catch {
                guard error.isOutOfTime else { throw error }
                overview.remember(Array(accessPaths[(number + 1)...]), for: query)
            }
        }
        guard last == .gathered else {
            return try readOutline(of: PlannedQuery(query: query, keys: keys, accessPath: last))
        }
        return try readGathered(query, keys)
    }

    /// Both together then take about twice the time of the better one, however many rows match.
    private func trial() throws(ReadingError) -> Duration {
        // The greatest row id says little of its rows.
        let rows = min(try counts.estimate(reading)?.value ?? 1_000_000, 1_000_000_000)
        let scan = budgets.attempt * rows / 1_000_000
        return max(budgets.shortestTrial, min(scan, budgets.rows / 8))
    }

    private func readOutline(
        of planned: PlannedQuery
    ) throws(ReadingError) -> (PagePlan, PlannedQuery) {
        let plan = reading.plan(for: planned.query, planned.accessPath)
        return (try readOutline(of: planned.query, plan, planned.keys), planned)
    }

    private func readGathered(
        _ query: ListQuery,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> (PagePlan, PlannedQuery) {
        if let named = try namedSections(query) {
            var rest = query
            rest.search = named.rest
            let keys = keys.map { $0.filter(named.keys.contains) } ?? named.keys
            return try readOutline(of: rest, keys)
        }
        guard let count = try reading.gather(query) else {
            return try readOutline(
                of: PlannedQuery(query: query, keys: keys, accessPath: .conditions)
            )
        }
        var planned = PlannedQuery(
            query: query,
            keys: count == 0 ? [] : keys,
            accessPath: .gathered
        )
        if query.filters.isEmpty, keys == nil, reading.conditions(of: query).isSearchGathered {
            planned.count = count
        }
        return try readOutline(of: planned)
    }

    /// Nil if the time of one access path does not suffice, because finding the rows would hardly
    /// be faster.
    private func namedSections(
        _ query: ListQuery
    ) throws(ReadingError) -> TableQueries.NamedSections? {
        let connection = reading.connection
        do {
            return try connection.within(budgets.attempt) { () throws(ReadingError) in
                try overview.sectionsNamed(by: query, reading)
            }
        } catch {
            let hasTime = connection.deadline.map { $0 > .now } ?? true
            guard error.isOutOfTime, hasTime else { throw error }
            return nil
        }
    }

    private func countMatches(_ query: ListQuery) throws(ReadingError) -> Int? {
        let count = try reading.connection.within(budgets.counts) { () throws(ReadingError) in
            try counts.count(SectionCounts.Subject(query), .capped) {
                (limit) throws(ReadingError) in
                try reading.count(
                    [],
                    of: KeysetRange([]),
                    reading.plan(for: query, .conditions),
                    .forwards,
                    atMost: limit
                )
            }
        }
        guard let count, count.relation == .exact, count.value <= ListQuery.countCap else {
            return nil
        }
        return count.value
    }

    private func readOutline(
        of query: ListQuery,
        _ plan: KeysetPlan,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> PagePlan {
        let letters = try keys == nil ? reading.letters(of: plan) : nil
        let keys = keys ?? letters
        return switch query.shape {
        case .flow(let limit):
            try reading.flow(
                TableQueries.RowFlowRequest(
                    plan: plan,
                    keys: keys,
                    limit: registration.modelCount(forRows: limit),
                    start: registration.start(query.start, limit: limit),
                    letterKey: schema.letterKey(of: query)
                )
            )
        case .peek(let limit, let rows):
            try SectionPages(reading: reading).peek(
                SectionPages.Request(
                    plan: plan,
                    keys: keys,
                    limit: limit,
                    rows: registration.modelCount(forRows: rows),
                    start: query.start,
                    letterKey: schema.letterKey(of: query),
                    isNarrowed: query.isNarrowed || letters != nil,
                    trial: { () throws(ReadingError) in try self.trial() }
                )
            )
        }
    }

    private func fill(_ page: inout Page, with outline: PagePlan, _ query: ListQuery) {
        for section in outline.sections {
            page.beginSection(
                schema.section(section.key, grouping: query.grouping),
                isContinued: section.isContinued
            )
            page.append(section.records, of: outline.batch, using: registration)
            guard section.hasMore else { continue }
            let signature = page.signature(ofSection: section.key)
            let next = section.last.map {
                Cursor(signature: signature, section: $0.section, row: $0.row)
            }
            page.updateSection {
                $0.hasMore = true
                $0.next = next
            }
        }
        let signature = page.signature()
        page.previous = outline.previous.map {
            Cursor(signature: signature, section: $0.section, row: $0.row, side: $0.side)
        }
        page.next = outline.next.map {
            Cursor(signature: signature, section: $0.section, row: $0.row)
        }
    }

    private func count(
        _ page: inout Page,
        _ planned: PlannedQuery
    ) throws(ReadingError) {
        for index in page.sections.indices {
            guard case .value(let key) = page.sections[index].info.key else { continue }
            let count = try count(of: key, planned)
            page.updateSection(at: index) { $0.count = count.map(rows) }
        }
        page.total = try total(planned).map(rows)
        for index in page.sections.indices where page.sections[index].info.key == .whole {
            let total = page.total
            page.updateSection(at: index) { $0.count = total }
        }
    }

    private func aggregate(
        _ page: inout Page,
        _ planned: PlannedQuery
    ) throws(ReadingError) {
        let query = planned.query
        let (width, reading) = (registration.rowsPerModel, self.reading)
        page.statistics = try overview.statistics(query, planned.keys, width: width, reading)
        guard !query.aggregates.isEmpty else { return }
        let all = try overview.aggregates(query, planned.keys, width: width, reading)
        page.aggregates = all
        for index in page.sections.indices {
            var values = all
            if case .value(let key) = page.sections[index].info.key {
                values = try overview.aggregates(query, section: key, nil, width: width, reading)
            }
            page.updateSection(at: index) { $0.aggregates = values }
        }
    }

    private func rows(_ models: Count) -> Count {
        Count(models.value * registration.rowsPerModel, models.relation)
    }

    private func rows(_ facet: Facet) -> Facet {
        guard registration.rowsPerModel > 1 else { return facet }
        let values = facet.values.map { Facet.Value($0.value, count: $0.count.map(rows)) }
        return Facet(column: facet.column, values: values, isComplete: facet.isComplete)
    }

    private func count(
        of key: CellValue,
        _ planned: PlannedQuery
    ) throws(ReadingError) -> Count? {
        let query = planned.query
        let range = KeysetRange([key.isNull ? .isNull : .equal])
        let subject = SectionCounts.Subject(query, section: key)
        return try counts.count(subject, query.counting) { (limit) throws(ReadingError) in
            let plan = reading.plan(for: query, planned.accessPath)
            return try reading.count([key], of: range, plan, .forwards, atMost: limit)
        }
    }

    private func total(_ planned: PlannedQuery) throws(ReadingError) -> Count? {
        let query = planned.query
        guard let keys = planned.keys else {
            if let count = planned.count {
                let isTold = query.counting == .exact || count <= ListQuery.countCap
                return isTold ? Count(count) : Count(ListQuery.countCap, .atLeast)
            }
            guard query.isNarrowed else {
                if query.counting == .estimated, let estimate = try counts.estimate(reading) {
                    return estimate
                }
                return try counts.total(query.counting, reading)
            }
            return try counts.count(SectionCounts.Subject(query), query.counting) {
                (limit) throws(ReadingError) in
                let accessPath = planned.accessPath.leavesOrder ? planned.accessPath : .conditions
                let plan = reading.plan(for: query, accessPath)
                return try reading.count([], of: KeysetRange([]), plan, .forwards, atMost: limit)
            }
        }
        var total = 0
        var relation = Count.Relation.exact
        for key in keys {
            guard let count = try count(of: key, planned) else { return nil }
            total += count.value
            if count.relation == .atLeast { relation = .atLeast }
        }
        return Count(total, relation)
    }
}

extension TableReader {
    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        guard try readModel(id, grouping: grouping, into: &page) else { return false }
        try page.end()
        return true
    }

    func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool {
        bytes = nil
        let isFound = try readModel(id, grouping: grouping, into: &page) {
            (model, reading) throws(ReadingError) in
            bytes = try reading.bytes(ofColumn: column, inRecord: model)
        }
        if isFound { try page.end() }
        return isFound
    }

    private func readModel(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page,
        and further: (String, TableQueries) throws(ReadingError) -> Void = { _, _ in }
    ) throws(SourceError) -> Bool {
        guard let (model, part) = registration.model(ofRow: id) else { return false }
        do {
            let version = lasting(try session.beginReading())
            defer { session.endReading() }
            let query = ListQuery(grouping: grouping, shape: .flow(limit: 1))
            page.begin(query, version: version)
            page.isStale = isStale
            let found = try reading.connection.within(budgets.rows) { () throws(ReadingError) in
                try reading.record(model, grouping: grouping)
            }
            guard let found else { return false }
            page.beginSection(schema.section(found.section, grouping: grouping))
            page.append(
                part: part,
                of: Record(found.batch, at: 0),
                using: registration
            )
            try reading.connection.within(budgets.rows) { () throws(ReadingError) in
                try further(model, reading)
            }
            return true
        } catch {
            throw told(error)
        }
    }
}
