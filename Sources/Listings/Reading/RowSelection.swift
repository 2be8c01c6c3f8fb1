/// Which rows of a sequence meet the conditions of a question, and what was to be counted of them.
///
/// Every model is read for it, as it is to sort a list: what is in memory is looked at to its end,
/// so no row and no count is ever missing.
struct RowSelection: Sendable {
    /// A section with such rows.
    struct Part: Sendable {
        /// Which section of the sequence it is.
        let index: Int
        /// The section, its rows by their positions among the selected ones.
        let section: SequenceSection
    }

    /// The positions of the rows that meet all conditions and are shown, ascending.
    let rows: [Int]
    /// The number of rows that meet all conditions, those of collapsed sections included.
    let rowCount: Int
    /// The sections that have any, in their order; all where there are no conditions.
    let parts: [Part]
    /// Whether a section is collapsed.
    let hasCollapsed: Bool
    /// The facets asked for.
    let facets: [Facet]

    /// Looks at the rows of a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The rows, those of collapsed sections included.
    ///   - tree: The sections whose models the sequence counts.
    ///   - query: The question.
    ///   - schema: What the list has.
    ///   - time: When reading has to end.
    /// - Throws: ``SourceError``.
    init(
        _ sequence: some RowSequence,
        of tree: BalancedTree<SectionNode>,
        _ query: ListQuery,
        _ schema: ListSchema,
        within time: TimeLimit
    ) throws(SourceError) {
        var time = time
        let conditions = RowConditions(query, schema)
        let others = query.facets.map { RowConditions(query, schema, leavingOut: $0) }
        // By the models in their order: whether all conditions hold, and for each facet its value,
        // nil where a condition on another column does not hold.
        var isSelected: [Bool] = []
        var facetValues = [[CellValue?]](repeating: [], count: others.count)
        var reader = PlaceReader(schema: schema, grouping: nil, keys: [], time: time)
        try tree.visit { (_, node) throws(SourceError) in
            try reader.visit(node) { _, value in
                isSelected.append(conditions.hold(value))
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
        let parts = try Self.parts(of: &rows, in: sequence, query)
        self.rows = rows
        self.parts = parts
        rowCount = parts.reduce(0) { $0 + $1.section.count }
        hasCollapsed = parts.contains { $0.section.place.info.isCollapsed }
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

    /// Cuts rows into sections, and takes those of collapsed sections out.
    private static func parts(
        of rows: inout [Int],
        in sequence: some RowSequence,
        _ query: ListQuery
    ) throws(SourceError) -> [Part] {
        let collapsed = Set(query.collapsed)
        var shown: [Int] = []
        var parts: [Part] = []
        var start = 0
        for index in 0..<sequence.sectionCount where start < rows.count || !query.isNarrowed {
            let section = try sequence.section(at: index)
            var place = section.place
            if !place.info.isCollapsed, collapsed.contains(place.info.key) {
                var info = place.info
                info.isCollapsed = true
                place = SectionPlace(info, isLasting: place.isLasting)
            }
            var end = start
            var count = 0
            while end < rows.count, rows[end] < section.rows.upperBound {
                count += sequence.partCount(ofRow: rows[end])
                end += 1
            }
            guard end > start || !query.isNarrowed else { continue }
            let first = shown.count
            if !place.info.isCollapsed { shown += rows[start..<end] }
            let selected = SequenceSection(place: place, rows: first..<shown.count, count: count)
            parts.append(Part(index: index, section: selected))
            start = end
        }
        rows = shown
        return parts
    }
}
