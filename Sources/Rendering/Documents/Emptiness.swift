import Listings

/// Why a page has no row.
enum Emptiness: String {
    /// The list has none.
    case noData
    /// The list may have some, but none is where the question points.
    case noMatch

    /// Nil for a page with a row, or with sections that were asked for without their rows.
    init?(_ page: borrowing Page) {
        guard page.rowCount == 0, page.sections.isEmpty else { return nil }
        let asksForAll = page.query.sections == nil && page.query.start == .beginning
        self = asksForAll ? .noData : .noMatch
    }
}
