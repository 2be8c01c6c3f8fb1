import Listings

extension JSONPageRenderer {
    /// Appends the facets of the page, or nothing if none were requested.
    func facets(
        of page: borrowing Page,
        in context: RenderContext,
        to writer: inout JSONWriter
    ) {
        let facets = page.facets
        guard !facets.isEmpty else { return }
        let query = page.query
        let schema = page.schema
        writer.array("facets") { writer in
            for facet in facets {
                writer.object { writer in
                    writer.member("column", schema.columns[facet.column].id)
                    writer.member("complete", facet.isComplete)
                    writer.array("values") { writer in
                        for value in facet.values {
                            writer.object { writer in
                                self.value(value, of: facet, query, schema, to: &writer)
                                let choice = query.choosing(
                                    value.value,
                                    column: facet.column,
                                    of: schema
                                )
                                writer.link("href", choice, context)
                            }
                        }
                    }
                }
            }
        }
    }

    private func value(
        _ value: Facet.Value,
        of facet: Facet,
        _ query: ListQuery,
        _ schema: ListSchema,
        to writer: inout JSONWriter
    ) {
        writer.key("value")
        writer.value(value.value)
        writer.member("label", EnglishText().label(of: value.value, schema.columns[facet.column]))
        writer.key("count")
        if let count = value.count { writer.integer(Int64(count.value)) } else { writer.null() }
        if value.count?.relation == .atLeast { writer.member("relation", "gte") }
        writer.member("selected", query.selects(value.value, column: facet.column, schema))
    }
}

extension ListQuery {
    /// Whether a condition on a column selects a value.
    func selects(_ value: CellValue, column: Int, _ schema: ListSchema) -> Bool {
        filters.contains { schema.column(of: $0) == column && $0.selects(value) }
    }

    /// Returns the link that selects a value of a column, or removes the condition if the value is
    /// selected.
    func choosing(_ value: CellValue, column: Int, of schema: ListSchema) -> PageLink {
        let others = filters.filter { schema.column(of: $0) != column }
        let isChosen = selects(value, column: column, schema)
        let all = isChosen ? others : others + [.showing(value, column: column, of: schema)]
        return .narrowed(all, search)
    }

    /// Returns the link that removes a condition.
    func dropping(_ filter: Filter) -> PageLink {
        .narrowed(filters.filter { $0 != filter }, search)
    }
}
