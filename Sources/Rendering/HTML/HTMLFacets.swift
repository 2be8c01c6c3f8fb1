import Listings

/// The counted values of columns beside the rows, of which a reader chooses several.
struct HTMLFacets {
    let context: RenderContext

    func write(of page: borrowing Page, to writer: inout HTMLWriter) {
        writer.markup("<aside class=\"rail\"")
        writer.attribute("aria-label", writer.texts("Counted values"))
        writer.markup(">\n")
        for facet in page.facets { values(of: facet, of: page, to: &writer) }
        writer.markup("</aside>\n")
    }

    private func values(
        of facet: Facet,
        of page: borrowing Page,
        to writer: inout HTMLWriter
    ) {
        let (schema, query, texts) = (page.schema, page.query, writer.texts)
        let column = schema.columns[facet.column]
        writer.element("<section><h2>", column.label, "<a class=\"btn\"")
        writer.href(.withoutFacet(facet.column), context)
        writer.attribute("aria-label", "\(texts("Remove")): \(column.label)")
        writer.markup(">×</a></h2>")
        if facet.isMissing {
            let isLate = page.uncounted != nil
            let late = texts(isLate ? "Still counting" : "Counting took too long")
            writer.element("<p class=\"n\">", late, "</p>")
        }
        let most = facet.values.compactMap { $0.count?.value }.max() ?? 0
        writer.markup("<ul>")
        for value in facet.values {
            writer.markup("<li><a")
            writer.href(query.toggling(value.value, column: facet.column, of: schema), context)
            writer.attribute("data-v", "\(column.id)=\(value.value.plainText)")
            if query.selects(value.value, column: facet.column, schema) {
                writer.markup(" aria-current=\"true\"")
            }
            let label = texts.label(of: value.value, inColumn: facet.column, of: page)
            writer.element("><bdi>", label, "</bdi>")
            if let count = value.count {
                writer.element(" <span class=\"n\">", texts.count(count), "</span>")
                writer.bar(count, of: most)
            }
            writer.markup("</a></li>")
        }
        writer.markup("</ul>")
        if !facet.isComplete, !facet.isMissing {
            writer.element("<p class=\"n\">", texts("The most frequent values"), "</p>")
        }
        writer.markup("</section>\n")
    }
}

extension ListQuery {
    /// Returns the link that adds a value to the chosen ones of a column, or removes it.
    ///
    /// Conditions that are no list of values are replaced, as is the choice of missing values.
    fileprivate func toggling(_ value: CellValue, column: Int, of schema: ListSchema) -> PageLink {
        let own = filters.filter { schema.column(of: $0) == column }
        let new = Filter.showing(value, column: column, of: schema)
        guard new.operation == .equal, let old = own.first, own.count == 1,
            old.operation == .equal || old.operation == .among,
            schema.operators.contains(.among)
        else { return choosing(value, column: column, of: schema) }
        let operands =
            old.selects(value)
            ? old.operands.filter { !new.operands.contains($0) } : old.operands + new.operands
        let others = filters.filter { $0 != old }
        guard !operands.isEmpty else { return .narrowed(others, search) }
        let operation: Filter.Operator = operands.count == 1 ? .equal : .among
        return .narrowed(others + [Filter(column: column, operation, operands)], search)
    }
}
