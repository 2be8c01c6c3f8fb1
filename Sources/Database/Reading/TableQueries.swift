package import Listings

package final class TableQueries {
    let connection: any EngineConnection
    /// The table, with what a read has learned of the state that it reads.
    var table: TableDescription
    package let schema: ListSchema
    private struct PlanKey: Hashable {
        let sortedTimes: Set<Int>
        let grouping: Grouping?
        let order: [SortKey]
        let filled: FilledSteps
        let conditions: [String]
        let accessPath: AccessPathChoice
    }
    private var statements = LRUCache<String, any EngineStatement>(capacity: 32)
    private var plans = LRUCache<PlanKey, KeysetPlan>(capacity: 32)
    var nullFacts = NullStatistics()
    private var derived = LRUCache<[DerivedColumn], TableQueries>(capacity: 16)

    package init(_ connection: any EngineConnection, table: TableDescription, schema: ListSchema) {
        self.connection = connection
        self.table = table
        self.schema = schema
    }

    /// The reading of the same table with the derived columns of a schema.
    func deriving(_ table: TableDescription, _ schema: ListSchema) -> TableQueries {
        guard schema.derived != self.schema.derived else { return self }
        if let known = derived.take(schema.derived) { return known }
        let reading = TableQueries(connection, table: table, schema: schema)
        derived.insert(reading, for: schema.derived)
        return reading
    }

    func conditions(of query: ListQuery) -> ConditionSQL {
        ConditionSQL(query, table, schema: schema, dialect: connection.dialect)
    }

    /// The plan for the order and conditions of a query, valid until the next query of the same
    /// shape.
    func plan(for query: ListQuery, _ accessPath: AccessPathChoice = .free) -> KeysetPlan {
        let conditions = conditions(of: query)
        let spelling = conditions.spelling(from: 1, accessPath)
        let key = PlanKey(
            sortedTimes: table.sortedTimes,
            grouping: query.grouping,
            order: query.order,
            filled: FilledSteps(query, nullFacts),
            conditions: conditions.isEmpty ? [] : [spelling.source] + spelling.conditions,
            accessPath: conditions.isEmpty ? .free : accessPath
        )
        if let plan = plans.take(key) {
            plan.operands = conditions.operands(key.accessPath)
            return plan
        }
        let plan = KeysetPlan(
            key.filled.applied(to: table, query),
            schema: schema,
            dialect: connection.dialect,
            grouping: key.grouping,
            order: key.order,
            conditions: conditions,
            accessPath: key.accessPath
        )
        plans.insert(plan, for: key)
        return plan
    }

    func statement(_ sql: String) throws(ReadingError) -> any EngineStatement {
        if let statement = statements.take(sql) { return statement }
        let statement = try connection.prepareReading(sql)
        statements.insert(statement, for: sql)
        return statement
    }

    struct Demand {
        var limit: Int
        var skip = 0
        var includesPosition = false
    }

    /// Also reduces the demand by the records read, which stay in the collector after an error.
    func read(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        let includesPosition = demand.includesPosition && values.count == plan.termTypes.count
        let start = includesPosition ? KeysetPlan.Beginning.at : .behind
        let (plan, ranges) = try ranges(values, fixed: fixed, plan, direction, start)
        guard !connection.dialect.joinsRanges else {
            return try readAtOnce(values, ranges, plan, direction, &demand, into: &collector)
        }
        for range in ranges {
            guard demand.limit > 0 else { return }
            let plan = try self.plan(plan, for: range, values, direction)
            let strategy = try plan.strategy(of: range, direction, on: connection)
            switch strategy {
            case .atOnce:
                try readAtOnce(values, [range], plan, direction, &demand, into: &collector)
            case .byValue:
                try readByValue(values, range, plan, direction, &demand, into: &collector)
            }
        }
    }

    private func ranges(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction,
        _ start: KeysetPlan.Beginning = .behind
    ) throws(ReadingError) -> (KeysetPlan, [KeysetRange]) {
        guard fixed > 0, let letters = try plan.byLetter(on: connection) else {
            return (plan, plan.ranges(values, fixed: fixed, direction, start))
        }
        return (letters, letters.ranges(ofLetter: values, fixed: fixed, direction, start))
    }

    /// The rows of a large section are read in their order, skipping other sections, instead of
    /// being sorted.
    private func plan(
        _ plan: KeysetPlan,
        for range: KeysetRange,
        _ values: [CellValue],
        _ direction: KeysetPlan.Direction
    ) throws(ReadingError) -> KeysetPlan {
        if let related = try plan.related(to: range, on: connection) { return related }
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

    private static let maximumWindow = 10_000

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
            let wanted = min(demand.skip + demand.limit, max(demand.limit, Self.maximumWindow))
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
            let equals = KeysetRange(position.map { $0.isNull ? .isNull : .equal })
            let skip = demand.skip
            let passed =
                skip == 0 ? 1 : try count(position, of: equals, plan, direction, atMost: skip + 1)
            if passed > skip {
                try read(position, fixed: term + 1, plan, direction, &demand, into: &collector)
            } else {
                demand.skip -= passed
            }
            ranges.removeFirst()
            // The range has no rows after its last value.
            guard window.count == wanted || value != window.last else { continue }
            // A range with a bound continues after the value. Nulls are in the next range.
            ranges = range.following(position, in: terms) + ranges
        }
    }

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

    /// Nil if an index does not find their rows, or many texts, which every letter reads, do not
    /// begin with ASCII.
    func letters(of plan: KeysetPlan) throws(ReadingError) -> [CellValue]? {
        guard let letters = try plan.byLetter(on: connection) else { return nil }
        let cap = ListQuery.countCap
        let rest = "FROM \(table.source) WHERE \(letters.otherTexts) LIMIT \(cap + 1)"
        guard try statement("SELECT count(*) FROM (SELECT 1 \(rest)) AS found").count([]) <= cap
        else { return nil }
        let letter = letters.terms(.forwards)[0].expression
        let others = try statement(
            "SELECT DISTINCT letter FROM (SELECT \(letter) AS letter \(rest)) AS found"
        ).values([], as: [plan.form(of: .values(term: 0))])
        let ascii = ["#"] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
        return Set(ascii.map(CellValue.text) + others + [.null])
            .sorted { isBehind($1, $0, plan, .forwards) }
    }

    /// Throws ``ReadingError/unknownSection(_:)`` when a section has no rows.
    func keys(ofSectionsIn query: ListQuery) throws(ReadingError) -> [CellValue]? {
        guard let sections = query.sections else { return nil }
        let plan = plan(for: query.widened)
        var keys: Set<CellValue> = []
        for section in sections {
            guard try isKnown(section, plan) else {
                throw .unknownSection(schema.id(of: section, in: query.grouping))
            }
            if case .value(let key) = section { keys.insert(key) }
        }
        guard plan.grouping != nil else { return nil }
        return keys.sorted { isBehind($1, $0, plan, .forwards) }
    }

    private func isKnown(_ section: SectionKey, _ plan: KeysetPlan) throws(ReadingError) -> Bool {
        do {
            switch (section, plan.grouping) {
            case (.whole, nil): return try isSection(nil, plan)
            case (.value(let key), .some): return try isSection(key, plan)
            default: return false
            }
        } catch .strangePosition {
            // A value that the column's type cannot represent is not a section.
            return false
        } catch {
            throw error
        }
    }

    func isSection(_ key: CellValue?, _ plan: KeysetPlan) throws(ReadingError) -> Bool {
        let values = key.map { [$0] } ?? []
        if try plan.byLetter(on: connection) != nil {
            var collector = RecordCollector(plan.layout)
            var demand = Demand(limit: 1)
            try read(values, fixed: 1, plan, .forwards, &demand, into: &collector)
            return collector.count > 0
        }
        for range in KeysetRange.following(values, fixed: values.count, in: plan.terms(.forwards))
        where try count(values, of: range, plan, .forwards, atMost: 1) > 0 {
            return true
        }
        return false
    }
}

