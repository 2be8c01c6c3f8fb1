import Listings
import Rendering

extension ServedList {
    private static var shownOptions: Int { 50 }
    private static var fewValues: Int { 24 }

    // A field without offers takes the same values, so that no error stops a form.

    /// The controls of columns that name rows of other lists, or have few texts.
    func controls(_ lookups: [Lookup], _ addresses: Address) -> [String: FieldControl] {
        var controls: [String: FieldControl] = [:]
        for suggestion in suggestedTexts() { controls[suggestion.column] = suggestion.control }
        for lookup in lookups {
            guard let column = schema.index(of: lookup.relation.column),
                let target = try? owner?.open(lookup.relation.target)
            else { continue }
            var control = FieldControl(schema.columns[column])
            control.search = FieldControl.Search(lookup, addresses)
            control.options = target.options(lookup)
            controls[lookup.relation.column] = control
        }
        return controls
    }

    /// The first rows in the order of their labels; none where reading them takes too long.
    private func options(_ lookup: Lookup) -> [FieldControl.Option] {
        let labels = lookup.labels.compactMap(schema.index)
        var query = ListQuery(shape: .flow(limit: Self.shownOptions))
        (query.mergesSections, query.counting, query.isBrief) = (true, .off, true)
        query.sort = labels.filter { schema.columns[$0].isSortable }.map { SortKey(.column($0)) }
        var page = Page(list: definition.name, schema: schema)
        guard (try? reader.read(ScopedQuery(query, in: lookup.scope), into: &page)) != nil else {
            return []
        }
        return (0..<page.rowCount).map { row in
            let key = lookup.relation.value(ofRow: row, of: page)
            let label = page.label(ofRow: row, labels)
            return FieldControl.Option(key, label.isEmpty ? key : label)
        }
    }

    /// The texts of columns whose rows have few of them.
    private func suggestedTexts() -> [(column: String, control: FieldControl)] {
        let columns = schema.ownColumns.filter { position in
            let column = schema.columns[position]
            return column.type == .text && column.isFacet && column.choices.isEmpty
                && !schema.labels.contains(position) && !schema.keyColumns.contains(position)
        }
        guard !columns.isEmpty, schema.abilities.contains(.counting) else { return [] }
        var query = ListQuery(shape: .flow(limit: 1))
        (query.mergesSections, query.counting, query.isBrief) = (true, .off, true)
        query.facets = columns
        var page = Page(list: definition.name, schema: schema)
        guard (try? reader.read(ScopedQuery(query, in: view.scope), into: &page)) != nil else {
            return []
        }
        return page.facets.compactMap { facet in
            let texts = facet.values.map(\.value).filter { !$0.isNull && !$0.plainText.isEmpty }
            let filled = facet.values.filter { !$0.value.isNull }
            let rows = filled.reduce(0) { $0 + ($1.count?.value ?? 0) }
            guard facet.isComplete, !texts.isEmpty, texts.count <= Self.fewValues,
                rows >= 2 * texts.count
            else {
                return nil
            }
            var control = FieldControl(schema.columns[facet.column])
            control.options = texts.map { FieldControl.Option($0.plainText) }
            return (schema.columns[facet.column].id, control)
        }
    }
}

extension FieldControl.Search {
    init(_ lookup: Lookup, _ addresses: Address) {
        self.init(
            addresses.list(lookup.relation.target),
            labels: lookup.labels,
            key: lookup.relation.key
        )
    }
}
