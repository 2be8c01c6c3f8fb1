package import Listings

/// What became of a page since a client was given it.
package struct PageChanges {
    /// What the client holds, as it named it.
    package let since: String
    /// How that became the page; nothing where both show the same.
    package let difference: ListDifference
    /// Draws each row and section for people besides; nil leaves that out.
    package var html: HTMLPieces?

    /// Creates changes.
    package init(since: String, _ difference: ListDifference, html: HTMLPieces? = nil) {
        self.since = since
        self.difference = difference
        self.html = html
    }
}

/// Draws rows and sections of a page one by one, as the whole page would.
package struct HTMLPieces {
    let renderer: HTMLPageRenderer
    let context: ListingContext

    /// Creates what draws them.
    ///
    /// - Parameters:
    ///   - renderer: Draws whole pages.
    ///   - context: The context of such a page.
    package init(_ renderer: HTMLPageRenderer, in context: ListingContext) {
        self.renderer = renderer
        self.context = context
    }
}
