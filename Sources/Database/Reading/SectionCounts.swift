import Listings

/// Counts of rows, kept while the version of the list stays the same.
struct SectionCounts {
    /// What rows are counted.
    struct Subject: Hashable {
        /// Nil for all sections.
        var grouping: Grouping?
        var section: CellValue?
        var filters: [Filter]
        var search: TextSearch?

        /// The rows of a question: of one of its sections, or of all.
        init(_ query: ListQuery, section: CellValue? = nil) {
            grouping = section == nil ? nil : query.grouping
            self.section = section
            filters = query.filters
            search = query.search
        }
    }
    /// What came of counting.
    private enum Outcome {
        case known(Int)
        /// There are more than are counted without need.
        case more
        /// The time ran out that many times.
        case unfinished(attempts: Int)
    }
    /// A count that took too long is not begun again for ever.
    private static let maximumAttempts = 3
    private static let maximumOutcomes = 4096

    private var version: ListVersion?
    private var outcomes: [Subject: Outcome] = [:]
    private var total = RunningTotal()
    /// Whether a count that is not known in time is left to somebody who has more of it.
    var isHurried = false

    /// How far the rows of the list have been counted.
    struct RunningTotal {
        var count = 0
        /// The key of the last row counted.
        var last: CellValue?
        var isComplete = false
        var attempts = 0
    }

    init() {}

    /// Forgets everything that belongs to another version.
    mutating func begin(_ version: ListVersion) {
        guard version != self.version else { return }
        self.version = version
        outcomes.removeAll(keepingCapacity: true)
        total = RunningTotal()
    }

    /// The rows of the list; nil while too few of them are counted.
    mutating func total(
        _ counting: ListQuery.Counting,
        _ reading: TableReading
    ) throws(ReadingError) -> Count? {
        let cap = counting == .capped ? ListQuery.countCap : Int.max
        do {
            while !total.isComplete, total.count <= cap {
                guard total.attempts < Self.maximumAttempts else { return nil }
                try reading.count(&total, counting == .capped ? cap + 1 : 50_000)
            }
        } catch .outOfTime {
            guard !isHurried else { throw .outOfTime }
            // What is counted already stays counted, so only a standstill is an attempt lost.
            if total.last == nil { total.attempts += 1 }
            return nil
        }
        return total.isComplete ? Count(total.count) : Count(cap, .atLeast)
    }

    /// The rows of a subject; nil when counting them takes too long.
    ///
    /// - Parameters:
    ///   - subject: The rows.
    ///   - counting: How far to count; a number known already is told however large it is.
    ///   - count: Counts them up to a number.
    /// - Returns: The count; nil without enough time.
    /// - Throws: ``ReadingError``.
    mutating func count(
        _ subject: Subject,
        _ counting: ListQuery.Counting,
        by count: (Int) throws(ReadingError) -> Int
    ) throws(ReadingError) -> Count? {
        var attempts = 0
        switch outcomes[subject] {
        case .known(let count): return Count(count)
        case .more:
            if counting == .capped { return Count(ListQuery.countCap, .atLeast) }
        case .unfinished(let before):
            guard before < Self.maximumAttempts else { return nil }
            attempts = before
        case nil: break
        }
        if outcomes.count >= Self.maximumOutcomes { outcomes.removeAll(keepingCapacity: true) }
        let cap = counting == .capped ? ListQuery.countCap : Int(Int64.max - 1)
        do {
            let found = try count(cap + 1)
            outcomes[subject] = found > cap ? .more : .known(found)
            return found > cap ? Count(cap, .atLeast) : Count(found)
        } catch .outOfTime {
            guard !isHurried else { throw .outOfTime }
            outcomes[subject] = .unfinished(attempts: attempts + 1)
            return nil
        }
    }
}

extension TableReading {
    /// Counts some more rows, or all at once where the key is no single column in order.
    ///
    /// - Parameters:
    ///   - total: How far they are counted.
    ///   - rowsPerStep: The rows counted at a time; 50,000 take a few milliseconds.
    /// - Throws: ``ReadingError``.
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
        let place = key.parameter(dialect.place(1))
        let condition = total.last == nil ? "" : " WHERE \(key.expression) > \(place)"
        let statement = try statement(
            """
            SELECT count(*), max(part) FROM (SELECT \(key.expression) AS part \
            FROM \(table.quotedName)\(condition) ORDER BY \(key.expression) \
            LIMIT \(dialect.place(total.last == nil ? 1 : 2))) AS step
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
