import Bytes
import Listings

/// A cache of the row layouts of one list, with their encoders, for pages with the same columns.
package final class RowLayoutCache {
    /// The traits of pages that share a layout.
    private struct Key: Equatable {
        let kinds: [Page.Kind]
        let columns: [Column]
        let shown: [Int]?
        let isFlat: Bool
        /// The start of the addresses of rows, or nil if they have none.
        let stem: [UInt8]?
        // The traits for HTML only.
        var grouping: Grouping?
        var language: PageLanguage?

        init(_ page: borrowing Page, in context: RenderContext) {
            kinds = page.kinds
            columns = page.schema.columns
            shown = page.query.columns
            isFlat = page.isFlat
            var stem = ByteBuffer(minimumCapacity: 64)
            self.stem = context.links.writeRowStem(to: &stem) ? stem.array() : nil
        }
    }

    /// The maximum number of cached layouts for each format.
    private static let maximumCount = 4
    private var json: [(key: Key, layout: JSONRowLayout)] = []
    private var html: [(key: Key, layout: HTMLRowLayout)] = []

    /// Creates a cache without layouts.
    package init() {}

    /// Returns the JSON layout of a page.
    func json(of page: borrowing Page, in context: RenderContext) -> JSONRowLayout {
        let key = Key(page, in: context)
        if let known = json.first(where: { $0.key == key }) { return known.layout }
        let layout = JSONRowLayout(page, in: context)
        if json.count == Self.maximumCount { json.removeFirst() }
        json.append((key, layout))
        return layout
    }

    /// Returns the HTML layout of a page.
    ///
    /// It is not cached if rows have more than their cells.
    func html(
        of page: borrowing Page,
        _ templates: TemplateSet,
        in context: RenderContext,
        _ language: PageLanguage
    ) -> HTMLRowLayout {
        var key = Key(page, in: context)
        (key.grouping, key.language) = (page.query.grouping, language)
        let isPlain = page.isFlat && !page.hasActions && !context.canMove
        if isPlain, let known = html.first(where: { $0.key == key }) { return known.layout }
        let layout = HTMLRowLayout(
            page,
            templates,
            canMove: context.canMove,
            in: context,
            language: language
        )
        // The templates of a layout are those of the page's kinds of rows.
        guard isPlain, !layout.encoders.isEmpty else { return layout }
        if html.count == Self.maximumCount { html.removeFirst() }
        html.append((key, layout))
        return layout
    }
}
