package import ListDiff
import Listings

package struct PageChanges {
    package let since: String
    package let difference: ListDifference
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

    package init(_ renderer: HTMLPageRenderer, in context: RenderContext) {
        self.renderer = renderer
        self.context = context
    }
}
