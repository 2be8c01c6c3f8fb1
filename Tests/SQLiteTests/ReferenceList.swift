import Listings

/// A row as the tests know it.
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
            .sorted { isLess(place($0, query), place($1, query), query) }
    }

    /// Where a row stands.
    struct Place {
        let section: SectionKey
        let values: [CellValue]
    }

    func place(_ row: ReferenceRow, _ query: ListQuery) -> Place {
        Place(
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

    func isLess(_ left: Place, _ right: Place, _ query: ListQuery) -> Bool {
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
    /// How an id looks in addresses.
    var idText: String { plainText }
}
