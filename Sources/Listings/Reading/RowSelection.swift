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

    /// The positions of the rows that meet all conditions, ascending.
    let rows: [Int]
    /// The number of rows that their models yield.
    let rowCount: Int
    /// The sections that have any, in their order.
    let parts: [Part]
    /// The facets asked for.
    let facets: [Facet]

    /// Looks at the rows of a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The rows.
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
        self.rows = rows
        rowCount = rows.reduce(0) { $0 + sequence.partCount(ofRow: $1) }
        parts = try Self.parts(of: rows, in: sequence)
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

    private static func parts(
        of rows: [Int],
        in sequence: some RowSequence
    ) throws(SourceError) -> [Part] {
        var parts: [Part] = []
        var start = 0
        for index in 0..<sequence.sectionCount where start < rows.count {
            let section = try sequence.section(at: index)
            var end = start
            var count = 0
            while end < rows.count, rows[end] < section.rows.upperBound {
                count += sequence.partCount(ofRow: rows[end])
                end += 1
            }
            guard end > start else { continue }
            let selected = SequenceSection(place: section.place, rows: start..<end, count: count)
            parts.append(Part(index: index, section: selected))
            start = end
        }
        return parts
    }
}
