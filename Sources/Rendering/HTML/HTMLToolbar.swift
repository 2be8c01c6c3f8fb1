import Listings

extension HTMLWriter {
    mutating func toolbar(of page: borrowing Page, in context: RenderContext) {
        markup("<nav class=\"tools\"")
        attribute("aria-label", texts("View"))
        markup(">\n")
        fragment(.search, in: context) { $0.search(of: page, in: context) }
        let conditions = HTMLConditions(context: context)
        conditions.menu(of: page, to: &self)
        fragment(.viewMenus, in: context) { writer in
            writer.groupingMenu(of: page, in: context)
            writer.sortMenu(of: page, in: context)
            writer.columnsMenu(of: page, in: context)
        }
        index(of: page, in: context)
        fragment(.viewMenu, in: context) { $0.viewMenu(of: page, in: context) }
        markup("</nav>\n")
        conditions.list(of: page, to: &self)
    }

    private mutating func search(of page: borrowing Page, in context: RenderContext) {
        guard !page.schema.searchable.isEmpty else { return }
        let query = page.query
        beginForm(" role=\"search\"", keeping: .narrowed(query.filters, nil), context)
        markup("<input type=\"search\" name=\"q\" aria-keyshortcuts=\"/\"")
        attribute("aria-label", texts("Search \(noun: context.title)"))
        attribute("placeholder", texts("Search \(noun: context.title)"))
        if let search = query.search { attribute("value", search.text) }
        element("> <button class=\"btn\">", texts("Search"), "</button></form>\n")
    }

    mutating func beginForm(
        _ attributes: StaticString,
        keeping link: PageLink,
        except parameter: String? = nil,
        _ context: RenderContext
    ) {
        markup("<form")
        markup(attributes)
        attribute("action") { context.links.write(.narrowingForm, to: &$0) }
        markup(">")
        for kept in context.links.parameters(of: link) where kept.name != parameter {
            hidden(kept.name, kept.value)
        }
    }

    mutating func hidden(_ name: String, _ value: String) {
        markup("<input type=\"hidden\"")
        attribute("name", name)
        attribute("value", value)
        markup(">")
    }

    mutating func option(_ value: String, _ label: String, isSelected: Bool) {
        markup("<option")
        attribute("value", value)
        if isSelected { markup(" selected=\"selected\"") }
        element(">", label, "</option>")
    }

    // MARK: Menus

    mutating func beginMenu(
        _ label: String,
        _ value: String? = nil,
        key: String? = nil,
        icon: HTMLIcon? = nil
    ) {
        // The browser closes other details elements of the same name.
        markup("<details class=\"menu\" name=\"view\"")
        if let key { attribute("data-key", key) }
        markup("><summary>")
        icon?.write(to: &self)
        element("<span>", label, "</span>")
        if let value { element(" <b>", value, "</b>") }
        markup("</summary>")
    }

    mutating func endMenu() { markup("</details>\n") }

    private mutating func choice(
        _ label: String,
        _ link: PageLink,
        isCurrent: Bool,
        column: String? = nil,
        _ context: RenderContext
    ) {
        markup("<li><a")
        href(link, context)
        if let column { attribute("data-c", column) }
        if isCurrent { markup(" aria-current=\"true\"") }
        element(">", label, "</a></li>")
    }

    private mutating func groupingMenu(of page: borrowing Page, in context: RenderContext) {
        let current = page.query.grouping
        var groupings = context.groupings
        if let current, !groupings.contains(current) { groupings.append(current) }
        guard !groupings.isEmpty else { return }
        let schema = page.schema
        beginMenu(
            texts("Group"),
            current.map { texts.label(of: $0, schema) },
            key: "b",
            icon: .group
        )
        markup("<ul>")
        let (isUngrouped, isMerged) = (current == nil, page.query.mergesSections)
        let hasOwnSections = context.hasOwnSections
        choice(
            hasOwnSections ? texts("Sections") : texts("None"),
            .grouped(nil),
            isCurrent: isUngrouped && !(hasOwnSections && isMerged),
            context
        )
        for grouping in groupings {
            choice(
                texts.label(of: grouping, schema),
                .grouped(grouping),
                isCurrent: grouping == current,
                column: grouping.part == .value ? schema.columns[grouping.column].id : nil,
                context
            )
        }
        if hasOwnSections { choice(texts("None"), .merged, isCurrent: isMerged, context) }
        markup("</ul>")
        endMenu()
    }

