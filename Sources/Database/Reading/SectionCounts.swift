import Listings

/// A cache of row counts, valid for one version of the list.
struct SectionCounts {
    struct Subject: Hashable {
        var grouping: Grouping?
        var section: CellValue?
        var filters: [Filter]
        var search: TextSearch?

        init(_ query: ListQuery, section: CellValue? = nil) {
            grouping = section == nil ? nil : query.grouping
            self.section = section
            filters = query.filters
            search = query.search
        }
    }
    private enum Outcome {
        case known(Int)
        case more
        case unfinished(attempts: Int)
    }
    private static let maximumAttempts = 3
    private static let maximumOutcomes = 4096

    private var version: ListVersion?
    private var outcomes: [Subject: Outcome] = [:]
    private var total = RunningTotal()
    var isPatient = false

    struct RunningTotal {
        var count = 0
        var last: CellValue?
        var isComplete = false
        var attempts = 0
    }

    init() {}

    mutating func begin(_ version: ListVersion) {
        guard version != self.version else { return }
        self.version = version
        outcomes.removeAll(keepingCapacity: true)
        total = RunningTotal()
    }

    mutating func total(
        _ counting: ListQuery.Counting,
        _ reading: TableQueries
    ) throws(ReadingError) -> Count? {
        let isCapped = counting.isCapped
        let cap = isCapped ? ListQuery.countCap : Int.max
        do {
            while !total.isComplete, total.count <= cap {
                guard isPatient || total.attempts < Self.maximumAttempts else { return nil }
                try reading.count(&total, isCapped ? cap + 1 : 50_000)
            }
        } catch .outOfTime {
            // Counted rows stay counted, so only an attempt without progress is lost.
            if total.last == nil { total.attempts += 1 }
            return nil
        }
        guard total.isComplete else { return Count(cap, .atLeast) }
        return counting == .capped ? Count(total.count).capped : Count(total.count)
    }

    /// The number of all rows, or else the engine's statistics.
    func estimate(_ reading: TableQueries) throws(ReadingError) -> Count? {
        guard !total.isComplete else { return Count(total.count) }
        guard reading.table.origin != .foreignView else { return nil }
        do {
            let statement = try reading.statement(
                reading.connection.dialect.estimate(of: reading.table)
            )
            let found = try statement.values([], as: [.stored(.integer)])
            guard case .integer(let count)? = found.first else { return nil }
            return Count(Int(count), .estimate)
        } catch {
            // A table without row ids has no statistics.
            guard error.isOutOfTime else { return nil }
            throw error
        }
    }

    /// The counting caps also a known count: equal versions of a page have equal counts.
    mutating func count(
        _ subject: Subject,
        _ counting: ListQuery.Counting,
        by count: (Int) throws(ReadingError) -> Int
    ) throws(ReadingError) -> Count? {
        var attempts = 0
        switch outcomes[subject] {
        case .known(let count): return counting.isCapped ? Count(count).capped : Count(count)
        case .more:
            if counting.isCapped { return Count(ListQuery.countCap, .atLeast) }
        case .unfinished(let before):
            guard isPatient || before < Self.maximumAttempts else { return nil }
            attempts = before
        case nil: break
        }
        if outcomes.count >= Self.maximumOutcomes { outcomes.removeAll(keepingCapacity: true) }
        let cap = counting.isCapped ? ListQuery.countCap : Int(Int64.max - 1)
        do {
            let found = try count(cap + 1)
            outcomes[subject] = found > cap ? .more : .known(found)
            return found > cap ? Count(cap, .atLeast) : Count(found)
        } catch .outOfTime {
            outcomes[subject] = .unfinished(attempts: attempts + 1)
            return nil
        }
    }
}

extension TableQueries {
    /// Counts further rows, or all at once if the key is not a single ordered column.
    func count(
        _ total: inout SectionCounts.RunningTotal,
        _ rowsPerStep: Int
    ) throws(ReadingError) {
        guard table.key.count == 1, table.origin != .foreignView,
            connection.dialect.hasGreatest(keyPart: 0, of: table)
        else {
            total.count = try statement(connection.dialect.count(of: table)).count([])
            total.isComplete = true
            return
        }
        let dialect = connection.dialect
        let key = dialect.comparand(keyPart: 0, of: table)
        let placeholder = key.parameter(dialect.placeholder(1))
        let condition = total.last == nil ? "" : " WHERE \(key.expression) > \(placeholder)"
        let statement = try statement(
            """
            SELECT count(*), max(part) FROM (SELECT \(key.expression) AS part \
            FROM \(table.quotedName)\(condition) ORDER BY \(key.expression) \
            LIMIT \(dialect.placeholder(total.last == nil ? 1 : 2))) AS step
            """
        )
        let values = (total.last.map { [$0] } ?? []) + [.integer(Int64(rowsPerStep))]
        let found = try statement.values(
            values,
            as: [.stored(.integer), .stored(table.key[0].type)]
        )
        guard found.count == 2, case .integer(let count) = found[0] else { return }
        total.count += Int(count)
        total.isComplete = count < rowsPerStep
        if count > 0 { total.last = found[1] }
    }
}
