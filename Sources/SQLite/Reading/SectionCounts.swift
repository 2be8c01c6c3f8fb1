import Database
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
    mutating func total(_ reading: TableReading) throws(SQLiteError) -> Int? {
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
    ) throws(SQLiteError) -> Int? {
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
    func count(of key: CellValue, _ plan: OrderPlan) throws(SQLiteError) -> Int {
        try count([key], of: KeysetRange([key.isNull ? .isNull : .equal]), plan)
    }

    private func count(
        _ values: [CellValue],
        of range: KeysetRange,
        _ plan: OrderPlan
    ) throws(SQLiteError) -> Int {
        try count(values, of: range, plan, .forwards, atMost: Int(Int64.max))
    }

    /// Counts some more rows, or all at once where the key is no single column in order.
    func count(_ total: inout SectionCounts.RunningTotal) throws(SQLiteError) {
        guard table.key.count == 1, table.origin != .foreignView else {
            // The engine looks at the clock only while it runs its program, which counting a table
            // without a limit is not.
            let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) LIMIT -1)"
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            total.count = try statement.step() ? Int(statement.integer(0)) : 0
            total.isComplete = true
            return
        }
        let key = TableSQL(table, schema: schema).terms(SortKey(.id))[0].expression
        let condition = total.last == nil ? "" : " WHERE \(key) > ?1"
        let statement = try connection.statement(
            """
            SELECT count(*), max(part) FROM (SELECT \(key) AS part FROM \(table.quotedName)\
            \(condition) ORDER BY \(key) LIMIT \(Self.rowsPerStep))
            """
        )
        defer { statement.reset() }
        if let last = total.last { try statement.bindKey(1, last) }
        guard try statement.step() else { return }
        let counted = Int(statement.integer(0))
        total.count += counted
        total.isComplete = counted < Self.rowsPerStep
        if counted > 0 { total.last = statement.value(1, as: table.key[0].type) }
    }
}
