import Listings
import Rendering

extension Call {
    private static var shownRows: Int { 5 }

    /// One query reads each list, as the caller may see it.
    func relatedRows(of endpoint: ServedList) throws(SourceError) -> [RelatedRows] {
        var related: [RelatedRows] = []
        let keys = service.relations.keys(to: endpoint.definition.name)
        for relation in keys {
            let value = relation.value(ofRow: 0, of: endpoint.page)
            guard caller.view(of: relation.list).mayRead, !value.isEmpty,
                let list = try lists.open(relation.list)
            else { continue }
            let isAmbiguous =
                relation.list == relation.target || keys.count { $0.list == relation.list } > 1
            guard let rows = try rows(of: list, relation, value, isAmbiguous) else { continue }
            related.append(rows)
        }
        return related
    }

    /// Reads the rows of a list that refer to a value; nil if its column has no such values.
    private func rows(
        of list: ServedList,
        _ relation: ListRelation,
        _ value: String,
        _ isAmbiguous: Bool
    ) throws(SourceError) -> RelatedRows? {
        let schema = list.schema
        guard let column = schema.index(of: relation.column),
            schema.columns[column].isFilterable
        else { return nil }
        let operands = schema.columns[column].keys(for: value)
        guard !operands.isEmpty else { return nil }
        let far = service.relations.farKey(of: relation).flatMap {
            service.relations.lookup($0, for: caller)
        }
        var query = ListQuery(shape: .flow(limit: Self.shownRows))
        query.mergesSections = true
        query.filters = [Filter(column: column, .equal, operands)]
        query.lookups = far.map { [$0] } ?? []
        var page = Page(list: relation.list, schema: schema)
        var isRead = true
        do throws(SourceError) {
            let scope = caller.view(of: relation.list).scope
            try list.read(ScopedQuery(query, in: scope), into: &page)
        } catch {
            isRead = false
        }
        let shown = far.flatMap { service.relations.lists[$0.relation.target] } ?? list.definition
        let label = schema.columns[column].label
        return RelatedRows(
            list: shown.name,
            through: far.map { _ in relation.list },
            column: relation.column,
            title: isAmbiguous ? "\(shown.title): \(label)" : shown.title,
            address: addresses.rows(of: relation.list, where: relation.column, is: value),
            count: isRead ? page.total : nil,
            items: isRead ? items(of: page, far) : nil
        )
    }

    /// The shown rows of a page: its own, or those that a key of each refers to.
    private func items(of page: borrowing Page, _ far: Lookup?) -> [RelatedRows.Item] {
        let columns = far.map { [$0.relation.column] } ?? service.relations.labels(of: page.list)
        let locations = columns.compactMap(page.schema.index)
        return (0..<page.rowCount).map { row in
            let value = locations.first.map { page.value(row: row, column: $0) } ?? .null
            let named = locations.first.flatMap { page.labels[$0]?[value]?.key }
            let id = far == nil ? page.id(ofRow: row) : named ?? value.plainText
            let label = page.label(ofRow: row, locations)
            return RelatedRows.Item(
                id: id,
                label: label.isEmpty ? page.title(ofRow: row) : label,
                address: far.map { addresses.row(id, of: $0.relation) }
                    ?? addresses.row(id, of: page.list)
            )
        }
    }
}

extension ListRelations {
    /// The other key of a list of pairs: one that has two keys and, besides them, only ids and
    /// times.
    func farKey(of relation: ListRelation) -> ListRelation? {
        let keys = keys(of: relation.list)
        guard keys.count == 2, let schema = lists[relation.list]?.source.schema else { return nil }
        let isPair = schema.columns.allSatisfy { column in
            column.id == ListSchema.idName || column.type.isTime
                || keys.contains { $0.column == column.id }
        }
        return isPair ? keys.first { $0.column != relation.column } : nil
    }
}
