import Listings

struct ReferenceRow: Hashable {
    let id: CellValue
    var values: [CellValue]
}

/// The rows of a list in memory, put in order by the plainest means: what a source has to agree with.
struct ReferenceList {
    var rows: [ReferenceRow]
    /// Whether texts are compared byte by byte.
    let comparesBytes: Bool

    /// The rows of a query in order, whatever its page.
    func ordered(_ query: ListQuery) -> [ReferenceRow] {
        rows.filter { row in query.sections.map { $0.contains(section(row, query)) } ?? true }
            .filter { meets($0, query) }
            .sorted { isLess(location($0, query), location($1, query), query) }
    }

    /// Whether a row meets the conditions of a query, by the plainest means.
    func meets(_ row: ReferenceRow, _ query: ListQuery, besides column: Int? = nil) -> Bool {
        let filters = query.filters.filter { column == nil || $0.column != column }
        guard filters.allSatisfy({ meets(row, $0) }) else { return false }
        return (query.search?.terms ?? []).allSatisfy { term in
            row.values.contains { value in
                guard case .text(let text) = value else { return false }
                return has(words(text), term)
            }
        }
    }

    private func meets(_ row: ReferenceRow, _ filter: Filter) -> Bool {
        guard let group = filter.group else {
            return meets(filter.column.map { row.values[$0] } ?? .text(row.id.plainText), filter)
        }
        let outcomes = group.members.map { meets(row, $0) }
        switch group.joint {
        case .all: return !outcomes.contains(false)
        case .any: return outcomes.contains(true)
        case .notAll: return outcomes.contains(false)
        }
    }

    private func meets(_ value: CellValue, _ filter: Filter) -> Bool {
        let isAny = filter.operands.contains(value)
        switch filter.operation {
        case .equal, .among: return isAny
        case .notEqual, .notAmong: return !isAny
        case .isNull: return value.isNull == (filter.operands[0] == .boolean(true))
        case .identical: return isAny
        default: break
        }
        guard !value.isNull else { return false }
        let operand = filter.operands[0]
        let order = compare(value, operand, bytes: comparesBytes)
        let (text, part) = (plain(value.plainText), plain(operand.plainText))
        switch filter.operation {
        case .less: return order < 0
        case .atMost: return order <= 0
        case .greater: return order > 0
        case .atLeast: return order >= 0
        case .contains: return part.isEmpty || text.contains(part)
        case .startsWith: return text.hasPrefix(part)
        default: return text.hasSuffix(part)
        }
    }

    /// A text in small letters without accents; good for the letters of these tests.
    private func plain(_ text: String) -> String {
        let accents: [Character: Character] = [
            "á": "a", "å": "a", "é": "e", "ë": "e", "ł": "l", "ó": "o", "ź": "z",
        ]
        return String(text.lowercased().map { accents[$0] ?? $0 })
    }

    private func words(_ text: String) -> [String] {
        plain(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private func has(_ words: [String], _ term: TextSearch.Term) -> Bool {
        words.indices.contains { start in
            let found = words[start...].prefix(term.words.count)
            guard found.count == term.words.count else { return false }
            return zip(found, term.words).enumerated().allSatisfy { index, pair in
                let isLast = index == term.words.count - 1
                return isLast && term.isPrefix ? pair.0.hasPrefix(pair.1) : pair.0 == pair.1
            }
        }
    }

    struct Location {
        let section: SectionKey
        let values: [CellValue]
    }

    func location(_ row: ReferenceRow, _ query: ListQuery) -> Location {
        Location(
            section: section(row, query),
            values: query.order.map { key in
                switch key.field {
                case .id: row.id
                case .column(let column): row.values[column]
                }
            }
        )
    }

    func section(_ row: ReferenceRow, _ query: ListQuery) -> SectionKey {
        guard let grouping = query.grouping else { return .whole }
        return .value(grouping.key(for: row.values[grouping.column]))
    }

    func isLess(_ left: Location, _ right: Location, _ query: ListQuery) -> Bool {
        let sections = compareSections(left.section, right.section)
        if sections != 0 { return sections < 0 }
        for (index, key) in query.order.enumerated() {
            let isID = key.field == .id
            let (left, right) = (left.values[index], right.values[index])
            if left.isNull != right.isNull { return left.isNull == (key.nulls == .first) }
            let order = compare(left, right, bytes: isID || comparesBytes)
            if order != 0 { return (order < 0) == (key.direction == .ascending) }
        }
        return false
    }

    func compareSections(_ left: SectionKey, _ right: SectionKey) -> Int {
        guard case .value(let left) = left, case .value(let right) = right else { return 0 }
        if left.isNull != right.isNull { return left.isNull ? 1 : -1 }
        return compare(left, right, bytes: comparesBytes)
    }

    private func compare(_ left: CellValue, _ right: CellValue, bytes: Bool) -> Int {
        switch (left, right) {
        case (.text(let left), .text(let right)):
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            return bytes
                ? TextCollation.compareBytes(left.span, right.span)
                : TextCollation.compare(left.span, right.span)
        case (.integer(let left), .integer(let right)):
            return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left), .real(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.boolean(let left), .boolean(let right)): return left == right ? 0 : left ? 1 : -1
        case (.date(let left), .date(let right)): return left < right ? -1 : left > right ? 1 : 0
        default: return 0
        }
    }
}

extension CellValue {
    var idText: String { plainText }
}
