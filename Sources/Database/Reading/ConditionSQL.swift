import Listings

struct ConditionSQL {
    private struct Condition {
        let filter: Filter
        let operands: [CellValue]
        /// A row meets the condition if it meets all comparisons of one group.
        var comparisons: [[Comparison]] = []
        var members: [Condition] = []
    }

    private let filters: [Condition]
    private let terms: [TextSearch.Term]
    private var table: TableDescription
    private let schema: ListSchema
    private let dialect: any Dialect
    private let filterOperands: [CellValue]

    init(
        _ query: ListQuery,
        _ table: TableDescription,
        schema: ListSchema,
        dialect: any Dialect
    ) {
        filters = query.filters.map { Self.condition($0, table, schema, dialect) }
        terms = query.search?.terms ?? []
        self.table = table
        self.schema = schema
        self.dialect = dialect
        filterOperands = filters.flatMap(\.operands)
    }

    private static func condition(
        _ filter: Filter,
        _ table: TableDescription,
        _ schema: ListSchema,
        _ dialect: any Dialect
    ) -> Condition {
        if let group = filter.group {
            let members = group.members.map { condition($0, table, schema, dialect) }
            let operands = members.flatMap(\.operands)
            return Condition(filter: filter, operands: operands, members: members)
        }
        if let column = filter.column { return condition(filter, column, table, schema, dialect) }
        let keys = filter.operands.compactMap { table.keyValues(of: $0.plainText) }
            .filter { key in
                key.indices.allSatisfy { dialect.accepts(key[$0], keyPart: $0, of: table) }
            }
        // The parts of a composite key are contained in the id as stored keys.
        let operands = keys.flatMap { $0.count == 1 ? $0.map(bound) : $0 }
        return Condition(filter: filter, operands: operands)
    }

    private static func condition(
        _ filter: Filter,
        _ column: Int,
        _ table: TableDescription,
        _ schema: ListSchema,
        _ dialect: any Dialect
    ) -> Condition {
        let operands = filter.operands.filter { dialect.accepts($0, of: filter, in: table) }
        switch filter.operation {
        case .isNull: return Condition(filter: filter, operands: [])
        case .contains, .startsWith, .endsWith:
            let folded = operands.map { bound(.text(TextCollation.folded($0.plainText))) }
            return Condition(filter: filter, operands: folded)
        default:
            let isOpposite = filter.operation == .notEqual || filter.operation == .notAmong
            let operation = filter.operation.seeksValues ? .equal : filter.operation
            let groups = operands.map { operand in
                dialect.comparisons(
                    isOpposite ? .equal : operation,
                    operand,
                    column: column,
                    of: table,
                    as: schema.columns[column].type
                ).map { Comparison($0.sign, bound($0.value), of: $0.expression) }
            }.filter { !$0.isEmpty }
            return Condition(
                filter: filter,
                operands: groups.flatMap { $0.map(\.value) },
                comparisons: groups
            )
        }
    }

    func joined(_ table: TableDescription) -> ConditionSQL {
        var conditions = self
        conditions.table = table
        return conditions
    }

    var isEmpty: Bool { filters.isEmpty && terms.isEmpty }

    private struct LeadingTerm {
        let number: Int
        let bounds: [CellValue]
        let search: WordSearch
    }

    /// The leading term: the chosen one, otherwise the longest, which is probably the rarest.
    private func leadingTerm(from placeholder: Int, _ accessPath: AccessPathChoice) -> LeadingTerm?
    {
        let chosen: Int? =
            switch accessPath {
            case .order, .gathered, .indexes, .scan: nil
            case .condition(let number): number - filters.count
            case .free, .conditions:
                terms.indices.max { terms[$0].pattern.utf8.count < terms[$1].pattern.utf8.count }
            }
        guard let number = chosen, terms.indices.contains(number) else { return nil }
        let (word, bounds) = terms[number].lead
        let search = dialect.search(
            for: word,
            in: table,
            bounds.indices.map { dialect.placeholder(placeholder + $0) },
            accessPath.ofCondition(filters.count + number)
        )
        return search.map { LeadingTerm(number: number, bounds: bounds, search: $0) }
    }

    private func soughtTerms(
        besides leader: LeadingTerm?,
        _ accessPath: AccessPathChoice
    ) -> [TextSearch.Term] {
        terms.enumerated().filter { number, term in
            let isFound = accessPath == .gathered ? isGathered(term) : number == leader?.number
            return !isFound || term.words.count > 1
        }.map(\.element)
    }

