import Listings

/// Counts of rows, kept while the version of the list stays the same.
struct SectionCounts {
    private struct Key: Hashable {
        let grouping: Grouping
        let section: CellValue
    }
    /// What came of counting.
    private enum Outcome {
        case known(Int)
        /// The time ran out that many times.
        case unfinished(attempts: Int)
    }
    /// A count that took too long is not begun again for ever.
    private static let maximumAttempts = 3
    private static let maximumOutcomes = 4096

    private var version: ListVersion?
    private var outcomes: [Key: Outcome] = [:]
    private var total = RunningTotal()

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

    /// The rows of the list; nil while they are not all counted.
    mutating func total(_ reading: TableReading) throws(ReadingError) -> Int? {
        do {
            while !total.isComplete {
                guard total.attempts < Self.maximumAttempts else { return nil }
                try reading.count(&total)
            }
            return total.count
        } catch .outOfTime {
            // What is counted already stays counted, so only a standstill is an attempt lost.
            if total.last == nil { total.attempts += 1 }
            return nil
        }
    }

    /// The rows of a section; nil when counting them takes too long.
    mutating func count(
        _ key: CellValue,
        _ plan: OrderPlan,
        _ reading: TableReading
    ) throws(ReadingError) -> Int? {
        guard let grouping = plan.grouping else { return nil }
        let place = Key(grouping: grouping, section: key)
        var attempts = 0
        switch outcomes[place] {
        case .known(let count): return count
        case .unfinished(let before) where before >= Self.maximumAttempts: return nil
        case .unfinished(let before): attempts = before
        case nil: break
        }
        if outcomes.count >= Self.maximumOutcomes { outcomes.removeAll(keepingCapacity: true) }
        do {
            let count = try reading.count(of: key, plan)
            outcomes[place] = .known(count)
            return count
        } catch .outOfTime {
            outcomes[place] = .unfinished(attempts: attempts + 1)
            return nil
        }
    }
}

extension TableReading {
    /// The rows counted at a time: a few milliseconds.
    private static let rowsPerStep = 50_000

    /// All rows of a section.
    func count(of key: CellValue, _ plan: OrderPlan) throws(ReadingError) -> Int {
        try count([key], of: KeysetRange([key.isNull ? .isNull : .equal]), plan)
    }

    private func count(
        _ values: [CellValue],
        of range: KeysetRange,
        _ plan: OrderPlan
    ) throws(ReadingError) -> Int {
        try count(values, of: range, plan, .forwards, atMost: Int(Int64.max))
    }

    /// Counts some more rows, or all at once where the key is no single column in order.
    func count(_ total: inout SectionCounts.RunningTotal) throws(ReadingError) {
        guard table.key.count == 1, table.origin != .foreignView,
            connection.dialect.hasGreatest(keyPart: 0, of: table)
        else {
            total.count = try statement(connection.dialect.count(of: table)).count([])
            total.isComplete = true
            return
        }
        let key = connection.dialect.comparand(keyPart: 0, of: table)
        let place = key.parameter(connection.dialect.place(1))
        let condition = total.last == nil ? "" : " WHERE \(key.expression) > \(place)"
        let statement = try statement(
            """
            SELECT count(*), max(part) FROM (SELECT \(key.expression) AS part \
            FROM \(table.quotedName)\(condition) ORDER BY \(key.expression) \
            LIMIT \(Self.rowsPerStep)) AS step
            """
        )
        let values = total.last.map { [$0] } ?? []
        let found = try statement.values(values, as: [.integer, table.key[0].type])
        guard found.count == 2, case .integer(let count) = found[0] else { return }
        total.count += Int(count)
        total.isComplete = count < Self.rowsPerStep
        if count > 0 { total.last = found[1] }
    }
}