extension [CellValue] {
    /// Values of several kinds, such as true and 1, can be equal to the engine.
    fileprivate var areOfOneKind: Bool {
        guard let first = first(where: { !$0.isNull }) else { return true }
        return allSatisfy { $0.isNull || $0.kind == first.kind }
    }
}

extension TableQueries {
    func explanations(of query: ListQuery) throws(ReadingError) -> [Explanation] {
        let accessPaths = try accessPaths(for: query) { (condition) throws(ReadingError) in
            try countMatches(condition, upTo: ListQuery.countCap)
        }
        let plan = plan(for: query, accessPaths[0])
        var keys = try keys(ofSectionsIn: query)
        if keys == nil { keys = try letters(of: plan) }
        return try explain(RowFlowRequest(plan: plan, keys: keys, limit: 1, start: query.start))
    }

    private func explain(_ request: RowFlowRequest) throws(ReadingError) -> [Explanation] {
        let plan = request.plan
        var direction = KeysetPlan.Direction.forwards
        var position: [CellValue] = []
        switch request.start {
        case .beginning, .offset, .letter: break
        case .after(let cursor): position = try self.position(cursor, plan)
        case .before(let cursor):
            position = try self.position(cursor, plan)
            direction = .backwards
        case .end: direction = .backwards
        }
        if let key = request.keys?.first, position.isEmpty { position = [key] }
        let fixed = request.keys == nil ? 0 : 1
        return try explain(position, fixed: fixed, plan, direction)
    }

