import Listings

/// The prepared form of one order of a table: its steps in SQL, and the statements for its ranges.
final class KeysetPlan {
    enum Purpose: Hashable {
        case records
        /// Complete records of several ranges; see ``joinedRecords(of:behind:_:_:on:)``.
        case joinedRecords(atMost: Int?)
        case boundedCount
        /// The distinct values, with a limit.
        case values(term: Int)
        /// One value per row, with a limit.
        case everyValue(term: Int)
        /// With their frequencies, over a limited number of records.
        case tally(column: Int)
        /// Each value with its number of records.
        case distribution(column: Int)
    }
    private struct StatementKey: Hashable {
        let ranges: [KeysetRange]
        let direction: Direction
        let purpose: Purpose
    }

    let grouping: Grouping?
    let order: [SortKey]
    let layout: RecordLayout
    let termTypes: [ColumnType]
    /// The key of sections comes first.
    private let terms: [OrderTerm]
    private let reversedTerms: [OrderTerm]
    let table: TableDescription
    let schema: ListSchema
    let selection: String
    let dialect: any Dialect
    let conditions: ConditionSQL
    let accessPath: AccessPathChoice
    /// The bound values of the conditions, which differ for each query that uses the plan.
    var operands: [CellValue]
    private var statements = LRUCache<StatementKey, any EngineStatement>(capacity: 96)
    private var strategies = LRUCache<StatementKey, Strategy>(capacity: 96)
    private var findsSections: Bool?
    private var findsRows: Bool?
    /// The same order without section look-ups.
    var passing: KeysetPlan?
    var readsByLetter: Bool?
    private var isPassed = LRUCache<StatementKey, Bool>(capacity: 32)
    /// Whether the rows of other sections are skipped instead of excluded by an index.
    let passesSections: Bool
    /// The same order of the rows with a value in its first step, behind the list that has the
    /// values.
    private(set) lazy var related = makeRelated()
    var readsRelated: Bool?

