import Listings

/// The conditions of a question in SQL: what rows have to hold besides their place in the order.
struct ConditionSQL {
    /// A condition as the engine compares it.
    private struct Condition {
        let filter: Filter
        /// The values that are bound, in order.
        let operands: [CellValue]
        /// Groups of comparisons: a row that meets the condition meets all of one group.
        var comparisons: [[Comparison]] = []
    }

    private let filters: [Condition]
    private let terms: [TextSearch.Term]
    private let table: TableDescription
    private let schema: ListSchema
    private let dialect: any Dialect
    private let filterOperands: [CellValue]

    /// Spells the conditions of a question.
    init(
        _ query: ListQuery,
        _ table: TableDescription,
        schema: ListSchema,
        dialect: any Dialect
    ) {
        filters = query.filters.map { filter in
            if let column = filter.column {
                return Self.condition(filter, column, table, schema, dialect)
            }
            let keys = filter.operands.compactMap { table.keyValues(of: $0.plainText) }
                .filter { key in
                    key.indices.allSatisfy { dialect.accepts(key[$0], keyPart: $0, of: table) }
                }
            // The parts of a key of several columns stand in the id as stored keys.
            let operands = keys.flatMap { $0.count == 1 ? $0.map(Self.bound) : $0 }
            return Condition(filter: filter, operands: operands)
        }
        terms = query.search?.terms ?? []
        self.table = table
        self.schema = schema
        self.dialect = dialect
        filterOperands = filters.flatMap(\.operands)
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

    /// Whether nothing is asked of rows.
    var isEmpty: Bool { filters.isEmpty && terms.isEmpty }

    /// A term of a search whose rows an index of words finds.
    private struct LeadingTerm {
        let number: Int
        /// The word that leads, or what it stands between.
        let bounds: [CellValue]
        let search: WordSearch
    }

    /// The term that leads: the chosen one, or else the longest, which is likely to be the rarest.
    private func leadingTerm(from place: Int, _ leadership: Leadership) -> LeadingTerm? {
        let chosen: Int? =
            switch leadership {
            case .order, .gathered, .indexes: nil
            case .condition(let number): number - filters.count
            case .free, .conditions:
                terms.indices.max { terms[$0].pattern.utf8.count < terms[$1].pattern.utf8.count }
            }
        guard let number = chosen, terms.indices.contains(number) else { return nil }
        let (word, bounds) = terms[number].lead
        let search = dialect.search(
            for: word,
            in: table,
            bounds.indices.map { dialect.place(place + $0) },
            leadership.ofCondition(filters.count + number)
        )
        return search.map { LeadingTerm(number: number, bounds: bounds, search: $0) }
    }

    /// The terms that are looked for in the words of a row: all but those that an index answers.
    private func soughtTerms(
        besides leader: LeadingTerm?,
        _ leadership: Leadership
    ) -> [TextSearch.Term] {
        terms.enumerated().filter { number, term in
            let isFound = leadership == .gathered ? isGathered(term) : number == leader?.number
            return !isFound || term.words.count > 1
        }.map(\.element)
    }

    /// Whether an index of words finds the rows of a term, or few more.
    private func isGathered(_ term: TextSearch.Term) -> Bool {
        let places = term.lead.bounds.indices.map { dialect.place($0 + 1) }
        return dialect.search(for: term.lead.word, in: table, places, .free) != nil
    }

    /// What the words of each term that an index of words answers are compared with.
    var gatheredWords: [[CellValue]] { terms.filter(isGathered).map(\.lead.bounds) }

    /// Whether the rows that have the ``gatheredWords`` are those of the search.
    var isSearchGathered: Bool { soughtTerms(besides: nil, .gathered).isEmpty }

    /// What is bound, in the order of the places.
    func operands(_ leadership: Leadership) -> [CellValue] {
        guard !terms.isEmpty else { return filterOperands }
        let leader = leadingTerm(from: 1, leadership)
        return filterOperands + (leader?.bounds ?? [])
            + soughtTerms(besides: leader, leadership).map { .text($0.pattern) }
    }

    /// A value as it is bound: a text that begins like a stored key is none, because only cursors,
    /// sections and the parts of ids have such keys.
    private static func bound(_ value: CellValue) -> CellValue {
        guard case .text(let text) = value, StoredKey.isMarked(text.utf8.span) else { return value }
        return StoredKey.value(.text, text.utf8.span)
    }

    /// Where rows are read from, and what is asked of them, each condition by itself.
    ///
    /// - Parameters:
    ///   - place: The number of the first bound value.
    ///   - leadership: Whether the engine may find rows by them.
    ///   - side: Where no condition is looked up in an index, because something else is; nil for
    ///     nowhere.
    /// - Returns: What follows FROM, and the clauses to join by AND.
    func spelling(
        from place: Int,
        _ leadership: Leadership,
        besides side: Side? = nil
    ) -> (source: String, conditions: [String]) {
        var place = place
        var clauses = filters.enumerated().map { index, filter in
            let isBounded = side != nil && self.side(of: filter) == side
            let leadership = isBounded ? .order : leadership.ofCondition(index)
            return clause(filter, &place, leadership)
        }
        guard !terms.isEmpty else { return (table.quotedName, clauses) }
        let leader = leadingTerm(from: place, leadership)
        place += leader?.bounds.count ?? 0
        if let condition = leader?.search.condition { clauses.append(condition) }
        if leadership == .gathered, let isFound = dialect.isGathered(in: table) {
            clauses.append(isFound)
        }
        let sought = soughtTerms(besides: leader, leadership)
        let places = sought.indices.map { dialect.place(place + $0) }
        if !places.isEmpty {
            let columns = schema.searchable
            clauses += dialect.matches(sought, places, columns: columns, of: table, leadership)
        }
        return (leader?.search.source ?? table.quotedName, clauses)
    }

    /// One of both sides of the values of a column.
    struct Side: Hashable {
        let expression: String
        let isLower: Bool
    }

    /// Whether a condition is a bound of an expression's values that an index may be looked up for.
    func bounds(_ expression: String, _ leadership: Leadership) -> Bool {
        filters.indices.contains { index in
            leadership.ofCondition(index) != .order
                && side(of: filters[index])?.expression == expression
        }
    }

    /// The side of a column's values that a condition bounds; nil for one that is no bound.
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
        _ place: inout Int,
        _ leadership: Leadership
    ) -> String {
        let filter = condition.filter
        guard !condition.operands.isEmpty || filter.operation == .isNull else {
            let isOpposite = filter.operation == .notEqual || filter.operation == .notAmong
            return isOpposite ? "TRUE" : "FALSE"
        }
        guard let column = filter.column else { return identity(condition, &place) }
        let type = schema.columns[column].type
        let seeksEqual =
            filter.operation == .equal || filter.operation == .among
            || filter.operation == .identical
        let comparand =
            seeksEqual
            ? dialect.equated(column: column, of: table, as: type)
            : dialect.comparand(column: column, of: table, as: type)
        let value =
            leadership == .order ? dialect.shielded(comparand.expression) : comparand.expression
        func next() -> String {
            defer { place += 1 }
            return comparand.parameter(dialect.place(place))
        }
        switch filter.operation {
        case .equal, .among, .identical, .less, .atMost, .greater, .atLeast:
            return Self.union(condition.comparisons, of: value, next)
        case .notEqual, .notAmong:
            return "(NOT \(Self.union(condition.comparisons, of: value, next)) OR \(value) IS NULL)"
        case .isNull:
            return filter.operands == [.boolean(true)]
                ? "\(value) IS NULL" : "\(value) IS NOT NULL"
        case .contains, .startsWith, .endsWith:
            let part = dialect.place(place)
            place += 1
            let text = dialect.folded(column: column, of: table)
            let letters = dialect.letters(text, filter.operation, part)
            guard leadership.asksTexts,
                let hint = dialect.hint(
                    filter.operation,
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
    /// The condition that all comparisons of one of some groups hold.
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

    /// The condition that a row has one of some ids, or none of them: their key finds the rows, which
    /// are few.
    private func identity(_ condition: Condition, _ place: inout Int) -> String {
        let parts = table.key.indices
        var ids: [String] = []
        for _ in 0..<condition.operands.count / parts.count {
            let first = place
            place += parts.count
            ids.append(
                parts.map { dialect.identity(keyPart: $0, of: table, place: first + $0) }
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
    /// The longest word and what the words of an index that answer it are compared with: itself, or
    /// the bounds of those that begin with it.
    fileprivate var lead: (word: String, bounds: [CellValue]) {
        let number = words.indices.max { words[$0].utf8.count < words[$1].utf8.count } ?? 0
        let word = words[number]
        guard isPrefix, number == words.count - 1 else { return (word, [.text(word)]) }
        // No word has this character, behind which no other stands.
        return (word, [.text(word), .text(word + "\u{10FFFF}")])
    }
}

/// What leads the engine to rows: left alone it may take the wrong way, because it does not know how
/// many rows a condition chooses.
package enum Leadership: Hashable, Sendable {
    /// Whatever the engine finds best.
    case free
    /// The conditions find the rows, which are then sorted: right where they are few.
    case conditions
    /// One condition finds the rows, by its number, the terms of a search being the last; the others
    /// are looked at: right where rows that meet this one are few.
    case condition(Int)
    /// The rows are read in order, and the conditions are looked at one by one: right where many meet
    /// them.
    case order
    /// The rows are read in order, and each is looked up among those that have the words, which were
    /// gathered before: right where many have them and all of those stand far behind.
    case gathered
    /// Every condition and every place in the order that an index is looked up for is looked up, and
    /// only rows that all of them have are looked at: right where there may be none.
    case indexes
}

extension Leadership {
    /// What leads as far as one of the conditions is concerned.
    func ofCondition(_ number: Int) -> Leadership {
        switch self {
        case .condition(let leader): return number == leader ? .conditions : .order
        case .gathered: return .order
        case .free, .conditions, .order, .indexes: return self
        }
    }

    /// Whether conditions find the rows, so that no index of the order is looked up.
    package var leavesOrder: Bool {
        switch self {
        case .free, .order, .gathered, .indexes: false
        case .conditions, .condition: true
        }
    }

    /// Whether an index of what stands in texts is looked up.
    package var asksTexts: Bool { leavesOrder || self == .indexes }
}
