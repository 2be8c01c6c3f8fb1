import Listings

/// The title and message of a page without rows.
struct EmptyStateText {
    let reason: EmptyReason
    let title: String
    let message: String

    /// Nil if the page has a row, or has sections whose rows were not requested or are hidden.
    init?(
        _ page: borrowing Page,
        in context: RenderContext,
        _ texts: @autoclosure () -> any PageText = PageLanguage.english.texts
    ) {
        guard page.rowCount == 0, !page.hidesRows else { return nil }
        let query = page.query
        let asksForAll = query.sections == nil && query.start == .beginning && !query.isNarrowed
        let state = page.emptyState
        reason = state?.reason ?? (asksForAll ? .noData : .noMatch)
        let meetsNone = reason == .noMatch && query.isNarrowed && query.start == .beginning
        let texts = texts()
        title = state?.title ?? (meetsNone ? texts.noRowMatches : texts.title(of: reason))
        let general = meetsNone ? texts.noConditionMet : texts.message(of: reason)
        let addition = reason == .noData && context.suggestsWrites ? " \(texts.toAddRows)" : ""
        message = state?.message ?? general + addition
    }
}

extension Page {
    /// Whether the page has no rows because they are hidden or were not requested.
    fileprivate var hidesRows: Bool {
        if case .peek(_, rows: 0) = query.shape, !sections.isEmpty { return true }
        return sections.contains { $0.info.isCollapsed && $0.count?.value != 0 }
    }
}
