import Listings
import Rendering

/// A list as one event loop serves it: its definition, a reader and a page of its own.
final class ListEndpoint {
    let definition: ListDefinition
    let reader: any ListReader
    /// Names how the list is shown when nothing is asked for: addresses leave that out, so entity
    /// tags must not.
    let fingerprint: String
    /// Filled anew by every request.
    var page: Page

    /// Opens the list for one loop.
    init(_ definition: ListDefinition) throws(SourceError) {
        self.definition = definition
        reader = try definition.source.makeReader()
        let schema = definition.source.schema
        fingerprint =
            "\(definition.title)\(schema.columns)\(String(describing: schema.defaultGrouping))"
            + "\(schema.defaultSort)\(schema.defaultLimit)"
        page = Page(list: definition.name, schema: schema)
    }

    var schema: ListSchema { definition.source.schema }

    /// The reader, as far as something can be done with rows besides reading them.
    var actingReader: (any ActingReader)? { reader as? any ActingReader }

    /// Whether there is a row with an id; the page has it then.
    func hasRow(_ id: String) throws(SourceError) -> Bool {
        try reader.readRow(id, grouping: schema.defaultGrouping, into: &page)
    }

    /// What can be done with the first row of the page.
    var actions: [RowAction] { page.rowCount > 0 ? page.actions(ofRow: 0) : [] }

    /// An action of a row; nil when there is no such row, or it does not offer the action.
    func action(_ name: String, ofRow id: String) throws(SourceError) -> RowAction? {
        try hasRow(id) ? actions.first { $0.name == name } : nil
    }

    /// The groupings offered to people: the values of each column that makes sections, but the
    /// initials of the first column that rows are sorted by.
    var groupings: [Grouping] {
        let sorted = schema.defaultSort.compactMap { key -> Int? in
            guard case .column(let column) = key.field else { return nil }
            return column
        }
        var groupings = schema.columns.indices
            .filter { schema.columns[$0].isGroupable && !sorted.contains($0) }
            .map { Grouping(column: $0) }
        if let first = sorted.first, schema.columns[first].isGroupable,
            schema.columns[first].type.isText
        {
            groupings.append(Grouping(column: first, part: .initial))
        }
        return groupings
    }

    /// The rows of the list; nil when counting takes too long.
    func total() throws(SourceError) -> Count? {
        try reader.read(ListQuery(shape: .flow(limit: 1)), into: &page)
        return page.total
    }
}
