import Listings

/// Everything prepared for one order of a table: its steps in SQL, and the statements that read its
/// ranges, each made when it is first needed.
final class OrderPlan {
    /// What a statement reads of a range.
    enum Purpose: Hashable {
        /// Whole records, at most a number, after skipping a number.
        case records
        /// Whole records of several ranges: see ``joinedRecords(of:_:rows:on:)``.
        case joinedRecords(atMost: Int?)
        /// How many records there are, up to a number.
        case boundedCount
        /// The values of a step of the order, each once, at most a number.
        case values(term: Int)
        /// The value that each row has in a step of the order, at most a number.
        case everyValue(term: Int)
        /// The values of a column and how many of at most a number of records have each.
        case tally(column: Int)
    }
    private struct StatementKey: Hashable {
        let ranges: [KeysetRange]
        let direction: Direction
        let purpose: Purpose
    }

    let grouping: Grouping?
    let order: [SortKey]
    let layout: RecordLayout
    /// The types of the values of the steps.
    let termTypes: [ColumnType]
    /// The order from its beginning to its end; with sections, their key comes first.
    private let terms: [OrderTerm]
    private let reversedTerms: [OrderTerm]
    private let table: TableDescription
    private let schema: ListSchema
    let selection: String
    let dialect: any Dialect
    /// What rows have to meet, and what leads the engine to them.
    let conditions: ConditionSQL
    private let leadership: Leadership
    /// What the conditions are compared with: other values for every question of the kind.
    var operands: [CellValue]
    private var statements = LRUCache<StatementKey, any EngineStatement>(capacity: 96)
    private var manners = LRUCache<StatementKey, Manner>(capacity: 96)
    private var findsSections: Bool?
    /// The same order, in which sections find no rows.
    private var passing: OrderPlan?
    private var isPassed = LRUCache<StatementKey, Bool>(capacity: 32)
    /// Whether the rows of a section are found by passing over those of others.
    private let passesSections: Bool

    init(
        _ table: TableDescription,
        schema: ListSchema,
        dialect: any Dialect,
        grouping: Grouping?,
        order: [SortKey],
        conditions: ConditionSQL,
        leadership: Leadership,
        passesSections: Bool = false
    ) {
        self.schema = schema
        self.passesSections = passesSections
        self.conditions = conditions
        self.leadership = leadership
        operands = conditions.operands(leadership)
        self.table = table
        self.dialect = dialect
        self.grouping = grouping
        self.order = order
        layout = RecordLayout(table: table, schema: schema, grouping: grouping)
        let sectionTypes = schema.keyType(of: grouping).map { [$0] } ?? []
        termTypes =
            sectionTypes
            + order.flatMap { key in
                switch key.field {
                case .id: table.key.map(\.type)
                case .column(let column): [schema.columns[column].type]
                }
            }
        let sql = TableSQL(table, schema: schema, dialect: dialect)
        let terms = (grouping.map { [sql.term(for: $0)] } ?? []) + order.flatMap(sql.terms)
        self.terms = terms.enumerated().map { step, term in
            leadership.leavesOrder || passesSections && step == 0
                ? term.shielded(by: dialect) : term
        }
        reversedTerms = self.terms.map(\.reversed)
        selection = sql.selection(grouping: grouping)
    }

    /// The form of the values that a statement gives.
    func form(of purpose: Purpose) -> ValueForm {
        switch purpose {
        case .values(let term), .everyValue(let term):
            terms[term].comparand.isKeyed ? .key : .stored(termTypes[term])
        case .records, .joinedRecords, .boundedCount, .tally: .stored(.integer)
        }
    }

    func terms(_ direction: Direction) -> [OrderTerm] {
        direction == .forwards ? terms : reversedTerms
    }

    /// The values of the steps of the order at a position.
    ///
    /// - Returns: Nil when the position is none of this order.
    func position(_ section: SectionKey, _ row: [CellValue]?) -> [CellValue]? {
        var values: [CellValue] = []
        switch (section, grouping) {
        case (.whole, nil): break
        case (.value(let key), .some): values.append(key)
        default: return nil
        }
        guard let row else { return values }
        guard row.count == order.count else { return nil }
        for (value, key) in zip(row, order) {
            guard key.field == .id, table.key.count > 1 else {
                values.append(value)
                continue
            }
            guard case .text(let id) = value,
                let parts = CompositeID.parts(of: id, types: layout.keyTypes)
            else { return nil }
            values += parts
        }
        return values.count == terms.count ? values : nil
    }