    private mutating func columnsMenu(of page: borrowing Page, in context: RenderContext) {
        let columns = page.schema.columns
        let shown = page.shownColumns
        let isAll = page.query.columns == nil
        let count = isAll ? nil : "\(shown.count)/\(columns.count)"
        beginMenu(texts("Columns"), count, key: "c", icon: .columns)
        beginForm(" class=\"panel\"", keeping: .current, except: "columns", context)
        // The first button is the one that the return key presses.
        element("<p><button class=\"btn go\">", texts("Apply"), "</button>")
        if !isAll {
            // Without a choice, a list shows its default columns.
            let all = page.schema.defaultColumns.map { _ in page.schema.ownColumns } ?? 0..<0
            markup(" <button class=\"btn\" name=\"columns\"")
            attribute("value", all.map { columns[$0].id }.joined(separator: ","))
            element(">", texts("All columns"), "</button>")
        }
        markup("</p>")
        for field in page.query.fields ?? [] where field.column == nil {
            hidden(ToolbarForm.show, page.schema.name(of: field))
        }
        markup("<ul>")
        for column in shown + columns.indices.filter({ !shown.contains($0) }) {
            markup("<li><label><input type=\"checkbox\"")
            attribute("name", ToolbarForm.show)
            attribute("value", columns[column].id)
            if shown.contains(column) { markup(" checked=\"checked\"") }
            element("> ", columns[column].label, "</label>")
            if shown.contains(column), column != shown.first {
                markup("<button class=\"btn\"")
                attribute("name", ToolbarForm.forward)
                attribute("value", columns[column].id)
                attribute("aria-label", texts("Move \(columns[column].label) forward"))
                markup(">↑</button>")
            }
            markup("</li>")
        }
        markup("</ul></form>")
        endMenu()
    }

    private mutating func viewMenu(of page: borrowing Page, in context: RenderContext) {
        beginMenu(texts("View"), key: "v", icon: .view)
        markup("<div>")
        if page.query.grouping != nil, !page.showsSectionsOnly {
            markup("<ul>")
            choice(texts("All sections"), .sections, isCurrent: false, context)
            markup("</ul>")
        }
        if case .flow(let limit) = page.query.shape {
            element("<p class=\"n\">", texts("Rows"), "</p><ul class=\"tiny\">")
            let limits = Set([10, 25, 50, 100, 250, 500, limit])
            for choice in limits.sorted() where choice <= page.schema.maximumLimit {
                self.choice(
                    texts.number(choice),
                    .limited(choice),
                    isCurrent: choice == limit,
                    context
                )
            }
            markup("</ul>")
        }
        if context.layouts.count > 1 {
            element("<p class=\"n\">", texts("Layout"), "</p><ul class=\"tiny\">")
            for layout in context.layouts where layout != .board || page.query.grouping != nil {
                choice(
                    texts(layout.text),
                    .inLayout(layout),
                    isCurrent: layout == context.layout,
                    context
                )
            }
            markup("</ul>")
        }
        ownChoices()
        markup("</div>")
        endMenu()
    }

    /// Appends the choices that the script stores in the browser: views, density and scrolling.
    private mutating func ownChoices() {
        element(
            "<div class=\"own\"><p class=\"n\">",
            texts("Saved views"),
            "</p><ul id=\"views\"></ul>"
        )
        markup("<form id=\"view\"><input name=\"view\" maxlength=\"60\"")
        attribute("aria-label", texts("Name of the view"))
        attribute("placeholder", texts("Name of the view"))
        element("><button class=\"btn\">", texts("Save"), "</button></form>")
        for (name, label) in [
            ("compact", texts("Compact rows")),
            ("endless", texts("Load more rows while scrolling")),
        ] {
            markup("<p><label><input type=\"checkbox\"")
            attribute("data-own", name)
            element("> ", label, "</label></p>")
        }
        markup("</div>")
    }

