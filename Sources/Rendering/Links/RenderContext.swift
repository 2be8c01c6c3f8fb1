import Bytes
package import Listings

/// The context of a page: the title of its list and all addresses.
///
/// All pages of a query share one object, because copying a value with this many references would
/// be slow.
package final class RenderContext {
    /// The title of the list.
    package let title: String
    /// The addresses around the page.
    package let links: any PageLinks
    /// The groupings offered to people, in addition to none.
    package let groupings: [Grouping]
    /// The layout of the rows in HTML.
    package let layout: PageLayout
    /// The layouts offered to people.
    ///
    /// Fewer than two offer no choice.
    package var layouts: [PageLayout] = []
    /// The lists that share one address, one of which is shown.
    ///
    /// Fewer than two offer no choice.
    package var segments: [Segment] = []
    /// The explanation of the list.
    package var about = ListAbout()
    /// The hosts whose images are shown; the images of others are links.
    package var imageHosts = ImageHosts.empty
    /// The templates of the page's cells, by kinds of rows and columns.
    var cellTemplates: [String: [Int: RowTemplate]] = [:]
    /// Whether an empty page says how to start the server so that users can write.
    package var suggestsWrites = false
    /// Whether users can change and remove the rows.
    package var isWritable = false
    /// The writes that the list takes, if users can write.
    package var operations = Set(RowRules.Operation.allCases)
    /// The rules for changing several rows at once, or nil if that is not offered.
    package var bulkRules: RowRules?
    /// The address of the form for a new row, or nil if it is not offered.
    package var newRowAddress: String?

    /// The address that a file is sent to before its import, or nil if imports are not offered.
    package var previewAddress: String?

    /// Whether users can reorder the rows.
    package var canMove = false

    /// The query of the list's page that led to a row, with its question mark; else empty.
    package var wayBack = ""
    /// The number of rows before the cursor of the page, as the link to it knew it.
    package var rowsBefore: Int?
    /// Whether the list has sections of its own, which a grouping replaces.
    package var hasOwnSections = false
    /// Whether clients can hide the rows of a section.
    package var canCollapse = false
    /// The sections whose rows the client has hidden.
    package var collapsed: [SectionKey] = []
    /// The messages shown once above the list, such as the result of an action.
    package var notices: [String] = []
    /// The id of the parent of all rows of the page, or nil for a page of the list.
    package var parent: String?
    /// The addresses of the rows that foreign keys name, by column and value.
    package var references: [Int: @Sendable (String) -> String] = [:]
    /// The lists whose rows refer to the row of the page.
    package var related: [RelatedRows] = []
    /// The rows of other lists inside each row of the page; empty without any.
    package var embedded: [[EmbeddedRows]] = []
    /// The facets that are worth counting; nil if finding them took too long.
    package var suggestions: [FacetSuggestion]? = []
    /// Whether the rows come from another service and can be refreshed.
    package var isRefreshable = false
    /// The cached fragments of the request, or nil if it is not expected again.
    ///
    /// Between its pages, only ``notices`` and ``canMove`` may change.
    private(set) var fragments: FragmentCache?
    /// The row layouts of the list.
    let rowLayouts: RowLayoutCache

    /// One of the lists that share one address.
    package struct Segment: Hashable, Sendable {
        /// The title for people.
        package let title: String
        /// The address of the list.
        package let address: String
        /// Whether it is the list that is shown.
        package let isCurrent: Bool

        package init(_ title: String, address: String, isCurrent: Bool) {
            self.title = title
            self.address = address
            self.isCurrent = isCurrent
        }
    }

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

    /// Starts to cache the fragments of the request.
    package func keepFragments() {
        if fragments == nil { fragments = FragmentCache() }
    }

    /// Creates a context that offers all groupable columns as groupings.
    package convenience init(
        title: String,
        links: some PageLinks,
        schema: ListSchema,
        layout: PageLayout = .table
    ) {
        self.init(
            title: title,
            links: links,
            groupings: schema.ownColumns
                .filter { schema.columns[$0].isGroupable }
                .map { Grouping(column: $0) },
            layout: layout
        )
    }

    /// Whether rows have rows of other lists inside.
    var hasEmbedded: Bool { embedded.contains { !$0.isEmpty } }

    /// Returns the address of a link as a text.
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