    /// A statement for a range, which takes the values of its terms (``values(_:of:limit:)``), the
    /// greatest number of records and, for records, the number to skip.
    func statement(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> any EngineStatement {
        try statement(purpose, of: [range], direction, on: connection) {
            text(purpose, of: range, direction)
        }
    }

    /// A statement for ranges, prepared at its first use and kept.
    func statement(
        _ purpose: Purpose,
        of ranges: [KeysetRange],
        _ direction: Direction,
        on connection: any EngineConnection,
        text: () -> String
    ) throws(ReadingError) -> any EngineStatement {
        let key = StatementKey(ranges: ranges, direction: direction, purpose: purpose)
        if let statement = statements.take(key) { return statement }
        let statement = try connection.prepareReading(text())
        statements.insert(statement, for: key)
        return statement
    }

    /// What a statement for a range takes, but for the number of records to skip.
    func values(_ position: [CellValue], of range: KeysetRange, limit: Int) -> [CellValue] {
        var values: [CellValue] = []
        values.reserveCapacity(range.bounds.count + operands.count + 2)
        for term in range.boundTerms { values.append(bound(position[term], to: term)) }
        values += operands
        values.append(.integer(Int64(limit)))
        return values
    }

    /// A value of a position as it is bound to be compared with a step of the order.
    func bound(_ value: CellValue, to term: Int) -> CellValue {
        terms[term].comparand.bound(value, by: dialect)
    }

    private func text(_ purpose: Purpose, of range: KeysetRange, _ direction: Direction) -> String {
        var terms = terms(direction)
        switch purpose {
        case .values(let term), .everyValue(let term): terms = Array(terms.prefix(term + 1))
        case .boundedCount, .tally, .records, .joinedRecords: break
        }
        let first = range.boundTerms.count + 1
        let place = first + operands.count
        let tail =
            tail(purpose, of: range, terms, places: (range: 1, operands: first))
            + " LIMIT \(dialect.place(place))"
        return switch purpose {
        case .records, .joinedRecords:
            "SELECT \(selection)\(tail) OFFSET \(dialect.place(place + 1))"
        case .boundedCount: "SELECT count(*) FROM (SELECT 1\(tail)) AS found"
        case .values(let term): "SELECT DISTINCT \(terms[term].expression)\(tail)"
        case .everyValue(let term): "SELECT \(terms[term].expression)\(tail)"
        case .tally(let column): tally(of: column, tail)
        }
    }

    /// Where the records of a range are read from, what they meet, and their order.
    ///
    /// - Parameters:
    ///   - purpose: What is read.
    ///   - range: The range.
    ///   - terms: The order.
    ///   - places: The numbers of the first bound values of the range and of the conditions.
    /// - Returns: What stands behind what is selected.
    func tail(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ terms: [OrderTerm],
        places: (range: Int, operands: Int)
    ) -> String {
        let spelling = conditions.spelling(
            from: places.operands,
            leadership,
            besides: side(of: range, terms)
        )
        let place = narrowed(range, terms).condition(in: terms) { number in
            dialect.place(places.range - 1 + number)
        }
        let clauses =
            [place].compactMap { $0 } + spelling.conditions
            + (isImpossible(range, terms) ? ["FALSE"] : [])
        var tail = " FROM \(spelling.source)"
        if !clauses.isEmpty { tail += " WHERE \(clauses.joined(separator: " AND "))" }
        // PostgreSQL does not see that rows without a value are equal in it, and would sort them;
        // SQLite would, were an expression named in which they are.
        var constant: Set<KeysetRange.Bound> = [.equal, .isNull]
        switch purpose {
        case .boundedCount, .tally: return tail
        case .records, .joinedRecords: if dialect.knowsSelectivity { constant = [.equal] }
        case .values, .everyValue: break
        }
        if let order = range.order(in: terms, omitting: constant) { tail += " ORDER BY \(order)" }
        return tail
    }

    /// The side of a column's values on which the place in the order bounds the rows: an engine looks
    /// up one bound of each side in an index, and that of the place is the nearer one.
    private func side(of range: KeysetRange, _ terms: [OrderTerm]) -> ConditionSQL.Side? {
        guard range.bounds.last == .behind || range.bounds.last == .atOrBehind,
            !dialect.knowsSelectivity
        else { return nil }
        let term = terms[range.bounds.count - 1]
        return ConditionSQL.Side(
            expression: term.expression,
            isLower: term.direction == .ascending
        )
    }

    /// The range without the bound that leaves out nulls, where a condition bounds the values.
    private func narrowed(_ range: KeysetRange, _ terms: [OrderTerm]) -> KeysetRange {
        guard range.bounds.last == .isNotNull, !dialect.knowsSelectivity,
            conditions.bounds(terms[range.bounds.count - 1].expression, leadership)
        else { return range }
        return KeysetRange(range.bounds.dropLast())
    }

    /// Whether a condition bounds the first step of the order in which rows differ, so that it begins
    /// or ends the reading of an index of the order.
    var isBounded: Bool {
        guard let range = KeysetRange.following([], in: terms).first, range.openTerm < terms.count
        else { return false }
        return conditions.bounds(terms[range.openTerm].expression, leadership)
    }

    /// Whether a condition bounds the values of a column in which the rows of a range have none.
    private func isImpossible(_ range: KeysetRange, _ terms: [OrderTerm]) -> Bool {
        range.bounds.indices.contains { step in
            range.bounds[step] == .isNull && conditions.bounds(terms[step].expression, leadership)
        }
    }

    /// The form of the values of a column where rows are counted by them.
    func tallyForm(_ column: Int) -> ValueForm {
        comparand(of: column).isKeyed ? .key : layout.columnForms[column]
    }

    private func comparand(of column: Int) -> Comparand {
        dialect.comparand(column: column, of: table, as: schema.columns[column].type)
    }

    private func tally(of column: Int, _ tail: String) -> String {
        let value = comparand(of: column).expression
        return "SELECT \(value), count(*) FROM (SELECT \(table.quotedColumns[column])\(tail))"
            + " AS found GROUP BY \(value)"
    }
}

extension OrderPlan {
    /// Which way an order is read.
    enum Direction: Hashable {
        case forwards, backwards

