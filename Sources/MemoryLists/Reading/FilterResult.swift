import Listings

/// The rows of a sequence that match the conditions of a query, and the facet counts.
///
/// Every model is read, as for sorting. Because models are in memory, no row or count is ever
/// missing.
struct FilterResult: Sendable {
    struct Part: Sendable {
        let index: Int
        let section: SequenceSection
    }

    /// Ascending.
    ///
    /// The rows match all conditions.
    let rows: [Int]
    /// Includes those of collapsed sections.
    let rowCount: Int
    /// The sections with selected rows, in their order; all sections if there are no conditions.
    let parts: [Part]
    let hasCollapsed: Bool
    let facets: [Facet]
    let aggregates: [CellValue]
    let statistics: ColumnStatistics?

    /// The sequence includes the rows of collapsed sections.
    ///
    /// The tree has the sections whose models the sequence counts.
    init(
        _ sequence: some RowSequence,
        of tree: BalancedTree<SectionNode>,
        _ query: ListQuery,
        _ schema: ListSchema,
        within time: Deadline
    ) throws(SourceError) {
        var time = time
        let conditions = RowConditions(query, schema)
        let others = query.facets.map { RowConditions(query, schema, leavingOut: $0) }
        // Indexed by model. A facet value is nil if a condition on another column does not hold.
        var isSelected: [Bool] = []
        var facetValues = [[CellValue?]](repeating: [], count: others.count)
        let columns = Array(Set(query.aggregates.map(\.column)))
        var aggregateValues = [[CellValue]](repeating: [], count: columns.count)
        var summarized: [CellValue] = []
        var reader = SortKeyReader(schema: schema, grouping: nil, keys: [], time: time)
        try tree.visit { (_, node) throws(SourceError) in
            try reader.visit(node) { _, value in
                let isMet = conditions.hold(value)
                isSelected.append(isMet)
                for (index, column) in columns.enumerated() {
                    aggregateValues[index].append(isMet ? value(.column(column)) : .null)
                }
                if let column = query.statistics { summarized.append(value(.column(column))) }
                for index in others.indices {
                    let isCounted = others[index].hold(value)
                    facetValues[index].append(
                        isCounted ? value(.column(query.facets[index])) : nil
                    )
                }
            }
            return true
        }
        var rows: [Int] = []
        for row in 0..<sequence.count {
            try time.count()
            if isSelected[sequence.model(ofRow: row)] { rows.append(row) }
        }
        func aggregates(_ rows: ArraySlice<Int>) throws(SourceError) -> [CellValue] {
            guard !columns.isEmpty else { return [] }
            var tallies = columns.map { _ in ColumnTally() }
            for row in rows {
                try time.count()
                let (model, count) = (sequence.model(ofRow: row), sequence.partCount(ofRow: row))
                for index in columns.indices {
                    tallies[index].add(aggregateValues[index][model], count: count)
                }
            }
            return query.aggregates.map { aggregate in
                let index = columns.firstIndex(of: aggregate.column) ?? 0
                return tallies[index].value(of: aggregate.function)
            }
        }
        self.aggregates = try aggregates(rows[...])
        var values: [CellValue: Int] = [:]
        for row in rows where !summarized.isEmpty {
            try time.count()
            let value = summarized[sequence.model(ofRow: row)]
            values[value, default: 0] += sequence.partCount(ofRow: row)
        }
        statistics = query.statistics.map { ColumnStatistics(column: $0, values) }
        let parts = try Self.parts(of: &rows, in: sequence, query, aggregates)
        self.rows = rows
        self.parts = parts
        rowCount = parts.reduce(0) { $0 + $1.section.count }
        hasCollapsed = parts.contains { $0.section.location.info.isCollapsed }
        var facets: [Facet] = []
        for (index, column) in query.facets.enumerated() {
            var counts: [CellValue: Int] = [:]
            for row in 0..<sequence.count {
                try time.count()
                guard let value = facetValues[index][sequence.model(ofRow: row)] else { continue }
                counts[value, default: 0] += sequence.partCount(ofRow: row)
            }
            let counted = counts.map { Facet.Value($0.key, count: Count($0.value)) }
            facets.append(Facet(column: column, ordering: counted, isComplete: true))
        }
        self.facets = facets
    }

    private static func parts(
        of rows: inout [Int],
        in sequence: some RowSequence,
        _ query: ListQuery,
        _ aggregates: (ArraySlice<Int>) throws(SourceError) -> [CellValue]
    ) throws(SourceError) -> [Part] {
        let collapsed = Set(query.collapsed)
        var shown: [Int] = []
        var parts: [Part] = []
        var start = 0
        for index in 0..<sequence.sectionCount where start < rows.count || !query.isNarrowed {
            let section = try sequence.section(at: index)
            var location = section.location
            if !location.info.isCollapsed, collapsed.contains(location.info.key) {
                var info = location.info
                info.isCollapsed = true
                location = SectionLocation(info, isLasting: location.name != nil)
            }
            var end = start
            var count = 0
            while end < rows.count, rows[end] < section.rows.upperBound {
                count += sequence.partCount(ofRow: rows[end])
                end += 1
            }
            guard end > start || !query.isNarrowed else { continue }
            let first = shown.count
            if !location.info.isCollapsed { shown += rows[start..<end] }
            let selected = SequenceSection(
                location: location,
                rows: first..<shown.count,
                count: count,
                aggregates: try aggregates(rows[start..<end])
            )
            parts.append(Part(index: index, section: selected))
            start = end
        }
        rows = shown
        return parts
    }
}
