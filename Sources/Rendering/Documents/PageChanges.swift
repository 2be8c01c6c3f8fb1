package import ListDiff
import Listings

/// The changes of a page since the version that a client has.
package struct PageChanges {
    /// The version that the client has, as the client sent it.
    package let since: String
    /// The difference to the current page.
    ///
    /// It is empty if both show the same.
    package let difference: ListDifference
    /// The renderer of each row and section as HTML, or nil to omit the HTML.
    package var html: HTMLPieces?

    package init(since: String, _ difference: ListDifference, html: HTMLPieces? = nil) {
        self.since = since
        self.difference = difference
        self.html = html
    }
}

/// A renderer of single rows and sections of a page, with the same markup as the whole page.
package struct HTMLPieces {
    let renderer: HTMLPageRenderer
    let context: RenderContext

    /// Creates a renderer of single rows and sections.
    ///
    /// - Parameters:
    ///   - renderer: The renderer of whole pages.
    ///   - context: The context of such a page.
    package init(_ renderer: HTMLPageRenderer, in context: RenderContext) {
        self.renderer = renderer
        self.context = context
    }
}