    private func explain(
        _ values: [CellValue],
        fixed: Int,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction
    ) throws(ReadingError) -> [Explanation] {
        let (plan, ranges) = try ranges(values, fixed: fixed, plan, direction)
        guard !connection.dialect.joinsRanges else {
            return ranges.isEmpty ? [] : try [plan.explain(ranges, direction, on: connection)]
        }
        var steps: [Explanation] = []
        for range in ranges {
            let plan = try plan.related(to: range, on: connection) ?? plan
            switch try plan.strategy(of: range, direction, on: connection) {
            case .atOnce:
                steps.append(try plan.explain(.records, of: range, direction, on: connection))
            case .byValue:
                let term = range.openTerm
                let search = KeysetPlan.Purpose.values(term: term)
                steps.append(try plan.explain(search, of: range, direction, on: connection))
                // All values have the same plan.
                let block = range.sharedValues(values) + [.integer(0)]
                steps += try explain(block, fixed: term + 1, plan, direction)
            }
        }
        return steps
    }
}

extension TableQueries {
    /// The first step of the plan is a text in the order of lists.
    func letters(
        _ plan: KeysetPlan,
        _ direction: SortKey.Direction
    ) throws(ReadingError) -> [String] {
        if direction == .ascending, let all = try self.letters(of: plan) {
            var found: [String] = []
            for letter in all where !letter.isNull {
                if try isSection(letter, plan) { found.append(letter.plainText) }
            }
            return found
        }
        var letters: [String] = []
        var value = try firstText(plan, .isNotNull, .text(""))
        while let letter = value.flatMap(IndexTitles.letter) {
            letters.append(letter)
            switch direction {
            case .ascending:
                guard let next = TextCollation.letter(after: letter) else { return letters }
                value = try firstText(plan, atLetter: next, direction)
            case .descending:
                // Texts without a letter sort before all letters, possibly even before `#` itself.
                guard letter != TextCollation.noLetter else { return letters }
                value = try firstText(plan, .behind, .text(TextCollation.firstText(of: letter)))
            }
        }
        return letters
    }

    /// The first text whose letter is at or after the given one.
    func firstText(
        _ plan: KeysetPlan,
        atLetter letter: String,
        _ direction: SortKey.Direction
    ) throws(ReadingError) -> CellValue? {
        switch direction {
        case .ascending:
            // Every value is at or after `#`.
            guard letter != TextCollation.noLetter else {
                return try firstText(plan, .isNotNull, .text(""))
            }
            let own = TextCollation.firstText(of: letter)
            if let exact = try firstText(plan, .equal, .text(own)) { return exact }
            return try firstText(plan, .behind, .text(own))
        case .descending:
            guard let next = TextCollation.letter(after: letter) else {
                return try firstText(plan, .isNotNull, .text(""))
            }
            return try firstText(plan, .behind, .text(TextCollation.firstText(of: next)))
        }
    }

    private func firstText(
        _ plan: KeysetPlan,
        _ bound: KeysetRange.Bound,
        _ value: CellValue
    ) throws(ReadingError) -> CellValue? {
        let range = KeysetRange([bound])
        return try values([value], of: [range], plan, .forwards, term: 0, limit: 1).first
    }
}

extension TableDescription {
    func keyValues(of id: String) -> [CellValue]? {
        let types = key.map(\.type)
        guard types.count == 1 else { return CompositeID.parts(of: id, types: types) }
        if let value = CellValue.id(id, as: types[0]) { return [value] }
        // A foreign key column may contain values that do not match its declared type.
        return isStored ? nil : [.text(id)]
    }
}

extension TableQueries {
    package struct FoundRecord {
        package let batch: RecordBatch
        package let section: SectionKey
    }

    package func record(
        _ id: String,
        grouping: Grouping?
    ) throws(ReadingError) -> FoundRecord? {
        guard let values = keyValues(of: id) else { return nil }
        let sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        let statement = try statement(
            "SELECT \(sql.selection(grouping: grouping)) FROM \(table.source)"
                + " WHERE \(sql.identity) LIMIT 1"
        )
        let layout = RecordLayout(table: table, schema: schema, grouping: grouping)
        var collector = RecordCollector(layout)
        do {
            guard try statement.collect(values, into: &collector) > 0 else { return nil }
        } catch .strangePosition {
            // A value that the key's type cannot represent is not an id.
            return nil
        } catch {
            throw error
        }
        // A row has one URL, but a foreign column may accept ` 07` for 7.
        let found = collector.value(record: 0, cell: RecordBatch.idCell)
        guard found.plainText == id else { return nil }
        let section = collector.section(of: 0)
        return FoundRecord(batch: collector.batch(), section: section)
    }