    /// Whether a word index finds the rows of a term, possibly with a few others.
    private func isGathered(_ term: TextSearch.Term) -> Bool {
        let placeholders = term.lead.bounds.indices.map { dialect.placeholder($0 + 1) }
        return dialect.search(for: term.lead.word, in: table, placeholders, .free) != nil
    }

    var gatheredWords: [[CellValue]] { terms.filter(isGathered).map(\.lead.bounds) }

    var isSearchGathered: Bool { soughtTerms(besides: nil, .gathered).isEmpty }

    func operands(_ accessPath: AccessPathChoice) -> [CellValue] {
        guard !terms.isEmpty else { return filterOperands }
        let leader = leadingTerm(from: 1, accessPath)
        return filterOperands + (leader?.bounds ?? [])
            + soughtTerms(besides: leader, accessPath).map { .text($0.pattern) }
    }

    /// A text that looks like a stored key is escaped, because only cursors, sections and id parts
    /// contain such keys.
    private static func bound(_ value: CellValue) -> CellValue {
        guard case .text(let text) = value, EncodedKey.isMarked(text.utf8.span) else {
            return value
        }
        return EncodedKey.value(text.utf8.span)
    }

    /// No condition uses an index on the side, because the position does.
    func spelling(
        from placeholder: Int,
        _ accessPath: AccessPathChoice,
        besides side: Side? = nil
    ) -> (source: String, conditions: [String]) {
        var placeholder = placeholder
        var clauses = [table.joinCondition].compactMap(\.self)
        for (index, filter) in filters.enumerated() {
            let isBounded = side != nil && self.side(of: filter) == side
            let accessPath = isBounded ? .order : accessPath.ofCondition(index)
            clauses.append(clause(filter, &placeholder, accessPath))
        }
        guard !terms.isEmpty else { return (table.source, clauses) }
        let leader = leadingTerm(from: placeholder, accessPath)
        placeholder += leader?.bounds.count ?? 0
        if let condition = leader?.search.condition { clauses.append(condition) }
        if accessPath == .gathered, let isFound = dialect.isGathered(in: table) {
            clauses.append(isFound)
        }
        let sought = soughtTerms(besides: leader, accessPath)
        let placeholders = sought.indices.map { dialect.placeholder(placeholder + $0) }
        if !placeholders.isEmpty {
            let columns = schema.searchable
            clauses += dialect.matches(
                sought,
                placeholders,
                columns: columns,
                of: table,
                accessPath
            )
        }
        return (leader?.search.source ?? table.source, clauses)
    }

    struct Side: Hashable {
        let expression: String
        let isLower: Bool
    }

    func bounds(_ expression: String, _ accessPath: AccessPathChoice) -> Bool {
        filters.indices.contains { index in
            accessPath.ofCondition(index) != .order
                && side(of: filters[index])?.expression == expression
        }
    }

    private func side(of condition: Condition) -> Side? {
        guard let column = condition.filter.column, !condition.operands.isEmpty else { return nil }
        let isLower: Bool
        switch condition.filter.operation {
        case .greater, .atLeast: isLower = true
        case .less, .atMost: isLower = false
        default: return nil
        }
        let type = schema.columns[column].type
        let expression = dialect.comparand(column: column, of: table, as: type).expression
        return Side(expression: expression, isLower: isLower)
    }

