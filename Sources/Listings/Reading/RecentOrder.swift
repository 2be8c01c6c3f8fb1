/// An order that was asked for, and the rows that were selected of it last, known by what makes the
/// question; one object, as it is asked for each page.
final class RecentOrder {
    private let version: ListVersion
    private let grouping: Grouping?
    private let sort: [SortKey]
    private let sections: [SectionKey]?
    private let mergesSections: Bool
    // Weak: the rows of an old version are not to outlive it here.
    private weak var order: MadeOnce<SortedRows>?
    private var selected: Selected?

    /// Rows that were selected, and by what.
    private struct Selected {
        let filters: [Filter]
        let search: TextSearch?
        let facets: [Int]
        let collapsed: [SectionKey]
        weak var selection: MadeOnce<RowSelection>?
    }

    init(_ query: ListQuery, _ version: ListVersion, _ order: MadeOnce<SortedRows>) {
        self.version = version
        grouping = query.grouping
        sort = query.sort
        sections = query.sections
        mergesSections = query.mergesSections
        self.order = order
    }

    private func isAsked(for query: ListQuery, _ version: ListVersion) -> Bool {
        self.version == version && grouping == query.grouping && sort == query.sort
            && sections == query.sections && mergesSections == query.mergesSections
    }

    /// The rows in this order, if it is the one that a query asks for and they are there.
    func rows(_ query: ListQuery, _ version: ListVersion) -> SortedRows? {
        isAsked(for: query, version) ? order?.use() : nil
    }

    /// Takes note of what a query selects, if it asks for this order.
    func keep(_ selection: MadeOnce<RowSelection>, for query: ListQuery, _ version: ListVersion) {
        guard isAsked(for: query, version) else { return }
        selected = Selected(
            filters: query.filters,
            search: query.search,
            facets: query.facets,
            collapsed: query.collapsed,
            selection: selection
        )
    }

    /// What a query that asks for this order selects, if that is what was selected last and it is there.
    func selection(_ query: ListQuery) -> RowSelection? {
        guard let selected, selected.filters == query.filters, selected.search == query.search,
            selected.facets == query.facets, selected.collapsed == query.collapsed
        else { return nil }
        return selected.selection?.use()
    }
}