    private mutating func index(of page: borrowing Page, in context: RenderContext) {
        let index = page.sectionIndex
        let letters = page.letters
        guard letters.count > 1 || index.count > 1 else { return }
        beginMenu(texts("A–Z"))
        markup("<ol class=\"az\"")
        attribute("aria-label", texts("Jump to"))
        markup(">")
        if letters.count > 1 {
            for letter in letters { choice(letter, .letter(letter), isCurrent: false, context) }
        } else {
            let sections = page.sections
            for entry in index {
                anchor("<li><a href=\"#s-", sections[entry.section].info.id.rawValue)
                element("\">", entry.title, "</a></li>")
            }
        }
        markup("</ol>")
        endMenu()
    }

    // MARK: Order

    private mutating func sortMenu(of page: borrowing Page, in context: RenderContext) {
        let (schema, sort) = (page.schema, page.query.sort)
        let sortable = schema.ownColumns.filter { schema.columns[$0].isSortable }
        var fields = sortable.map(SortKey.Field.column)
        if schema.sortsByHiddenID { fields.insert(.id, at: 0) }
        guard !fields.isEmpty else { return }
        beginMenu(
            texts("Sort"),
            sort.first.map { [texts] in
                let more = sort.count > 1 ? " +\(sort.count - 1)" : ""
                return "\(texts.label(of: $0.field, schema)) \($0.direction.sign)\(more)"
            },
            key: "s",
            icon: .sort
        )
        beginForm(" class=\"panel\"", keeping: .first, except: "sort", context)
        for location in 0..<max(2, min(sort.count + 1, 8)) {
            let key = location < sort.count ? sort[location] : nil
            let label = location == 0 ? texts("Sort") : texts("then by")
            markup("<p><select")
            attribute("name", ToolbarForm.sort)
            attribute("aria-label", label)
            markup(">")
            option("", location == 0 ? "–" : "\(label) …", isSelected: key == nil)
            for field in fields {
                option(
                    schema.name(of: field),
                    texts.label(of: field, schema),
                    isSelected: field == key?.field
                )
            }
            markup("</select> <select")
            attribute("name", ToolbarForm.direction)
            attribute("aria-label", "\(label): \(texts("ascending")), \(texts("descending"))")
            markup(">")
            let isDescending = key?.direction == .descending
            let hasNullsFirst = key?.nulls == .first
            option("", texts("ascending"), isSelected: !isDescending && !hasNullsFirst)
            option("-", texts("descending"), isSelected: isDescending && !hasNullsFirst)
            if hasNullsFirst {
                let word = isDescending ? texts("descending") : texts("ascending")
                option(
                    isDescending ? "-:nullsfirst" : ":nullsfirst",
                    "\(word), \(texts("empty first"))",
                    isSelected: true
                )
            }
            markup("</select></p>")
        }
        element("<p><button class=\"btn go\">", texts("Apply"), "</button></p></form>")
        endMenu()
    }

    /// Appends the sign for a direction, which screen readers skip.
    mutating func arrow(_ direction: SortKey.Direction, location: Int? = nil) {
        element(" <span aria-hidden=\"true\">", direction.sign, "")
        if let location { element("<sup>", "\(location)", "</sup>") }
        markup("</span>")
    }
}

extension SortKey.Direction {
    fileprivate var sign: String { self == .ascending ? "↑" : "↓" }
}

extension ListQuery {
    /// Returns the order after a click on a column: ascending, or descending if the list is already
    /// in ascending order of it.
    func toggledSort(byColumn column: Int) -> SortKey {
        guard let first = sort.first, first.field == .column(column),
            first.direction == .ascending
        else { return SortKey(.column(column)) }
        return SortKey(.column(column), .descending)
    }
}

extension Page {
    var showsSectionsOnly: Bool {
        if case .peek(_, rows: 0) = query.shape { true } else { false }
    }
}