    init(
        _ table: TableDescription,
        schema: ListSchema,
        dialect: any Dialect,
        grouping: Grouping?,
        order: [SortKey],
        conditions: ConditionSQL,
        accessPath: AccessPathChoice,
        passesSections: Bool = false
    ) {
        self.schema = schema
        self.passesSections = passesSections
        self.conditions = conditions
        self.accessPath = accessPath
        operands = conditions.operands(accessPath)
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
            accessPath.leavesOrder || passesSections && step == 0
                ? term.shielded(by: dialect) : term
        }
        reversedTerms = self.terms.map(\.reversed)
        selection = sql.selection(grouping: grouping)
    }

    func form(of purpose: Purpose) -> ValueForm {
        switch purpose {
        case .values(let term), .everyValue(let term):
            terms[term].comparand.valueForm ?? .stored(termTypes[term])
        case .records, .joinedRecords, .boundedCount, .tally, .distribution: .stored(.integer)
        }
    }

    func terms(_ direction: Direction) -> [OrderTerm] {
        direction == .forwards ? terms : reversedTerms
    }

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

    /// A statement takes the values of its terms (``values(_:of:limit:)``), the limit and, for
    /// records, the offset.
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

    func statement(
        _ purpose: Purpose,
        of ranges: [KeysetRange],
        _ direction: Direction,
        on connection: any EngineConnection,
        text: () throws(ReadingError) -> String
    ) throws(ReadingError) -> any EngineStatement {
        let key = StatementKey(ranges: ranges, direction: direction, purpose: purpose)
        if let statement = statements.take(key) { return statement }
        let statement = try connection.prepareReading(try text())
        statements.insert(statement, for: key)
        return statement
    }

    /// The offset is not among them.
    func values(_ position: [CellValue], of range: KeysetRange, limit: Int) -> [CellValue] {
        var values: [CellValue] = []
        values.reserveCapacity(range.bounds.count + operands.count + 2)
        for term in range.boundTerms { values.append(bound(position[term], to: term)) }
        values += operands
        values.append(.integer(Int64(limit)))
        return values
    }

    func bound(_ value: CellValue, to term: Int) -> CellValue {
        terms[term].comparand.bound(value, by: dialect)
    }

    private func text(_ purpose: Purpose, of range: KeysetRange, _ direction: Direction) -> String {
        var terms = terms(direction)
        switch purpose {
        case .values(let term), .everyValue(let term): terms = Array(terms.prefix(term + 1))
        case .boundedCount, .tally, .distribution, .records, .joinedRecords: break
        }
        let first = range.boundTerms.count + 1
        let placeholder = first + operands.count
        let tail =
            tail(purpose, of: range, terms, placeholders: (range: 1, operands: first))
            + " LIMIT \(dialect.placeholder(placeholder))"
        return switch purpose {
        case .records, .joinedRecords:
            "SELECT \(selection)\(tail) OFFSET \(dialect.placeholder(placeholder + 1))"
        case .boundedCount: "SELECT count(*) FROM (SELECT 1\(tail)) AS found"
        case .values(let term): "SELECT DISTINCT \(terms[term].expression)\(tail)"
        case .everyValue(let term): "SELECT \(terms[term].expression)\(tail)"
        case .tally(let column):
            tally(of: column, tail) + " ORDER BY 2 DESC, 1 LIMIT \(ListQuery.countCap + 1)"
        case .distribution(let column):
            tally(of: column, tail) + " LIMIT \(QueryStatistics.maximumTalliedValues + 1)"
        }
    }

    /// `placeholders` are the numbers of the first placeholders of the range and of the conditions.
    func tail(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ terms: [OrderTerm],
        placeholders: (range: Int, operands: Int),
        besides condition: String? = nil
    ) -> String {
        let spelling = conditions.spelling(
            from: placeholders.operands,
            accessPath,
            besides: side(of: range, terms)
        )
        let bounds = narrowed(range, terms).condition(in: terms) { number in
            dialect.placeholder(placeholders.range - 1 + number)
        }
        let clauses =
            [bounds, condition].compactMap { $0 } + spelling.conditions
            + (isImpossible(range, terms) ? ["FALSE"] : [])
        var tail = " FROM \(spelling.source)"
        if !clauses.isEmpty { tail += " WHERE \(clauses.joined(separator: " AND "))" }
        // PostgreSQL sorts rows if a step that is null in all of them is omitted. SQLite sorts them
        // if it is named as an expression.
        var constant: Set<KeysetRange.Bound> = [.equal, .isNull]
        switch purpose {
        case .boundedCount, .tally, .distribution: return tail
        case .records, .joinedRecords: if dialect.knowsSelectivity { constant = [.equal] }
        case .values, .everyValue: break
        }
        if let order = range.order(in: terms, omitting: constant) { tail += " ORDER BY \(order)" }
        return tail
    }

    /// The side on which the position, the closest bound of an index, limits the rows.
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

    /// The range without its bound that excludes nulls, if a condition bounds the values.
    private func narrowed(_ range: KeysetRange, _ terms: [OrderTerm]) -> KeysetRange {
        guard range.bounds.last == .isNotNull, !dialect.knowsSelectivity,
            conditions.bounds(terms[range.bounds.count - 1].expression, accessPath)
        else { return range }
        return KeysetRange(range.bounds.dropLast())
    }

    /// Whether a condition bounds the first open step of the order, so that it limits the scan of
    /// an index.
    var isBounded: Bool {
        guard let range = KeysetRange.following([], in: terms).first, range.openTerm < terms.count
        else { return false }
        return conditions.bounds(terms[range.openTerm].expression, accessPath)
    }

    /// Whether a condition bounds the values of a column that is null in all rows of a range.
    private func isImpossible(_ range: KeysetRange, _ terms: [OrderTerm]) -> Bool {
        range.bounds.indices.contains { step in
            range.bounds[step] == .isNull && conditions.bounds(terms[step].expression, accessPath)
        }
    }

    func tallyForm(_ column: Int) -> ValueForm {
        let form = isSpelled(column) ? nil : comparand(of: column).valueForm
        return form ?? layout.columnForms[column]
    }

    /// Whether a tally shows one of the equal values instead of their key.
    private func isSpelled(_ column: Int) -> Bool {
        comparand(of: column).form == .byteKey && !table.columns[column].isDerived
    }

    private func comparand(of column: Int) -> Operand {
        dialect.comparand(column: column, of: table, as: schema.columns[column].type)
    }

    private func tally(of column: Int, _ tail: String) -> String {
        let value = comparand(of: column).expression
        guard !table.columns[column].isDerived else {
            let name = "\"roster:value\""
            let selected = "(SELECT \(value) AS \(name)\(tail)) AS found"
            let (source, element) =
                table.columns[column].hasElements ? dialect.unnested(name) : ("", name)
            return "SELECT \(element), count(*) FROM \(selected)\(source) GROUP BY \(element)"
        }
        let columns = [table.quotedColumns[column], table.columns[column].quotedOrder]
        let selected = columns.compactMap { $0 }.joined(separator: ", ")
        let shown = isSpelled(column) ? "min(\(columns[0] ?? value))" : value
        return "SELECT \(shown), count(*) FROM (SELECT \(selected)\(tail))"
            + " AS found GROUP BY \(value)"
    }
}

