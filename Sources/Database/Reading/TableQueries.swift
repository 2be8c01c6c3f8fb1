package import Listings

/// Reads the records of a table in an order, through the connection of one reader.
///
/// Statements and plans are cached.
package final class TableQueries {
    let connection: any EngineConnection
    let table: TableDescription
    let schema: ListSchema
    private struct PlanKey: Hashable {
        let grouping: Grouping?
        let order: [SortKey]
        let filled: FilledSteps
        /// The conditions without their operands.
        let conditions: [String]
        let leadership: AccessPathChoice
    }
    private var statements = LRUCache<String, any EngineStatement>(capacity: 32)
    private var plans = LRUCache<PlanKey, KeysetPlan>(capacity: 32)
    /// The columns known to contain no nulls.
    var nullFacts = NullStatistics()

    /// Reads a table through a connection.
    package init(_ connection: any EngineConnection, table: TableDescription, schema: ListSchema) {
        self.connection = connection
        self.table = table
        self.schema = schema
    }

    /// The conditions of a query in SQL.
    func conditions(of query: ListQuery) -> ConditionSQL {
        ConditionSQL(query, table, schema: schema, dialect: connection.dialect)
    }

    /// The plan for the order and conditions of a query, valid until the next query of the same
    /// shape.
    func plan(for query: ListQuery, _ leadership: AccessPathChoice = .free) -> KeysetPlan {
        let conditions = conditions(of: query)
        let spelling = conditions.spelling(from: 1, leadership)
        let key = PlanKey(
            grouping: query.grouping,
            order: query.order,
            filled: FilledSteps(query, nullFacts),
            conditions: conditions.isEmpty ? [] : [spelling.source] + spelling.conditions,
            leadership: conditions.isEmpty ? .free : leadership
        )
        if let plan = plans.take(key) {
            plan.operands = conditions.operands(key.leadership)
            return plan
        }
        let plan = KeysetPlan(
            key.filled.applied(to: table, query),
            schema: schema,
            dialect: connection.dialect,
            grouping: key.grouping,
            order: key.order,
            conditions: conditions,
            leadership: key.leadership
        )
        plans.insert(plan, for: key)
        return plan
    }

    /// A statement for a text, prepared on first use and cached.
    func statement(_ sql: String) throws(ReadingError) -> any EngineStatement {
        if let statement = statements.take(sql) { return statement }
        let statement = try connection.prepareReading(sql)
        statements.insert(statement, for: sql)
        return statement
    }

    /// The requested records.
    struct Demand {
        /// The number of records still to read.
        var limit: Int
        /// The number of records still to skip before the first one.
        var skip = 0
        /// Whether the record at the position is included.
        var includesPosition = false
    }

    /// Reads the records after a position.
    ///
    /// - Parameters:
    ///   - values: The position; see ``KeysetRange/following(_:fixed:in:comparesRows:)``.
    ///   - fixed: The number of leading values that all records must have.
    ///   - plan: The order.
    ///   - direction: The reading direction.
    ///   - demand: The requested records. It is reduced by those read.
    ///   - collector: Receives the records.
    /// - Throws: ``ReadingError``. Records read before stay in the collector.
    func read(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        let includesPosition = demand.includesPosition && values.count == plan.termTypes.count
        let ranges = ranges(
            values,
            fixed: fixed,
            plan,
            direction,
            includesPosition ? .at : .behind
        )
        guard !connection.dialect.joinsRanges else {
            return try readAtOnce(values, ranges, plan, direction, &demand, into: &collector)
        }
        for range in ranges {
            guard demand.limit > 0 else { return }
            let plan = try self.plan(plan, for: range, values, direction)
            let manner = try plan.manner(of: range, direction, on: connection)
            switch manner {
            case .atOnce:
                try readAtOnce(values, [range], plan, direction, &demand, into: &collector)
            case .byValue:
                try readByValue(values, range, plan, direction, &demand, into: &collector)
            }
        }
    }

    /// The beginning of a reading.
    enum Beginning {
        /// The row at the position.
        case at
        /// The first row after the position.
        case behind
    }

    /// The ranges from a position on, in the order to read them.
    func ranges(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ beginning: Beginning = .behind
    ) -> [KeysetRange] {
        let terms = plan.terms(direction)
        let comparesRows = connection.dialect.comparesRows
        return switch beginning {
        case .at where fixed < values.count:
            KeysetRange.beginning(at: values, fixed: fixed, in: terms, comparesRows: comparesRows)
        case .at, .behind:
            KeysetRange.following(values, fixed: fixed, in: terms, comparesRows: comparesRows)
        }
    }

    /// The plan for a range.
    ///
    /// The rows of a large section are read in their order, skipping other sections, instead of
    /// being sorted.
    private func plan(
        _ plan: KeysetPlan,
        for range: KeysetRange,
        _ values: [CellValue],
        _ direction: KeysetPlan.Direction
    ) throws(ReadingError) -> KeysetPlan {
        guard let first = range.bounds.first,
            let passing = try plan.passingSections(range, direction, on: connection)
        else { return plan }
        let section = first == .equal ? [values[0]] : []
        let limit = CellValue.integer(Int64(ListQuery.countCap + 1))
        let count = try statement(plan.sectionCount(first)).count(section + [limit])
        return count > ListQuery.countCap ? passing : plan
    }

    /// Reads ranges by one statement: a single range, or several if the engine joins them.
    private func readAtOnce(
        _ values: [CellValue],
        _ ranges: [KeysetRange],
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        guard let first = ranges.first, demand.limit > 0 else { return }
        let found: Int
        if connection.dialect.joinsRanges {
            let (statement, bound) = try plan.joinedRecords(
                of: ranges,
                behind: values,
                direction,
                demand,
                on: connection
            )
            found = try statement.collect(bound, into: &collector)
        } else {
            let statement = try plan.statement(.records, of: first, direction, on: connection)
            var bound = plan.values(values, of: first, limit: demand.limit)
            bound.append(.integer(Int64(demand.skip)))
            found = try statement.collect(bound, into: &collector)
        }
        demand.limit -= found
        if found > 0 { demand.skip = 0 }
        for range in ranges where demand.skip > 0 {
            demand.skip -= try count(values, of: range, plan, direction, atMost: demand.skip)
        }
    }

    /// Reads the values that end within the page together, because none has more rows to sort than
    /// the page.
    ///
    /// The last value, which may continue after the page, is read separately.
    private func readByValue(
        _ values: [CellValue],
        _ range: KeysetRange,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        let term = range.openTerm
        let prefix = range.sharedValues(values)
        let terms = Array(plan.terms(direction).prefix(term + 1))
        var position = values
        var ranges = [range]
        while demand.limit > 0, let range = ranges.first {
            let wanted = demand.skip + demand.limit
            let window = try self.values(
                position,
                of: range,
                plan,
                direction,
                .everyValue(term: term),
                limit: wanted
            )
            guard let value = window.areOfOneKind ? window.last : window.first else {
                ranges.removeFirst()
                continue
            }
            let whole = window.firstIndex(of: value) ?? 0
            if whole > demand.skip {
                var part = Demand(limit: whole - demand.skip, skip: demand.skip)
                demand.limit -= part.limit
                demand.skip = 0
                // The scan starts at the first value, so that nothing before it is skipped again.
                let first = window[0]
                let bounds = range.bounds.prefix(term) + [.atOrBehind]
                try readAtOnce(
                    first.isNull ? position : prefix + [first],
                    [first.isNull ? range : KeysetRange(Array(bounds))],
                    plan,
                    direction,
                    &part,
                    into: &collector
                )
            } else {
                demand.skip -= whole
            }
            position = prefix + [value]
            try read(position, fixed: term + 1, plan, direction, &demand, into: &collector)
            ranges.removeFirst()
            // The range has no rows after its last value.
            guard window.count == wanted || value != window.last else { continue }
            // A range with a bound continues after the value. Nulls are in the next range.
            ranges =
                range.bounds.count > term
                ? [KeysetRange(range.bounds.dropLast() + [.behind])] + ranges
                : KeysetRange.following(position, fixed: term, in: terms) + ranges
        }
    }

    /// The distinct values of a step of the order in ranges.
    func values(
        _ position: [CellValue],
        of ranges: [KeysetRange],
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        term: Int,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        // For a single value, the engine needs no DISTINCT.
        let purpose: KeysetPlan.Purpose =
            limit == 1 ? .everyValue(term: term) : .values(term: term)
        var found: [CellValue] = []
        for range in ranges where found.count < limit {
            let rest = limit - found.count
            found += try values(position, of: range, plan, direction, purpose, limit: rest)
        }
        return found
    }

    private func values(
        _ position: [CellValue],
        of range: KeysetRange,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ purpose: KeysetPlan.Purpose,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        let statement = try plan.statement(purpose, of: range, direction, on: connection)
        let bound = plan.values(position, of: range, limit: limit)
        return try statement.values(bound, as: [plan.form(of: purpose)])
    }

    /// The number of records in a range, up to a limit.
    func count(
        _ values: [CellValue],
        of range: KeysetRange,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        atMost limit: Int
    ) throws(ReadingError) -> Int {
        let statement = try plan.statement(.boundedCount, of: range, direction, on: connection)
        return try statement.count(plan.values(values, of: range, limit: limit))
    }
}

