import Database
import Listings

/// Everything prepared for one order of a table: its steps in SQL, and the statements that read its
/// ranges, each made when it is first needed.
final class OrderPlan {
    /// What a statement reads of a range.
    enum Purpose: Hashable {
        /// Whole records, at most a number, after skipping a number.
        case records
        /// How many records there are, up to a number.
        case boundedCount
        /// The keys of sections, each once, at most a number.
        case sectionKeys
    }
    private struct StatementKey: Hashable {
        let range: KeysetRange
        let direction: Direction
        let purpose: Purpose
    }

    let grouping: Grouping?
    let order: [SortKey]
    let layout: RecordLayout
    /// The type of the sections' keys; nil without sections.
    let sectionType: ColumnType?
    /// The order from its beginning to its end; with sections, their key comes first.
    private let terms: [OrderTerm]
    private let reversedTerms: [OrderTerm]
    private let table: TableDescription
    private let selection: String
    private var statements = BoundedCache<StatementKey, Statement>(capacity: 48)
    private var walksSections: Bool?
    private var findsSections: Bool?

    init(_ table: TableDescription, schema: ListSchema, grouping: Grouping?, order: [SortKey]) {
        self.table = table
        self.grouping = grouping
        self.order = order
        layout = RecordLayout(table: table, schema: schema, grouping: grouping)
        sectionType = schema.keyType(of: grouping)
        let sql = TableSQL(table, schema: schema)
        terms = (grouping.map { [sql.term(for: $0)] } ?? []) + order.flatMap(sql.terms)
        reversedTerms = terms.map(\.reversed)
        selection = sql.selection(grouping: grouping)
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

    /// A statement for a range: the values of its terms are bound at 1, 2, …, the number of records
    /// at ``limitPlace`` and, for records, the number to skip at ``skipPlace``.
    func statement(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ direction: Direction,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> Statement {
        let key = StatementKey(range: range, direction: direction, purpose: purpose)
        if let statement = statements.take(key) { return statement }
        let statement = try connection.prepare(text(purpose, of: range, direction))
        statements.insert(statement, for: key)
        return statement
    }

    var limitPlace: Int { terms.count + 1 }
    var skipPlace: Int { terms.count + 2 }

    private func text(_ purpose: Purpose, of range: KeysetRange, _ direction: Direction) -> String {
        let terms =
            purpose == .sectionKeys
            ? Array(terms(direction).prefix(1)) : terms(direction)
        var tail = " FROM \(table.quotedName)"
        if let condition = range.condition(in: terms) { tail += " WHERE \(condition)" }
        if purpose != .boundedCount, let order = range.order(in: terms) {
            tail += " ORDER BY \(order)"
        }
        tail += " LIMIT ?\(limitPlace)"
        return switch purpose {
        case .records: "SELECT \(selection)\(tail) OFFSET ?\(skipPlace)"
        case .boundedCount: "SELECT count(*) FROM (SELECT 1\(tail))"
        case .sectionKeys: "SELECT DISTINCT \(terms[0].expression)\(tail)"
        }
    }
}

extension OrderPlan {
    /// Which way an order is read.
    enum Direction: Hashable {
        case forwards, backwards

        var opposite: Direction { self == .forwards ? .backwards : .forwards }
    }

    /// Whether an index finds the next section.
    func findsSections(on connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        guard grouping != nil else { return false }
        if let findsSections { return findsSections }
        let sorts = try sorts(.sectionKeys, KeysetRange([.behind]), on: connection)
        findsSections = !sorts
        return !sorts
    }

    /// Whether rows are better read section by section than in one pass.
    ///
    /// So where an index finds the sections, but a pass would sort whole sections because rows
    /// without a value stand last in them.
    func walksSections(on connection: DatabaseConnection) throws(SQLiteError) -> Bool {
        if let walksSections { return walksSections }
        guard try findsSections(on: connection) else {
            walksSections = false
            return false
        }
        let sorts = try sorts(.records, KeysetRange([.isNotNull]), on: connection)
        walksSections = sorts
        return sorts
    }

    /// Whether the engine would have to sort what a statement reads.
    private func sorts(
        _ purpose: Purpose,
        _ range: KeysetRange,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        // The text is for people and may change: rows would then be read the slower way.
        try explain(purpose, of: range, .forwards, on: connection)
            .contains { $0.contains("TEMP B-TREE") }
    }

    /// What the engine would do for a statement, in its own words.
    func explain(
        _ purpose: Purpose,
        of range: KeysetRange,
        _ direction: Direction,
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> [String] {
        let plan = try connection.prepare(
            "EXPLAIN QUERY PLAN " + text(purpose, of: range, direction)
        )
        var lines: [String] = []
        while try plan.step() { lines.append(plan.text(3)) }
        return lines
    }
}