extension KeysetPlan {
    enum Direction: Hashable {
        case forwards, backwards

        var opposite: Direction { self == .forwards ? .backwards : .forwards }
    }

    enum Strategy {
        /// One statement. An index has the order, or none helps and everything is sorted.
        case atOnce
        /// One value of the first open step after the other. An index has the order of these
        /// values, but the rows of one value would have to be sorted.
        case byValue
    }

    func strategy(
        of range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Strategy {
        let key = StatementKey(ranges: [range], direction: direction, purpose: .records)
        if let strategy = strategies.take(key) { return strategy }
        var strategy = Strategy.atOnce
        // An engine with statistics continues sorting where an index ends. Rows that conditions find
        // are in no order.
        guard !dialect.knowsSelectivity, !accessPath.leavesOrder else { return strategy }
        let explanation = try explain(.records, of: range, direction, on: connection)
        if explanation.sorting == .partly, range.openTerm < terms.count {
            let values = Purpose.values(term: range.openTerm)
            if try !sorts(values, range, direction, on: connection) { strategy = .byValue }
        }
        strategies.insert(strategy, for: key)
        return strategy
    }

    /// For large sections, which would otherwise be sorted.
    ///
    /// Nil if an index has the order within sections, or none has the order.
    func passingSections(
        _ range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> KeysetPlan? {
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

    /// It takes the values of the conditions, the keys that are not null, and a limit.
    func firstRecords(of keys: [CellValue]) -> String {
        let section = terms[0].comparand
        let first = operands.count + 1
        let values = keys.filter { !$0.isNull }.count
        let placeholders = (first..<first + values).map {
            section.parameter(dialect.placeholder($0))
        }
        var parts =
            values == 0
            ? [] : ["\(section.expression) IN (\(placeholders.joined(separator: ", ")))"]
        if values < keys.count { parts.append("\(section.expression) IS NULL") }
        let tail = tail(
            .boundedCount,
            of: KeysetRange([]),
            terms,
            placeholders: (range: 1, operands: 1),
            besides: "(\(parts.joined(separator: " OR ")))"
        )
        let order = terms.map { $0.order(withNulls: true) }
        let key = table.quotedKey.joined(separator: ", ")
        return "SELECT \(selection) FROM \(table.source) WHERE (\(key)) IN (SELECT \(key) FROM"
            + " (SELECT \(key), row_number() OVER (PARTITION BY \(section.expression) ORDER BY"
            + " \(order.dropFirst().joined(separator: ", "))) AS \"roster:number\"\(tail)"
            + ") AS found WHERE \"roster:number\" <= \(dialect.placeholder(first + values)))"
            + " ORDER BY \(order.joined(separator: ", "))"
    }

    func makePassing() -> KeysetPlan {
        KeysetPlan(
            table,
            schema: schema,
            dialect: dialect,
            grouping: grouping,
            order: order,
            conditions: conditions,
            accessPath: accessPath,
            passesSections: true
        )
    }

    func sectionCount(_ bound: KeysetRange.Bound) -> String {
        let condition =
            KeysetRange([bound]).condition(in: terms, placeholder: dialect.placeholder) ?? "TRUE"
        let limit = dialect.placeholder(bound == .equal ? 2 : 1)
        return "SELECT count(*) FROM (SELECT 1 FROM \(table.source) WHERE \(condition)"
            + " LIMIT \(limit)) AS found"
    }

    func findsRows(on connection: any EngineConnection) throws(ReadingError) -> Bool {
        if let findsRows { return findsRows }
        let explanation = try explain(
            .records,
            of: KeysetRange([.equal]),
            .forwards,
            on: connection
        )
        findsRows = explanation.finds
        return explanation.finds
    }

    func findsSections(on connection: any EngineConnection) throws(ReadingError) -> Bool {
        if let findsSections { return findsSections }
        let range = KeysetRange([.behind])
        let finds = try !sorts(.values(term: 0), range, .forwards, on: connection)
        findsSections = finds
        return finds
    }

    private func sorts(
        _ purpose: Purpose,
        _ range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Bool {
        try explain(purpose, of: range, direction, on: connection).sorting != .nothing
    }

    func explain(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ direction: Direction,
        on connection: any EngineConnection
    ) throws(ReadingError) -> Explanation {
        try connection.explain(text(purpose, of: range, direction))
    }
}
