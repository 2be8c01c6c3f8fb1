import Listings
import Rendering

extension Call {
    private static var shownRows: Int { 5 }

    /// One query reads each list, as the caller may see it.
    func relatedRows(
        of endpoint: ServedList,
        withCells: Bool
    ) throws(SourceError) -> [RelatedRows] {
        var related: [RelatedRows] = []
        let keys = service.relations.keys(to: endpoint.definition.name)
        for relation in keys {
            let value = relation.value(ofRow: 0, of: endpoint.page)
            guard caller.view(of: relation.list).mayRead, !value.isEmpty,
                let list = try lists.open(relation.list)
            else { continue }
            let isAmbiguous =
                relation.list == relation.target || keys.count { $0.list == relation.list } > 1
            guard let rows = try rows(of: list, relation, value, isAmbiguous, withCells) else {
                continue
            }
            related.append(rows)
        }
        return related
    }

    /// Reads the rows of a list that refer to a value; nil if its column has no such values.
    private func rows(
        of list: ServedList,
        _ relation: ListRelation,
        _ value: String,
        _ isAmbiguous: Bool,
        _ withCells: Bool
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
        let columns = withCells && far == nil ? list.furtherColumns(besides: column) : []
        let keys = service.relations.keys(of: relation.list).filter { key in
            columns.contains { schema.columns[$0].id == key.column }
        }
        query.lookups =
            far.map { [$0] }
            ?? keys.compactMap {
                service.relations.lookup($0, for: caller)
            }
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
            items: isRead ? items(of: page, far, query.lookups, columns) : nil,
            heading: far == nil ? schema.labelHeading : nil,
            columns: columns.map { schema.columns[$0] }
        )
    }

    /// The shown rows of a page: its own, or those that a key of each refers to.
    private func items(
        of page: borrowing Page,
        _ far: Lookup?,
        _ lookups: [Lookup],
        _ shown: [Int]
    ) -> [RelatedRows.Item] {
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
                    ?? addresses.row(id, of: page.list),
                cells: shown.map { column in
                    let value = page.value(row: row, column: column)
                    guard let named = page.labels[column]?[value],
                        let key = lookups.first(where: {
                            $0.relation.column == page.schema.columns[column].id
                        })
                    else { return RelatedRows.Cell(value) }
                    let address = addresses.row(named.key, of: key.relation)
                    return RelatedRows.Cell(value, label: named.text, address: address)
                }
            )
        }
    }
}

extension ServedList {
    /// The first columns besides the labels, the ids and a key.
    fileprivate func furtherColumns(besides key: Int, count: Int = 3) -> [Int] {
        let columns = schema.displayOrder.filter { position in
            let type = schema.columns[position].type
            return position != key && type != .json && type != .bytes
                && !schema.labels.contains(position) && !schema.keyColumns.contains(position)
        }
        return Array(columns.prefix(count))
    }
}

extension ListSchema {
    fileprivate var labelHeading: String {
        let named = labels.isEmpty ? keyColumns : labels
        return named.isEmpty ? "ID" : named.map { columns[$0].label }.joined(separator: " ")
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
