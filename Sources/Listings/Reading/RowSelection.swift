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
        let fields = Array(conditions.fields.union(query.facets.map { .column($0) }))
        var values: [[CellValue]] = []
        var reader = PlaceReader(
            schema: schema,
            grouping: nil,
            keys: fields.map { SortKey($0) },
            time: time
        )
        try tree.visit { (_, node) throws(SourceError) in
            try reader.read(node) { _, found, _ in values.append(found) }
            return true
        }
        var place: [SortKey.Field: Int] = [:]
        for (index, field) in fields.enumerated() { place[field] = index }
        func value(_ field: SortKey.Field, ofRow row: Int) -> CellValue {
            guard let index = place[field] else { return .null }
            return values[sequence.model(ofRow: row)][index]
        }
        var rows: [Int] = []
        for row in 0..<sequence.count {
            try time.count()
            if conditions.hold({ value($0, ofRow: row) }) { rows.append(row) }
        }
        let parts = try Self.parts(of: &rows, in: sequence, query)
        self.rows = rows
        self.parts = parts
        rowCount = parts.reduce(0) { $0 + $1.section.count }
        hasCollapsed = parts.contains { $0.section.place.info.isCollapsed }
        var facets: [Facet] = []
        for column in query.facets {
            let others = RowConditions(query, schema, leavingOut: column)
            var counts: [CellValue: Int] = [:]
            for row in 0..<sequence.count {
                try time.count()
                guard others.hold({ value($0, ofRow: row) }) else { continue }
                counts[value(.column(column), ofRow: row), default: 0] += sequence.partCount(
                    ofRow: row
                )
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
