import Listings

extension HTMLWriter {
    /// Appends the menus for a page's view: sections, order, number of rows and layout.
    mutating func viewMenus(of page: borrowing Page, in context: RenderContext) {
        markup("<nav class=\"view\"")
        attribute("aria-label", texts.view)
        markup(">\n")
        groupingMenu(of: page, in: context)
        sortMenu(of: page, in: context)
        limitMenu(of: page, in: context)
        layoutMenu(in: context)
        if page.query.grouping != nil, !page.showsSectionsOnly {
            markup("<a class=\"btn\"")
            href(.sections, context)
            element(">", texts.sections, "</a>\n")
        }
        markup("</nav>\n")
    }

    private mutating func groupingMenu(of page: borrowing Page, in context: RenderContext) {
        let current = page.query.grouping
        var groupings = context.groupings
        if let current, !groupings.contains(current) { groupings.append(current) }
        guard !groupings.isEmpty else { return }
        let schema = page.schema
        beginMenu(texts.groupBy, current.map { texts.label(of: $0, schema) })
        let (isUngrouped, isMerged) = (current == nil, page.query.mergesSections)
        let hasOwnSections = context.hasOwnSections
        choice(
            hasOwnSections ? texts.ownSections : texts.ungrouped,
            .grouped(nil),
            isCurrent: isUngrouped && !(hasOwnSections && isMerged),
            context
        )
        for grouping in groupings {
            choice(
                texts.label(of: grouping, schema),
                .grouped(grouping),
                isCurrent: grouping == current,
                context
            )
        }
        if hasOwnSections { choice(texts.ungrouped, .merged, isCurrent: isMerged, context) }
        endMenu()
    }

    private mutating func sortMenu(of page: borrowing Page, in context: RenderContext) {
        let schema = page.schema
        let sortable = page.shownColumns.filter { schema.columns[$0].isSortable }
        guard !sortable.isEmpty else { return }
        let first = page.query.sort.first
        beginMenu(
            texts.sortBy,
            first.map { [texts] in texts.label(of: $0.field, schema) },
            key: "s"
        )
        for column in sortable {
            let isCurrent = first?.field == .column(column)
            choice(
                schema.columns[column].label,
                .sorted([page.query.toggledSort(byColumn: column)]),
                isCurrent: isCurrent,
                arrow: isCurrent ? first?.direction : nil,
                context
            )
        }
        endMenu()
    }

    private mutating func limitMenu(of page: borrowing Page, in context: RenderContext) {
        guard case .flow(let limit) = page.query.shape else { return }
        let maximum = page.schema.maximumLimit
        var limits = [10, 25, 50, 100, 250, 500]
        if !limits.contains(limit) {
            limits.append(limit)
            limits.sort()
        }
        beginMenu(texts.rowsPerPage, texts.number(limit))
        for choice in limits where choice <= maximum {
            self.choice(
                texts.number(choice),
                .limited(choice),
                isCurrent: choice == limit,
                context
            )
        }
        endMenu()
    }

    private mutating func layoutMenu(in context: RenderContext) {
        guard context.layouts.count > 1 else { return }
        beginMenu(texts.layout, texts.name(of: context.layout))
        for layout in context.layouts {
            choice(
                texts.name(of: layout),
                .inLayout(layout),
                isCurrent: layout == context.layout,
                context
            )
        }
        endMenu()
    }

    private mutating func beginMenu(_ label: String, _ value: String?, key: String? = nil) {
        // The browser closes other details elements of the same name.
        markup("<details class=\"menu\" name=\"view\"")
        if let key { attribute("data-key", key) }
        element("><summary>", label, "")
        if let value { element(" <b>", value, "</b>") }
        markup("</summary><ul>")
    }

    private mutating func endMenu() { markup("</ul></details>\n") }

    private mutating func choice(
        _ label: String,
        _ link: PageLink,
        isCurrent: Bool,
        arrow: SortKey.Direction? = nil,
        _ context: RenderContext
    ) {
        markup("<li><a")
        href(link, context)
        if isCurrent { markup(" aria-current=\"true\"") }
        element(">", label, "")
        if let arrow { self.arrow(arrow) }
        markup("</a></li>")
    }

    /// Appends the sign for a direction, which screen readers skip.
    mutating func arrow(_ direction: SortKey.Direction) {
        switch direction {
        case .ascending: markup(" <span aria-hidden=\"true\">↑</span>")
        case .descending: markup(" <span aria-hidden=\"true\">↓</span>")
        }
    }
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
    /// Whether the query requests an index of sections.
    var showsSectionsOnly: Bool {
        if case .peek(_, rows: 0) = query.shape { true } else { false }
    }
}