extension TableQueries {
    /// The keys of the sections after the given one, or from the first one on.
    func sectionKeys(
        behind key: CellValue?,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        let position = key.map { [$0] } ?? []
        let terms = Array(plan.terms(direction).prefix(1))
        let ranges = KeysetRange.following(position, in: terms)
        return try values(position, of: ranges, plan, direction, term: 0, limit: limit)
    }

    /// The keys of the sections after the given one, with one query each.
    ///
    /// Best if an index finds the next key.
    func sectionKeysOneByOne(
        behind key: CellValue?,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        var keys: [CellValue] = []
        while keys.count < limit,
            let next = try sectionKeys(behind: keys.last ?? key, plan, direction, limit: 1).first
        {
            keys.append(next)
        }
        return keys
    }

    /// Whether a section has rows.
    func isSection(_ key: CellValue?, _ plan: KeysetPlan) throws(ReadingError) -> Bool {
        let values = key.map { [$0] } ?? []
        for range in KeysetRange.following(values, fixed: values.count, in: plan.terms(.forwards))
        where try count(values, of: range, plan, .forwards, atMost: 1) > 0 {
            return true
        }
        return false
    }
}

extension [CellValue] {
    /// Whether all values are of one kind.
    ///
    /// Values of several kinds, such as true and 1, can be equal to the engine.
    fileprivate var areOfOneKind: Bool {
        guard let first = first(where: { !$0.isNull }) else { return true }
        return allSatisfy { $0.isNull || $0.kind == first.kind }
    }
}
