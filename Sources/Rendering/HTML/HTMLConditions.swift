import Listings

struct HTMLConditions {
    let context: RenderContext

    func menu(of page: borrowing Page, to writer: inout HTMLWriter) {
        let (schema, query) = (page.schema, page.query)
        guard !schema.filterable.isEmpty else { return }
        writer.beginMenu(
            writer.texts("Filter"),
            query.filters.isEmpty ? nil : writer.texts.number(query.filters.count),
            key: "f",
            icon: .filter
        )
        writer.markup("<div>")
        writer.beginForm(
            " class=\"panel\"",
            keeping: .narrowed(query.filters, query.search),
            context
        )
        line(nil, of: page, mayBeEmpty: false, to: &writer)
        emptyLines(3, of: page, to: &writer)
        joint(nil, to: &writer)
        apply(to: &writer)
        writer.markup("</form>")
        for column in schema.filterable.map({ schema.columns[$0] }) {
            writer.datalist(of: control(column), id: "c-\(column.id)")
        }
        columnForms(of: page, to: &writer)
        suggestions(of: page, to: &writer)
        writer.markup("</div>")
        writer.endMenu()
    }

    /// Appends the choice whether all conditions of the form must hold, or any.
    private func joint(_ current: FilterGroup.Joint?, to writer: inout HTMLWriter) {
        let texts = writer.texts
        writer.markup("<select")
        writer.attribute("name", ToolbarForm.joint)
        writer.attribute("aria-label", texts("Conditions that must hold"))
        writer.markup(">")
        for (joint, label) in [
            (nil, texts("All of these")), (.any, texts("Any of these")),
            (.notAll, texts("Not all of these")),
        ] as [(FilterGroup.Joint?, String)] {
            writer.option(joint?.rawValue ?? "", label, isSelected: joint == current)
        }
        writer.markup("</select>")
    }

    /// Appends the fields of one condition on any column.
    private func line(
        _ filter: Filter?,
        of page: borrowing Page,
        mayBeEmpty: Bool,
        to writer: inout HTMLWriter
    ) {
        let schema = page.schema
        let columns = page.shownColumns.filter { schema.columns[$0].isFilterable }
        writer.markup("<p class=\"cond\"><select")
        writer.attribute("name", ToolbarForm.column)
        writer.attribute("aria-label", writer.texts("Column"))
        writer.markup(">")
        if mayBeEmpty { writer.option("", "– …", isSelected: filter == nil) }
        for column in columns + schema.filterable.filter({ !columns.contains($0) }) {
            writer.markup("<option data-t=\"")
            writer.markup(schema.columns[column].type.letter)
            writer.markup("\"")
            writer.attribute("value", schema.columns[column].id)
            writer.pickerAttributes(
                of: control(schema.columns[column]),
                "data-list",
                id: "c-\(schema.columns[column].id)"
            )
            if filter?.column == column { writer.markup(" selected=\"selected\"") }
            writer.element(">", schema.columns[column].label, "</option>")
        }
        writer.markup("</select>")
        comparison(
            filter.flatMap(ToolbarForm.Comparison.init),
            of: nil,
            schema.operators,
            to: &writer
        )
        operands(of: filter, nil, filter?.column.map { schema.columns[$0] }, to: &writer)
        writer.markup("</p>")
    }

    private func emptyLines(_ count: Int, of page: borrowing Page, to writer: inout HTMLWriter) {
        let markup = HTMLMarkup(in: writer.texts.language) {
            line(nil, of: page, mayBeEmpty: true, to: &$0)
        }
        for _ in 0..<count { writer.markup(markup) }
    }

    private func apply(to writer: inout HTMLWriter) {
        writer.element("<p><button class=\"btn go\">", writer.texts("Apply"), "</button></p>")
    }

    private func control(_ column: Column) -> FieldControl {
        context.controls[column.id] ?? FieldControl(column)
    }

