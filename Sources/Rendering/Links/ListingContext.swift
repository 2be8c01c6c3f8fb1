import Bytes
package import Listings

/// What a page does not know of itself: how its list is called and where everything is.
///
/// One object for all pages that answer a question, drawn one at a time: a value of these many parts
/// would be copied for every one, each part with a reference to count.
package final class ListingContext {
    /// The title of the list.
    package let title: String
    /// The addresses around the page.
    package let links: any PageLinks
    /// The ways to cut the list into sections that are offered to people, besides none.
    package let groupings: [Grouping]
    /// How HTML shows the rows.
    package let layout: PageLayout
    /// The layouts offered to people; fewer than two offer no choice.
    package var layouts: [PageLayout] = []
    /// The lists that stand under one address, of which one is shown; fewer than two offer no
    /// choice.
    package var segments: [Segment] = []
    /// Whether people can change and remove the rows.
    package var isWritable = false
    /// Where a person writes a new row; nil where that is not offered.
    package var newRowAddress: String?

    /// How long the rows took to read, in microseconds; nil where that is not said.
    package var duration: Int?
    /// Whether people can put the rows in another order.
    package var canMove = false

    /// Whether a reader can hide the rows of a section.
    package var canCollapse = false
    /// The sections whose rows a reader has hidden.
    package var collapsed: [SectionKey] = []
    /// What is said above the list, once: what came of the action that led here.
    package var notices: [String] = []
    /// The id of the row that all rows of the page stand below; nil for a page of the list.
    package var parent: String?
    /// Whether the rows are somebody else's who can be asked for them again.
    package var isRefreshable = false
    /// The fragments of the request; nil where it is not expected again.
    ///
    /// From page to page ``duration``, ``notices`` and ``canMove`` may change, and nothing else.
    private(set) var fragments: FragmentCache?
    /// The row layouts of the list.
    let rowLayouts: RowLayoutCache

    /// One of the lists that stand under one address.
    package struct Segment: Hashable, Sendable {
        /// What people call it.
        package let title: String
        /// Where it is.
        package let address: String
        /// Whether it is the one shown.
        package let isCurrent: Bool

        /// Creates a segment.
        package init(_ title: String, address: String, isCurrent: Bool) {
            self.title = title
            self.address = address
            self.isCurrent = isCurrent
        }
    }

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - title: The title of the list.
    ///   - links: The addresses around the page.
    ///   - groupings: The sections offered to people, besides none.
    ///   - layout: How HTML shows the rows.
    ///   - rowLayouts: The row layouts of the list.
    package init(
        title: String,
        links: some PageLinks,
        groupings: [Grouping],
        layout: PageLayout = .table,
        rowLayouts: RowLayoutCache = RowLayoutCache()
    ) {
        self.title = title
        self.links = links
        self.groupings = groupings
        self.layout = layout
        self.rowLayouts = rowLayouts
    }

    /// Keeps the fragments of the request from here on.
    package func keepFragments() {
        if fragments == nil { fragments = FragmentCache() }
    }

    /// Creates a context that offers the values of all groupable columns as sections.
    package convenience init(
        title: String,
        links: some PageLinks,
        schema: ListSchema,
        layout: PageLayout = .table
    ) {
        self.init(
            title: title,
            links: links,
            groupings: schema.columns.indices
                .filter { schema.columns[$0].isGroupable }
                .map { Grouping(column: $0) },
            layout: layout
        )
    }

    /// The address of a place as a text.
    func address(of link: PageLink) -> String {
        var buffer = ByteBuffer()
        links.write(link, to: &buffer)
        return buffer.text()
    }

    /// The page in the formats other than HTML.
    var alternates: [Alternate] {
        PageFormat.allCases.filter { $0 != .html }.map {
            Alternate($0, address: address(of: .alternate($0)))
        }
    }
}
