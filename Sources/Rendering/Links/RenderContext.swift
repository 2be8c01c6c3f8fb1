import Bytes
package import Listings

/// The context of a page: the title of its list and all addresses.
///
/// All pages of a query share one object, because copying a value with this many references would
/// be slow.
package final class RenderContext {
    package let title: String
    package let links: any PageLinks
    package let groupings: [Grouping]
    package let layout: PageLayout
    package var layouts: [PageLayout] = []
    package var segments: [Segment] = []
    package var about = ListAbout()
    package var imageHosts = ImageHosts.empty
    var cellTemplates: [String: [Int: RowTemplate]] = [:]
    /// Whether an empty page says how to start the server so that users can write.
    package var suggestsWrites = false
    package var isWritable = false
    package var operations = Set(RowRules.Operation.allCases)
    package var bulkRules: RowRules?
    package var newRowAddress: String?

    package var previewAddress: String?

    package var canMove = false

    /// The query of the list's page that led to a row, with its question mark; else empty.
    package var wayBack = ""
    /// The number of rows before the cursor of the page, as the link to it knew it.
    package var rowsBefore: Int?
    package var hasOwnSections = false
    package var canCollapse = false
    package var collapsed: [SectionKey] = []
    /// The messages shown once above the list, such as the result of an action.
    package var notices = PageNotices()
    package var parent: String?
    package var references: [Int: @Sendable (String) -> String] = [:]
    /// The controls of foreign keys, by the ids of their columns.
    package var controls: [String: FieldControl] = [:]
    package var related: [RelatedRows] = []
    package var embedded: [[EmbeddedRows]] = []
    /// The facets that are worth counting; nil if finding them took too long.
    package var suggestions: [FacetSuggestion]? = []
    package var isRefreshable = false
    /// The cached fragments of the request, or nil if it is not expected again.
    ///
    /// Between its pages, only ``notices`` and ``canMove`` may change.
    private(set) var fragments: FragmentCache?
    let rowLayouts: RowLayoutCache

    package struct Segment: Hashable, Sendable {
        package let title: String
        package let address: String
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

    package func keepFragments() {
        if fragments == nil { fragments = FragmentCache() }
    }

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

    var hasEmbedded: Bool { embedded.contains { !$0.isEmpty } }

    func address(of link: PageLink) -> String {
        var buffer = ByteBuffer()
        links.write(link, to: &buffer)
        return buffer.text()
    }

    var alternates: [Alternate] {
        PageFormat.allCases.filter { $0 != .html }.map {
            Alternate($0, address: address(of: .alternate($0)))
        }
    }
}

/// The messages of the last write, and the address of the row that it added.
package struct PageNotices: Sendable {
    package var texts: [String]
    package var addedRow: String?

    package init(_ texts: [String] = [], addedRow: String? = nil) {
        self.texts = texts
        self.addedRow = addedRow
    }
}