    /// Appends the choice of a comparison.
    private func comparison(
        _ current: ToolbarForm.Comparison?,
        of type: ColumnType?,
        _ operators: [Filter.Operator],
        to writer: inout HTMLWriter
    ) {
        func isOffered(_ choice: ToolbarForm.Comparison, _ type: ColumnType?) -> Bool {
            (type.map { [$0] } ?? ColumnType.lettered).contains {
                choice.isOffered(for: $0, operators)
            }
        }
        writer.markup("<select")
        writer.attribute("name", ToolbarForm.comparison)
        writer.attribute("aria-label", writer.texts("Condition"))
        writer.markup(">")
        for choice in ToolbarForm.Comparison.allCases
        where choice == current || isOffered(choice, type) {
            writer.markup("<option")
            writer.attribute("value", choice.name)
            if type == nil {
                writer.markup(" data-t=\"")
                for type in ColumnType.lettered where choice.isOffered(for: type, operators) {
                    writer.markup(type.letter)
                }
                writer.markup("\"")
            }
            if choice == current { writer.markup(" selected=\"selected\"") }
            writer.element(">", writer.texts(choice.text), "</option>")
        }
        writer.markup("</select>")
    }

    private func operands(
        of filter: Filter?,
        _ type: ColumnType?,
        _ column: Column?,
        to writer: inout HTMLWriter
    ) {
        let operands = filter?.operands.map(\.plainText) ?? []
        let isList = filter?.operation.takesList ?? false
        let text = isList ? ValueList.text(of: operands) : operands.first ?? ""
        let start = type?.inputStart(of: text) ?? "<input"
        writer.markup(start)
        writer.attribute("name", ToolbarForm.value)
        writer.attribute("aria-label", writer.texts("Value"))
        writer.attribute("value", text)
        if let column, !isList {
            writer.pickerAttributes(of: control(column), id: "c-\(column.id)")
        }
        writer.element("><label class=\"to\">", writer.texts("and"), " ")
        writer.markup(start)
        writer.attribute("name", ToolbarForm.bound)
        writer.markup("></label>")
    }

    func list(of page: borrowing Page, to writer: inout HTMLWriter) {
        let (schema, query) = (page.schema, page.query)
        guard query.isNarrowed else { return }
        writer.markup("<ul class=\"chips\"")
        writer.attribute("aria-label", writer.texts("Filters"))
        writer.markup(">")
        if let search = query.search {
            writer.element(
                "<li class=\"chip\"><span>",
                writer.texts("Search: \(search.text)"),
                "</span>"
            )
            removal(
                writer.texts("Search: \(search.text)"),
                .narrowed(query.filters, nil),
                to: &writer
            )
        }
        for filter in query.filters {
            let label = writer.texts.label(of: filter, page)
            writer.markup("<li class=\"chip\">")
            if let column = filter.column, let comparison = ToolbarForm.Comparison(of: filter) {
                let type = schema.columns[column].type
                beginEditor(label, query.dropping(filter), to: &writer)
                writer.hidden(ToolbarForm.column, schema.columns[column].id)
                writer.element("<p class=\"cond\"><b>", schema.columns[column].label, "</b>")
                self.comparison(comparison, of: type, schema.operators, to: &writer)
                operands(
                    of: filter,
                    filter.operation.takesList ? nil : type,
                    schema.columns[column],
                    to: &writer
                )
                writer.markup("</p>")
                apply(to: &writer)
                let keys = filter.comparesWhole ? filter.operands : []
                let labels = (page.labels[column] ?? [:]).filter { keys.contains($0.key) }
                let names = Set(labels.map { "\($0.key.plainText): \($0.value.text)" }).sorted()
                    .joined(separator: ", ")
                if !names.isEmpty { writer.element("<p class=\"n\">", names, "</p>") }
                writer.markup("</form></details>")
            } else if let group = filter.group, group.joint != .all,
                group.members.allSatisfy(\.isSimple)
            {
                beginEditor(label, query.dropping(filter), to: &writer)
                for member in group.members {
                    line(member, of: page, mayBeEmpty: true, to: &writer)
                }
                emptyLines(2, of: page, to: &writer)
                joint(group.joint, to: &writer)
                apply(to: &writer)
                writer.markup("</form></details>")
            } else {
                writer.element("<span>", label, "</span>")
            }
            removal(label, query.dropping(filter), to: &writer)
        }
        for related in query.related {
            let label = "\(related.name)=\(related.value)"
            writer.element("<li class=\"chip\"><span>", label, "</span>")
            removal(label, .unrelated(related), to: &writer)
        }
        writer.markup("</ul>\n")
    }

