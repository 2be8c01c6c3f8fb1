import Listings

extension HTMLWriter {
    /// Appends the filter controls: menus of column values, a form for conditions, and the current
    /// search and conditions.
    mutating func narrowing(of page: borrowing Page, in context: RenderContext) {
        let schema = page.schema
        let query = page.query
        guard !schema.filterable.isEmpty else { return }
        markup("<nav class=\"view\"")
        attribute("aria-label", texts.filters)
        markup(">\n")
        for facet in page.facets { menu(of: facet, query, schema, in: context) }
        form(
            for: page.shownColumns.filter { schema.columns[$0].isFilterable },
            query,
            schema,
            context
        )
        if let search = query.search {
            removal(texts.search(for: search.text), .narrowed(query.filters, nil), context)
        }
        for filter in query.filters {
            removal(texts.label(of: filter, schema), query.dropping(filter), context)
        }
        markup("</nav>\n")
    }

    /// Appends the search form if the list is searchable.
    mutating func search(of page: borrowing Page, in context: RenderContext) {
        guard !page.schema.searchable.isEmpty else { return }
        let query = page.query
        beginForm(" role=\"search\"", context)
        kept(query, without: .narrowed(query.filters, nil), context)
        markup("<input type=\"search\" name=\"q\" aria-keyshortcuts=\"/\"")
        attribute("aria-label", texts.search(context.title))
        attribute("placeholder", texts.search(context.title))
        if let search = query.search { attribute("value", search.text) }
        element("> <button class=\"btn\">", texts.search, "</button></form>\n")
    }

    private mutating func beginForm(_ attributes: StaticString, _ context: RenderContext) {
        markup("<form")
        markup(attributes)
        attribute("action") { context.links.write(.narrowingForm, to: &$0) }
        markup(">")
    }

    /// Appends the current parameters, except those of a link, as hidden fields.
    private mutating func kept(
        _ query: ListQuery,
        without link: PageLink,
        _ context: RenderContext
    ) {
        for parameter in context.links.parameters(of: link) {
            markup("<input type=\"hidden\"")
            attribute("name", parameter.name)
            attribute("value", parameter.value)
            markup(">")
        }
    }

    /// Appends a condition or search with a link that removes it.
    private mutating func removal(_ label: String, _ link: PageLink, _ context: RenderContext) {
        markup("<a class=\"btn\"")
        href(link, context)
        element("><span class=\"vh\">", texts.drop, ": </span>")
        element("", label, " <span aria-hidden=\"true\">×</span></a>\n")
    }

    private mutating func menu(
        of facet: Facet,
        _ query: ListQuery,
        _ schema: ListSchema,
        in context: RenderContext
    ) {
        guard !facet.values.isEmpty else { return }
        let column = schema.columns[facet.column]
        element("<details class=\"menu\" name=\"view\"><summary>", column.label, "</summary><ul>")
        for value in facet.values {
            markup("<li><a")
            href(query.choosing(value.value, column: facet.column, of: schema), context)
            if query.selects(value.value, column: facet.column, schema) {
                markup(" aria-current=\"true\"")
            }
            element(">", texts.label(of: value.value, column), "")
            if let count = value.count {
                element(" <span class=\"n\">", texts.count(count), "</span>")
            }
            markup("</a></li>")
        }
        markup("</ul></details>\n")
    }

    // MARK: - Form

    /// Appends a form with fields for columns.
    ///
    /// Empty fields have no effect.
    private mutating func form(
        for columns: [Int],
        _ query: ListQuery,
        _ schema: ListSchema,
        _ context: RenderContext
    ) {
        let fields = columns.prefix(12).flatMap { column in
            schema.columns[column].type.filterFields.map { (column: column, operation: $0) }
        }
        guard !fields.isEmpty else { return }
        element("<details data-key=\"f\"><summary class=\"btn\">", texts.filter, "</summary>")
        beginForm(" class=\"narrow\"", context)
        // Conditions shown in a field are not sent a second time.
        let shown = query.filters.filter { filter in
            fields.contains { $0.column == filter.column && $0.operation == filter.operation }
        }
        let others = query.filters.filter { !shown.contains($0) }
        kept(query, without: .narrowed(others, query.search), context)
        markup("<ul>")
        for field in fields {
            let value = shown.first {
                $0.column == field.column && $0.operation == field.operation
            }
            self.field(schema.columns[field.column], field.operation, value?.operands.first)
        }
        element(
            "<li><button class=\"btn go\">",
            texts.apply,
            "</button></li></ul></form></details>\n"
        )
    }

    private mutating func field(
        _ column: Column,
        _ operation: Filter.Operator,
        _ value: CellValue?
    ) {
        let label = "\(column.label) \(texts.relation(operation))"
        element("<li><label>", label, " ")
        let suffix = operation == .equal ? "" : "__\(operation.rawValue)"
        if column.type == .boolean {
            markup("<select")
            attribute("name", column.id + suffix)
            element("><option value=\"\">", texts.any, "</option>")
            for choice in [true, false] {
                markup("<option value=\"")
                text(CellValue.boolean(choice).plainText)
                markup(value == .boolean(choice) ? "\" selected=\"selected\">" : "\">")
                element("", texts.word(choice), "</option>")
            }
            markup("</select>")
        } else {
            markup(column.type.filterInput)
            attribute("name", column.id + suffix)
            if let value { attribute("value", value.plainText) }
            markup(">")
        }
        markup("</label></li>")
    }
}
