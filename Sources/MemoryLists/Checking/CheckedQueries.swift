import Listings

struct CheckedQueries {
    private let schema: ListSchema
    private let rows: [StaticRow]
    private let sections: [SectionInfo]
    private var random: SplitMix

    init(_ check: ListSourceCheck, seed: UInt64) {
        schema = check.schema
        rows = check.rows
        sections = check.sections
        random = SplitMix(state: seed)
    }

    private mutating func chance(_ number: Int) -> Bool {
        Int.random(in: 0..<number, using: &random) == 0
    }

    mutating func next() -> ListQuery {
        let abilities = schema.abilities
        let limit = Int.random(in: 1...min(7, schema.maximumLimit), using: &random)
        var query = ListQuery(
            grouping: schema.defaultGrouping,
            sort: chance(3) ? schema.defaultSort : randomOrder(),
            shape: chance(5) ? .peek(limit: limit, rows: min(2, limit)) : .flow(limit: limit)
        )
        if abilities.contains(.grouping), chance(2) { query.grouping = randomGrouping() }
        for _ in 0..<2 where chance(2) {
            if let filter = randomFilter() { query.filters.append(filter) }
        }
        if abilities.contains(.joining), chance(4) {
            let members = (0..<2).compactMap { _ in randomFilter() }
            let joint: FilterGroup.Joint = chance(2) ? .any : .notAll
            if !members.isEmpty { query.filters.append(Filter(FilterGroup(joint, members))) }
        }
        if !schema.searchable.isEmpty, chance(4) { query.search = randomSearch() }
        query.counting = abilities.contains(.counting) ? .exact : .off
        let facets = schema.columns.indices.filter { schema.columns[$0].isFacet }
        if abilities.contains(.counting), chance(4),
            let column = facets.randomElement(using: &random)
        {
            query.facets = [column]
        }
        if abilities.contains(.aggregating), chance(4) {
            query.aggregates = randomAggregates()
            query.statistics = schema.columns.indices
                .filter { ColumnStatistics.isUsable(schema.columns[$0]) }
                .randomElement(using: &random)
        }
        if chance(5), let key = randomSection(of: query) { query.sections = [key] }
        if abilities.contains(.skipping), chance(5) {
            query.start = .offset(Int.random(in: 1...max(1, rows.count / 2), using: &random))
        }
        return query
    }

    private mutating func randomOrder() -> [SortKey] {
        var fields = schema.columns.indices.filter { schema.columns[$0].isSortable }
            .map(SortKey.Field.column)
        if schema.sortsByHiddenID { fields.append(.id) }
        fields.shuffle(using: &random)
        return fields.prefix(chance(2) ? 1 : 2).map { field in
            SortKey(
                field,
                chance(2) ? .ascending : .descending,
                nulls: chance(3) ? .first : .last
            )
        }
    }

    private mutating func randomGrouping() -> Grouping? {
        let columns = schema.columns.indices.filter { schema.columns[$0].isGroupable }
        guard let column = columns.randomElement(using: &random) else { return nil }
        let isInitial = schema.columns[column].type.isText && chance(3)
        return Grouping(column: column, part: isInitial ? .initial : .value)
    }

    private mutating func randomSection(of query: ListQuery) -> SectionKey? {
        if schema.usesOwnSections(query) {
            return sections.randomElement(using: &random).map { .named($0.id) }
        }
        guard let row = rows.randomElement(using: &random) else { return nil }
        return query.grouping.map { .value($0.key(for: row.cells[$0.column])) }
    }

    private mutating func randomFilter() -> Filter? {
        guard let row = rows.randomElement(using: &random) else { return nil }
        if chance(5), let operation = schema.operatorsForIDs.randomElement(using: &random) {
            return Filter(id: operation, [row.id])
        }
        guard let position = schema.filterable.randomElement(using: &random) else { return nil }
        let column = schema.columns[position]
        guard let operation = schema.operators(for: column).randomElement(using: &random) else {
            return nil
        }
        // The column of the ids is compared with them by the service.
        if position == schema.idColumn, operation.isAllowedForIDs { return nil }
        if operation == .isNull { return Filter(column: position, .isNull, [.boolean(chance(2))]) }
        let value = row.cells[position]
        guard !value.isNull else { return nil }
        let operands: [CellValue]
        switch operation {
        case .equal, .notEqual, .among, .notAmong:
            operands = column.candidates(for: value.plainText)
        case .identical: operands = [value]
        case .less, .atMost, .greater, .atLeast:
            operands = [column.operand(for: value.plainText)].compactMap(\.self)
        case .contains, .startsWith:
            operands = [.text(String(value.plainText.prefix(2)))]
        case .endsWith: operands = [.text(String(value.plainText.suffix(2)))]
        case .isNull: operands = []
        }
        guard let first = operands.first, !first.plainText.isEmpty else { return nil }
        return Filter(column: position, operation, operation.seeksValues ? operands : [first])
    }

    private mutating func randomSearch() -> TextSearch? {
        guard let row = rows.randomElement(using: &random),
            let column = schema.searchable.randomElement(using: &random)
        else { return nil }
        let words = row.cells[column].plainText.split(separator: " ")
        return words.randomElement(using: &random).flatMap { TextSearch(String($0.prefix(4))) }
    }

    private mutating func randomAggregates() -> [Aggregate] {
        let all = schema.columns.indices.flatMap { column in
            Aggregate.Function.allCases
                .filter { Aggregate.isUsable($0, of: schema.columns[column]) }
                .map { Aggregate($0, column: column) }
        }
        return all.randomElement(using: &random).map { [$0] } ?? []
    }
}

extension ListQuery {
    /// Much as a URL has it.
    func text(_ schema: ListSchema) -> String {
        var parts: [String] = []
        if let grouping {
            let part = grouping.part == .initial ? ":initial" : ""
            parts.append("group=\(schema.columns[grouping.column].id)\(part)")
        }
        let keys = sort.map { key in
            (key.direction == .descending ? "-" : "") + schema.name(of: key.field)
                + (key.nulls == .first ? ":nullsfirst" : "")
        }
        if !keys.isEmpty { parts.append("sort=\(keys.joined(separator: ","))") }
        parts += filters.map { $0.text(schema) }
        if let search { parts.append("q=\(search.text)") }
        let names = sections?.map { schema.id(of: $0, in: grouping).rawValue } ?? []
        parts += names.map { "section=\($0)" }
        if let statistics { parts.append("statistics=\(schema.columns[statistics].id)") }
        parts += facets.map { "facets=\(schema.columns[$0].id)" }
        parts += aggregates.map { "\($0.function.rawValue)=\(schema.columns[$0.column].id)" }
        if case .offset(let rows) = start { parts.append("offset=\(rows)") }
        switch shape {
        case .flow(let limit): parts.append("limit=\(limit)")
        case .peek(let limit, let rows): parts.append("limit=\(limit)&per_section=\(rows)")
        }
        return "?" + parts.joined(separator: "&")
    }
}

extension Filter {
    fileprivate func text(_ schema: ListSchema) -> String {
        if let group {
            let members = group.members.map { $0.text(schema) }
            return "\(group.joint.rawValue)=(\(members.joined(separator: ",")))"
        }
        let values = operands.map(\.plainText).joined(separator: ",")
        return "\(schema.name(of: field))__\(operation.rawValue)=\(values)"
    }
}

/// Random numbers that a seed determines (Steele, Lea and Flood, 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