    /// Appends the start of a menu that edits a condition, and of its form with the other ones.
    private func beginEditor(_ label: String, _ others: PageLink, to writer: inout HTMLWriter) {
        writer.element("<details class=\"menu\" name=\"view\"><summary>", label, "</summary>")
        writer.beginForm(" class=\"panel\"", keeping: others, context)
    }

    private func removal(_ label: String, _ link: PageLink, to writer: inout HTMLWriter) {
        writer.markup("<a class=\"btn\"")
        writer.href(link, context)
        writer.attribute("aria-label", "\(writer.texts("Remove")): \(label)")
        writer.markup(">×</a></li>")
    }

    // MARK: - Counted values

    private func columnForms(of page: borrowing Page, to writer: inout HTMLWriter) {
        let (schema, texts) = (page.schema, writer.texts)
        let own = schema.ownColumns.map { schema.columns[$0] }
        let abilities = schema.abilities
        columnForm(
            "facets",
            texts("Count values of"),
            abilities.contains(.counting) ? own.filter(\.isFacet) : [],
            current: page.facets.first.map { schema.columns[$0.column].id },
            to: &writer
        )
        columnForm(
            "statistics",
            texts("Statistics of"),
            abilities.contains(.aggregating) ? own.filter(ColumnStatistics.isUsable) : [],
            current: page.query.statistics.map { schema.columns[$0].id },
            to: &writer
        )
    }

    private func columnForm(
        _ parameter: String,
        _ label: String,
        _ columns: [Column],
        current: String?,
        to writer: inout HTMLWriter
    ) {
        guard !columns.isEmpty else { return }
        writer.beginForm(" class=\"panel\"", keeping: .current, except: parameter, context)
        writer.element("<label>", label, " <select")
        writer.attribute("name", parameter)
        writer.markup(">")
        for column in columns {
            writer.option(column.id, column.label, isSelected: column.id == current)
        }
        writer.element(
            "</select></label><button class=\"btn\">",
            writer.texts("Apply"),
            "</button></form>"
        )
    }

    private func suggestions(of page: borrowing Page, to writer: inout HTMLWriter) {
        let suggestions = context.suggestions ?? []
        guard !suggestions.isEmpty || context.suggestions == nil else { return }
        writer.element("<p class=\"n\">", writer.texts("Columns with few values"), "")
        if context.suggestions == nil {
            writer.element(": ", writer.texts("Counting took too long"), "")
        }
        writer.markup("</p><ul>")
        for suggestion in suggestions {
            writer.markup("<li><a")
            writer.href(.facet(suggestion.facet), context)
            writer.element(">", suggestion.label, "")
            writer.element(" <span class=\"n\">", writer.texts.count(suggestion.values), "</span>")
            writer.markup("</a></li>")
        }
        writer.markup("</ul>")
    }
}

extension Filter {
    /// Whether a form has fields for the condition.
    fileprivate var isSimple: Bool {
        column != nil && ToolbarForm.Comparison(of: self) != nil && group == nil
    }
}

extension ColumnType {
    fileprivate static let lettered: [ColumnType] = [.text, .real, .date, .boolean, .json, .bytes]

    fileprivate func inputStart(of text: String) -> StaticString {
        guard isNumber || isTime, case .input(let start) = FieldControl(self).kind(of: text) else {
            return "<input"
        }
        return start
    }

    fileprivate var letter: StaticString {
        switch form {
        case .text: "t"
        case .integer, .real: "n"
        case .date, .timestamp: "d"
        case .boolean: "b"
        case .json: "j"
        case .bytes: "x"
        }
    }
}