    private func clause(
        _ condition: Condition,
        _ placeholder: inout Int,
        _ accessPath: AccessPathChoice
    ) -> String {
        let filter = condition.filter
        if let group = filter.group {
            // A comparison with a missing value is unknown in SQL. It must be false, so that its
            // opposite is true.
            let clauses = condition.members.map { "(\(clause($0, &placeholder, accessPath)))" }
            let all = clauses.joined(separator: group.joint == .any ? " OR " : " AND ")
            return group.joint == .notAll ? "(\(all)) IS NOT TRUE" : "(\(all))"
        }
        guard !condition.operands.isEmpty || filter.operation == .isNull else {
            let isOpposite = filter.operation == .notEqual || filter.operation == .notAmong
            return isOpposite ? "TRUE" : "FALSE"
        }
        guard let column = filter.column else { return identity(condition, &placeholder) }
        let type = schema.columns[column].type
        let seeksEqual =
            filter.operation == .equal || filter.operation == .among
            || filter.operation == .identical
        let comparand =
            seeksEqual
            ? dialect.equated(column: column, of: table, as: type)
            : dialect.comparand(column: column, of: table, as: type)
        func shielded(_ expression: String) -> String {
            accessPath == .order ? dialect.shielded(expression) : expression
        }
        let value = shielded(comparand.expression)
        func next() -> String {
            defer { placeholder += 1 }
            return comparand.parameter(dialect.placeholder(placeholder))
        }
        let comparisons = condition.comparisons.map { group in
            group.map { Comparison($0.sign, $0.value, of: $0.expression.map(shielded)) }
        }
        switch filter.operation {
        case .equal, .among, .identical, .less, .atMost, .greater, .atLeast:
            return Self.union(comparisons, of: value, next)
        case .notEqual, .notAmong:
            return "(NOT \(Self.union(comparisons, of: value, next)) OR \(value) IS NULL)"
        case .isNull:
            // No index has the keys of a foreign table.
            let isKey = comparand.form == .byteKey
            let value = isKey ? shielded(table.quotedColumns[column]) : value
            return filter.operands == [.boolean(true)]
                ? "\(value) IS NULL" : "\(value) IS NOT NULL"
        case .contains, .startsWith, .endsWith:
            let part = dialect.placeholder(placeholder)
            placeholder += 1
            let text = dialect.folded(column: column, of: table)
            let letters = dialect.letters(text, filter.operation, part)
            guard accessPath.asksTexts,
                let hint = dialect.hint(
                    filter.operation,
                    condition.operands.first?.plainText ?? "",
                    column: column,
                    part,
                    columns: schema.searchable,
                    of: table
                )
            else { return letters }
            return "\(letters) AND \(hint)"
        }
    }
}

extension ConditionSQL {
    private static func union(
        _ groups: [[Comparison]],
        of value: String,
        _ next: () -> String
    ) -> String {
        guard !groups.isEmpty else { return "1 = 0" }
        let areEqualities = groups.allSatisfy {
            $0.count == 1 && $0[0].sign == "=" && $0[0].expression == nil
        }
        if groups.count > 1, areEqualities {
            return "\(value) IN (\(groups.map { _ in next() }.joined(separator: ", ")))"
        }
        let clauses = groups.map { group in
            let parts = group.map { "\($0.expression ?? value) \($0.sign) \(next())" }
            return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " AND ")))"
        }
        return clauses.count == 1 ? clauses[0] : "(\(clauses.joined(separator: " OR ")))"
    }

    private func identity(_ condition: Condition, _ placeholder: inout Int) -> String {
        let parts = table.key.indices
        var ids: [String] = []
        for _ in 0..<condition.operands.count / parts.count {
            let first = placeholder
            placeholder += parts.count
            ids.append(
                parts.map { dialect.identity(keyPart: $0, of: table, placeholder: first + $0) }
                    .joined(separator: " AND ")
            )
        }
        let isAny = "(\(ids.joined(separator: " OR ")))"
        switch condition.filter.operation {
        case .notEqual, .notAmong: return "NOT \(isAny)"
        default: return isAny
        }
    }
}

extension TextSearch.Term {
    fileprivate var lead: (word: String, bounds: [CellValue]) {
        let number = words.indices.max { words[$0].utf8.count < words[$1].utf8.count } ?? 0
        let word = words[number]
        guard isPrefix, number == words.count - 1 else { return (word, [.text(word)]) }
        // No word contains this character, and it sorts after all others.
        return (word, [.text(word), .text(word + "\u{10FFFF}")])
    }
}

/// The engine alone may choose a slow one, because it does not know the selectivity of conditions.
package enum AccessPathChoice: Hashable, Sendable {
    case free
    /// The conditions find the rows, which are then sorted. Best if few rows match.
    case conditions
    /// The condition with this number finds the rows, and the others are checked. The terms of a
    /// search have the last numbers. Best if few rows match this condition.
    case condition(Int)
    /// The rows are read in order, and the conditions are checked. Best if many rows match.
    case order
    /// The rows are read in order, and each is looked up among the gathered rows with the words.
    /// Best if many rows match, all of them late in the order.
    case gathered
    /// All rows are read without an index, and the matching ones are sorted. Best if an index
    /// finds many rows of which few match.
    case scan
    /// All conditions and positions that can use an index do, and only rows found by all of them
    /// are read. Best if no row may match.
    case indexes
}

extension AccessPathChoice {
    func ofCondition(_ number: Int) -> AccessPathChoice {
        switch self {
        case .condition(let leader): return number == leader ? .conditions : .order
        case .gathered, .scan: return .order
        case .free, .conditions, .order, .indexes: return self
        }
    }

    package var leavesOrder: Bool {
        switch self {
        case .free, .order, .gathered, .indexes: false
        case .conditions, .condition, .scan: true
        }
    }

    package var asksTexts: Bool { leavesOrder && self != .scan || self == .indexes }
}