    func bytes(ofColumn column: Int, inRecord id: String) throws(ReadingError) -> [UInt8]? {
        guard let values = keyValues(of: id) else { return nil }
        let sql = TableSQL(table, schema: schema, dialect: connection.dialect)
        let statement = try statement(
            "SELECT \(connection.dialect.bytes(column: column, of: table))"
                + " FROM \(table.source) WHERE \(sql.identity) LIMIT 1"
        )
        let form: ValueForm =
            table.columns[column].isKeyed
            ? .keyed(schema.columns[column].type) : .stored(.bytes)
        guard case .bytes(let value)? = try statement.values(values, as: [form]).first else {
            return nil
        }
        return value.bytes
    }

    package func keyValues(of id: String) -> [CellValue]? { table.keyValues(of: id) }
}

extension TableQueries {
    /// If there are too many rows, an index finds the values with one look-up each, and the rows of
    /// each are counted up to the cap.
    ///
    /// The facet has no values if neither method finds them.
    func facet(
        _ column: Int,
        _ query: ListQuery,
        _ keys: [CellValue]?
    ) throws(ReadingError) -> Facet {
        var query = query
        query.filters.removeAll { schema.column(of: $0) == column && !$0.isFixed }
        func facet(_ values: [Facet.Value]) -> Facet {
            Facet(column: column, ordering: values, isComplete: true, by: keyOrder.precedes)
        }
        if let keys, let grouping = query.grouping, grouping.column == column,
            grouping.part == .value
        {
            return facet(try counts(of: keys, column, query))
        }
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        if let counted = try countTogether(column, query, keys, upTo: cap) { return facet(counted) }
        let missing = Facet(column: column, values: [], isComplete: false)
        guard !table.columns[column].isDerived else { return missing }
        var grouped = query
        grouped.grouping = Grouping(column: column)
        let all = plan(for: grouped.widened)
        guard try all.findsSections(on: connection) else { return missing }
        let limit = Facet.maximumValues + 1
        let values = try sectionKeysOneByOne(behind: nil, all, .forwards, limit: limit)
        // Only all rows tell the most frequent ones of more values.
        guard values.count < limit else { return missing }
        return facet(try counts(of: values, column, query, in: keys))
    }

    private func counts(
        of values: [CellValue],
        _ column: Int,
        _ query: ListQuery,
        in keys: [CellValue]? = nil
    ) throws(ReadingError) -> [Facet.Value] {
        let cap = query.counting == .exact ? Int(Int64.max - 1) : ListQuery.countCap
        var counted: [Facet.Value] = []
        for value in values {
            var query = query
            if keys == nil {
                query.grouping = Grouping(column: column)
            } else {
                query.filters.append(Filter.exactly(value, column: column))
            }
            let plan = plan(for: query)
            var count = 0
            for key in keys ?? [value] where count <= cap {
                let range = KeysetRange([key.isNull ? .isNull : .equal])
                let rest = cap + 1 - count
                count += try self.count([key], of: range, plan, .forwards, atMost: rest)
            }
            guard count > 0 else { continue }
            counted.append(
                Facet.Value(value, count: count > cap ? Count(cap, .atLeast) : Count(count))
            )
        }
        return counted
    }

    /// Nil if there are more rows than the cap.
    private func countTogether(
        _ column: Int,
        _ query: ListQuery,
        _ keys: [CellValue]?,
        upTo cap: Int
    ) throws(ReadingError) -> [Facet.Value]? {
        var query = query
        if keys == nil { query.grouping = nil }
        let plan = plan(for: query, keys == nil ? .conditions : .free)
        let form = plan.tallyForm(column)
        let hasElements = table.columns[column].hasElements
        var counts: [CellValue: Int] = [:]
        var total = 0
        for position in keys.map({ $0.map { [$0] } }) ?? [[]] {
            let range = KeysetRange(position.map { $0.isNull ? .isNull : .equal })
            let tally = KeysetPlan.Purpose.tally(column: column)
            let statement = try plan.statement(tally, of: range, .forwards, on: connection)
            let bound = plan.values(position, of: range, limit: cap + 1 - total)
            let found = try statement.values(bound, as: [form, .stored(.integer)])
            for index in stride(from: 0, to: found.count - 1, by: 2) {
                guard case .integer(let count) = found[index + 1] else { continue }
                if !hasElements { total += Int(count) }
                counts[found[index], default: 0] += Int(count)
            }
            if hasElements {
                total += try self.count(
                    position,
                    of: range,
                    plan,
                    .forwards,
                    atMost: cap + 1 - total
                )
            }
            if total > cap { return nil }
        }
        return counts.map { Facet.Value($0.key, count: Count($0.value)) }
    }
}
