import Listings

struct EmptyStateText {
    let reason: EmptyReason
    let title: String
    let message: String

    /// Nil if the page has a row, or has sections whose rows were not requested or are hidden.
    init?(
        _ page: borrowing Page,
        in context: RenderContext,
        _ texts: PageText = PageLanguage.english.texts
    ) {
        guard page.rowCount == 0, !page.hidesRows else { return nil }
        let query = page.query
        let asksForAll = query.sections == nil && query.start == .beginning && !query.isNarrowed
        let state = page.emptyState
        reason = state?.reason ?? (asksForAll ? .noData : .noMatch)
        let meetsNone = reason == .noMatch && query.isNarrowed && query.start == .beginning
        title = state?.title ?? texts(meetsNone ? "No row matches" : reason.title)
        var general = texts(
            meetsNone
                ? "Change or remove the search or one of the filters above, or show all rows."
                : reason.message
        )
        if reason == .noData, context.suggestsWrites {
            general += " "
            general += texts(
                "To add rows in the browser, start the server with --allow-anonymous-writes."
            )
        }
        message = state?.message ?? general
    }
}

extension Page {
    fileprivate var hidesRows: Bool {
        if case .peek(_, rows: 0) = query.shape, !sections.isEmpty { return true }
        return sections.contains { $0.info.isCollapsed && $0.count?.value != 0 }
    }
}
