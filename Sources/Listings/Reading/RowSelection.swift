/// Which rows of a sequence meet the conditions of a question, and what was to be counted of them.
///
/// Every model is read for it, as it is to sort a list: what is in memory is looked at to its end,
/// so no row and no count is ever missing.
struct RowSelection {
    /// The positions of the rows that meet all conditions, ascending.
    let rows: [Int]
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
}
