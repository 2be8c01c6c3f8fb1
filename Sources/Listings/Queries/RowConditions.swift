package struct RowConditions {
    private struct Condition {
        let filter: Filter
        /// Sorted, for equality or membership.
        let operands: [CellValue]
        /// The comparisons with times, of which a value meets all of one operand.
        let times: [[(operation: Filter.Operator, instant: TimeSpan.Instant)]]
        let pattern: [UInt8]
        let members: [Condition]

        init(_ filter: Filter) {
            self.filter = filter
            members = filter.group?.members.map(Condition.init) ?? []
            var pattern: [UInt8] = []
            if filter.operation.matchesLetters, case .text(let text) = filter.operands[0] {
                TextCollation.appendFolded(text.utf8.span, to: &pattern)
            }
            self.pattern = pattern
            let spans =
                filter.operation == .identical ? [] : filter.operands.compactMap { TimeSpan($0) }
            times = spans.map { $0.bounds(filter.operation) }
            operands = filter.operands.filter { spans.isEmpty || $0.kind != .time }
                .sorted { RowOrder.compareIDs($0, $1) < 0 }
        }
    }

    private let conditions: [Condition]
    private let patterns: [[UInt8]]
    private let searchable: [Int]

    /// Conditions of the column are left out, except fixed ones.
    package init(_ query: ListQuery, _ schema: ListSchema, leavingOut column: Int? = nil) {
        conditions = query.filters
            .filter { column == nil || schema.column(of: $0) != column || $0.isFixed }
            .map(Condition.init)
        patterns = query.search?.terms.map { Array($0.pattern.utf8) } ?? []
        searchable = patterns.isEmpty ? [] : schema.searchable
    }

    package func hold(_ value: (SortKey.Field) -> CellValue) -> Bool {
        conditions.allSatisfy { Self.holds($0, value) } && isFound(value)
    }

    private func isFound(_ value: (SortKey.Field) -> CellValue) -> Bool {
        guard !patterns.isEmpty else { return true }
        let texts = searchable.map { column -> [UInt8] in
            var words: [UInt8] = []
            if let text = value(.column(column)).searchedText {
                TextSearch.appendWords(of: text.utf8.span, to: &words)
            }
            return words
        }
        return patterns.allSatisfy { pattern in
            texts.contains { $0.firstIndex(of: pattern) != nil }
        }
    }

    private static func holds(
        _ condition: Condition,
        _ value: (SortKey.Field) -> CellValue
    ) -> Bool {
        guard let group = condition.filter.group else {
            return holds(condition, value(condition.filter.field))
        }
        return group.holds(condition.members) { holds($0, value) }
    }

    private static func holds(_ condition: Condition, _ value: CellValue) -> Bool {
        let filter = condition.filter
        let operand = filter.operands[0]
        let value = filter.field == .id ? .text(value.plainText) : value
        switch filter.operation {
        case .equal, .among: return isAny(value, of: condition)
        case .notEqual, .notAmong: return !isAny(value, of: condition)
        case .identical: return value == operand
        case .isNull: return operand == .boolean(value.isNull)
        case .less, .atMost, .greater, .atLeast:
            guard value.kind == operand.kind else { return false }
            if value.kind == .time { return isTimely(value, condition) }
            return holds(filter.operation, RowOrder.compare(value, operand))
        case .contains, .startsWith, .endsWith:
            guard let text = value.searchedText else { return false }
            var folded: [UInt8] = []
            TextCollation.appendFolded(text.utf8.span, to: &folded)
            return matches(folded, filter.operation, condition.pattern)
        }
    }

    /// The result is that of ``RowOrder/compare(_:_:)``.
    private static func holds(_ operation: Filter.Operator, _ result: Int) -> Bool {
        switch operation {
        case .less: result < 0
        case .atMost: result <= 0
        case .greater: result > 0
        case .atLeast: result >= 0
        default: result == 0
        }
    }

    /// Whether a value begins at a time that meets the comparisons with one of the operands.
    private static func isTimely(_ value: CellValue, _ condition: Condition) -> Bool {
        guard !condition.times.isEmpty, let start = TimeSpan(value)?.start else { return false }
        return condition.times.contains { bounds in
            bounds.allSatisfy { bound in
                let order = start < bound.instant ? -1 : start == bound.instant ? 0 : 1
                return holds(bound.operation, order)
            }
        }
    }

    private static func isAny(_ value: CellValue, of condition: Condition) -> Bool {
        guard !value.isNull else { return false }
        if isTimely(value, condition) { return true }
        var candidates = condition.operands[...]
        while !candidates.isEmpty {
            let middle = candidates.startIndex + candidates.count / 2
            let result = RowOrder.compareIDs(value, candidates[middle])
            if result == 0 { return true }
            candidates = result < 0 ? candidates[..<middle] : candidates[(middle + 1)...]
        }
        return false
    }

    private static func matches(
        _ text: [UInt8],
        _ operation: Filter.Operator,
        _ pattern: [UInt8]
    ) -> Bool {
        switch operation {
        case .startsWith: text.starts(with: pattern)
        case .endsWith: text.reversed().starts(with: pattern.reversed())
        default: text.firstIndex(of: pattern) != nil
        }
    }
}

extension CellValue {
    /// The text that filters and searches match: the spelling of every value except bytes.
    package var searchedText: String? {
        switch kind {
        case .null, .bytes: nil
        case .boolean, .number, .time, .text, .json: plainText
        }
    }
}

extension [Filter] {
    /// `value` returns the row's id, or its value of a column.
    package func areMet(
        in schema: ListSchema,
        by value: (SortKey.Field) -> CellValue
    ) -> Bool {
        var query = ListQuery(shape: .flow(limit: 1))
        query.filters = self
        return RowConditions(query, schema).hold(value)
    }
}

/// The rows of a list that a caller may see.
///
/// Other rows do not exist for the caller.
package struct RowScope: Hashable, Sendable {
    package let conditions: [Filter]

    /// All rows: the scope of the service itself, and of callers without conditions.
    package static let everyRow = RowScope(meeting: [])

    package init(meeting conditions: [Filter]) { self.conditions = conditions }

    package var isEveryRow: Bool { conditions.isEmpty }

    package func contains(in schema: ListSchema, by value: (SortKey.Field) -> CellValue) -> Bool {
        conditions.isEmpty || conditions.areMet(in: schema, by: value)
    }
}