        var opposite: Direction { self == .forwards ? .backwards : .forwards }
    }

    /// How a range is best read.
    enum Manner {
        /// By one statement: an index has the order, or none helps and everything is sorted.
        case atOnce
        /// By the values of the first step in which the rows differ: an index has the order of the
        /// values, but the rows of one value would have to be sorted, however many they are.
        case byValue
    }

    /// How a range is best read.
    func manner(
        of range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Manner {
        let key = StatementKey(ranges: [range], direction: direction, purpose: .records)
        if let manner = manners.take(key) { return manner }
        var manner = Manner.atOnce
        // It goes on sorting where an index ends.
        guard !dialect.knowsSelectivity else { return manner }
        let explanation = try explain(.records, of: range, direction, on: connection)
        if explanation.sorting == .partly, range.openTerm < terms.count {
            let values = Purpose.values(term: range.openTerm)
            if try !sorts(values, range, direction, on: connection) { manner = .byValue }
        }
        manners.insert(manner, for: key)
        return manner
    }

    /// A plan that reads a range of one section by an index of the rows' order alone, passing over the
    /// rows of other sections; nil where the section has the order itself, or where nothing has it.
    ///
    /// It is right for sections of many rows, which are sorted otherwise.
    func passingSections(
        _ range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> OrderPlan? {
        guard grouping != nil, !passesSections, !dialect.knowsSelectivity,
            range.bounds.first == .equal || range.bounds.first == .isNull
        else { return nil }
        let plan = passing ?? makePassing()
        passing = plan
        plan.operands = operands
        let key = StatementKey(ranges: [range], direction: direction, purpose: .records)
        if let isPassed = isPassed.take(key) { return isPassed ? plan : nil }
        let own = try explain(.records, of: range, direction, on: connection)
        var isBetter = own.sorting == .everything
        if isBetter {
            let other = try plan.explain(.records, of: range, direction, on: connection)
            isBetter = other.sorting != .everything
        }
        isPassed.insert(isBetter, for: key)
        return isBetter ? plan : nil
    }

    private func makePassing() -> OrderPlan {
        OrderPlan(
            table,
            schema: schema,
            dialect: dialect,
            grouping: grouping,
            order: order,
            conditions: conditions,
            leadership: leadership,
            passesSections: true
        )
    }

    /// The statement that counts the rows of a section up to a number, whatever they have to meet.
    func sectionCount(_ bound: KeysetRange.Bound) -> String {
        let condition = KeysetRange([bound]).condition(in: terms, place: dialect.place) ?? "TRUE"
        let limit = dialect.place(bound == .equal ? 2 : 1)
        return "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) WHERE \(condition)"
            + " LIMIT \(limit)) AS found"
    }

    /// Whether an index finds the next section.
    func findsSections(on connection: any EngineConnection) throws(ReadingError) -> Bool {
        if let findsSections { return findsSections }
        let range = KeysetRange([.behind])
        let finds = try !sorts(.values(term: 0), range, .forwards, on: connection)
        findsSections = finds
        return finds
    }

    /// Whether the engine would have to sort what a statement reads.
    private func sorts(
        _ purpose: Purpose,
        _ range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Bool {
        try explain(purpose, of: range, direction, on: connection).sorting != .nothing
    }

    /// What the engine would do for a statement.
    func explain(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Explanation {
        try connection.explain(text(purpose, of: range, direction))
    }
}
