import Listings
import Rendering

extension ServedList {
    /// One query reads the labels of each key; a missing or invisible row has no label.
    func label(_ page: inout Page, _ lookups: [Lookup]) throws(SourceError) {
        for lookup in lookups {
            guard let column = schema.index(of: lookup.relation.column) else { continue }
            let locations = LabelLocations(page, column: column)
            locations.nameEmptySection(of: &page)
            for label in try labels(of: locations.values, lookup) {
                for value in schema.columns[column].keys(for: label.key) {
                    locations.show(label, of: value, on: &page, lookup)
                }
            }
        }
    }

    /// Reads the labels of the rows that values name; the key for a row without label.
    private func labels(
        of values: Set<CellValue>,
        _ lookup: Lookup
    ) throws(SourceError) -> [RowLabel] {
        guard !values.isEmpty, let target = try owner?.open(lookup.relation.target),
            let filter = lookup.relation.filter(values, in: target.schema)
        else { return [] }
        let page: Page
        do throws(SourceError) {
            page = try target.rows(filter, limit: filter.operands.count, in: lookup.scope)
        } catch {
            // The values are shown without labels while the other list cannot be read.
            return []
        }
        let columns = lookup.labels.compactMap(target.schema.index)
        return (0..<page.rowCount).map { row in
            let key = lookup.relation.value(ofRow: row, of: page)
            let label = page.label(ofRow: row, columns)
            return RowLabel(text: label.isEmpty ? key : label, key: key)
        }
    }

    /// One query reads the keys of each condition.
    func resolved(_ query: ScopedQuery) throws(SourceError) -> ScopedQuery {
        var resolved = query
        for related in query.related {
            guard let column = schema.index(of: related.lookup.relation.column) else { continue }
            let (filter, isOpposite) = related.filter.positive
            let keys = try keys(filter, related.lookup)
            let values = keys.flatMap { schema.columns[column].keys(for: $0) }
            if !values.isEmpty {
                let operation: Filter.Operator = isOpposite ? .notAmong : .among
                resolved.filters.append(Filter(column: column, operation, values).fixed)
            } else if !isOpposite {
                // No row has a value and has none.
                resolved.filters += [true, false].map { isNull in
                    Filter(column: column, .isNull, [.boolean(isNull)]).fixed
                }
            }
        }
        return resolved
    }

    /// Reads rows of all sections into a page of their own, without counting.
    func rows(
        _ filter: Filter,
        sortedBy sort: [SortKey] = [],
        limit: Int,
        in scope: RowScope
    ) throws(SourceError) -> Page {
        var query = ListQuery(shape: .flow(limit: limit))
        (query.mergesSections, query.counting) = (true, .off)
        (query.filters, query.sort) = ([filter], sort)
        var page = Page(list: definition.name, schema: schema)
        try reader.read(ScopedQuery(query, in: scope), into: &page)
        return page
    }

    private func keys(_ filter: Filter, _ lookup: Lookup) throws(SourceError) -> [String] {
        let maximum = ListQuery.countCap
        guard let target = try owner?.open(lookup.relation.target) else { return [] }
        let page = try target.rows(filter, limit: maximum, in: lookup.scope)
        guard page.next == nil else {
            throw .tooManyMatches(list: target.definition.name, maximum: maximum)
        }
        return (0..<page.rowCount).map { lookup.relation.value(ofRow: $0, of: page) }
            .filter { !$0.isEmpty }
    }

    func versions(of query: ScopedQuery) throws(SourceError) -> [ListVersion] {
        var versions: [ListVersion] = []
        let embedded = query.embedding?.lists ?? []
        let derived = query.derived.compactMap { column -> String? in
            guard case .related(let relation, _) = column.step else { return nil }
            return relation.target
        }
        let others =
            derived + query.lookups.map(\.relation.target)
            + query.related.map(\.lookup.relation.target)
            + (embedded + embedded.flatMap(\.lists)).map(\.list)
        for other in others {
            let list = try owner?.open(other)
            // A list that cannot be read has no version.
            if let version = try? list?.reader.version() { versions.append(version) }
        }
        return versions
    }
}

extension ListRelation {
    /// Nil if none can be named; a value names the rows of all of its ``Column/keys(for:)``.
    func filter(_ values: Set<CellValue>, in target: ListSchema) -> Filter? {
        let keys = Set(values.flatMap { [$0.plainText, $0.canonicalText] }).sorted()
        guard let key else { return Filter(id: .among, keys) }
        guard let column = target.index(of: key) else { return nil }
        let operands = Set(keys.flatMap { target.columns[column].keys(for: $0) })
        return operands.isEmpty ? nil : Filter(column: column, .among, Array(operands))
    }

    func value(ofRow row: Int, of page: borrowing Page) -> String {
        guard let column = key.flatMap(page.schema.index) else { return page.id(ofRow: row) }
        return page.value(row: row, column: column).plainText
    }
}

private struct LabelLocations {
    private var cells: [CellValue: [Int]] = [:]
    private var sections: [CellValue: Int] = [:]
    private(set) var values: Set<CellValue> = []
    private let column: Int

    init(_ page: borrowing Page, column: Int) {
        self.column = column
        for row in page.shownColumns.contains(column) ? 0..<page.rowCount : 0..<0 {
            guard let cell = page.cell(row: row, column: column) else { continue }
            cells[page.cells.value(cell), default: []].append(cell)
        }
        if page.query.grouping == Grouping(column: column) {
            for (index, section) in page.sections.enumerated() {
                guard case .value(let key) = section.info.key else { continue }
                sections[key] = index
            }
        }
        for facet in page.facets where facet.column == column {
            values.formUnion(facet.values.map(\.value))
        }
        for filter in page.query.filters { addOperands(of: filter) }
        values.formUnion(cells.keys)
        values.formUnion(sections.keys)
        values.remove(.null)
    }

    private mutating func addOperands(of filter: Filter) {
        for member in filter.group?.members ?? [] { addOperands(of: member) }
        guard filter.column == column, filter.comparesWhole else { return }
        values.formUnion(filter.operands)
    }

    func show(_ label: RowLabel, of value: CellValue, on page: inout Page, _ lookup: Lookup) {
        guard values.contains(value) else { return }
        for cell in cells[value] ?? [] { lookup.show(label.text, inCell: cell, of: &page) }
        page.labels[column, default: [:]][value] = label
        if let section = sections[value] { head(section, of: &page, with: label.text) }
    }

    /// Heads the section without value like the column, which its source names otherwise.
    func nameEmptySection(of page: inout Page) {
        guard let section = sections[.null] else { return }
        let header = page.schema.header(.null, page.schema.columns[column])
        head(section, of: &page, with: header)
    }

    private func head(_ section: Int, of page: inout Page, with header: String?) {
        page.updateSection(at: section) { section in
            var info = section.info
            info.header = header
            section.location = SectionLocation(info)
        }
    }
}
