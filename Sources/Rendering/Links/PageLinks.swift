package import Bytes
package import Listings

/// A target that a page links to.
///
/// ``PageLinks`` determines its address.
package enum PageLink: Hashable, Sendable {
    /// The list without any parameters.
    case list
    /// The current page or row, as requested.
    case current
    /// The first page of the query.
    case first
    /// The rows of the query after a position, behind a number of rows if that is known.
    case after(Cursor, rows: Int? = nil)
    /// The rows of the query before a position, behind a number of rows if that is known.
    case before(Cursor, rows: Int? = nil)
    /// The page of the query with a number, from 1.
    case page(Int)
    /// The query in another format. An export (``PageFormat/csv``, ``PageFormat/ndjson``) has no
    /// limit.
    case alternate(PageFormat)
    /// The first page of the query in another order. The final id key is optional.
    case sorted([SortKey])
    /// The first page of the query in another grouping. Nil is one section, or the list's own
    /// sections.
    case grouped(Grouping?)
    /// The first page of the query in one section, where the list has sections of its own.
    case merged
    /// The first page of the query with another limit.
    case limited(Int)
    /// The first page of the query with other conditions and another search.
    case narrowed([Filter], TextSearch?)
    /// The first page of the query without a condition on the rows that a foreign key names.
    case unrelated(RelatedFilter)
    /// The first page of the query with another counting mode.
    case counted(ListQuery.Counting)
    /// The current page with a further facet.
    case facet(String)
    /// The page of the query that begins at an index letter.
    case letter(String)
    /// The address that the forms of a page are sent to; see ``ToolbarForm``.
    case narrowingForm
    /// One section from its beginning, in the order of the page.
    case section(SectionID)
    /// One section after a position that is valid for it (see ``ListQuery/restricted(to:limit:)``).
    case sectionAfter(SectionID, Cursor)
    /// The section index: all sections of the query without rows.
    case sections
    /// The columns and parameters of the list.
    case schema
    /// The address that requests a refresh from the upstream.
    case refresh
    /// The address that reports changes of the page since it was rendered.
    case changes
    /// The current page with the rows of a section hidden or shown again.
    case foldingSection(SectionKey)
    /// The current page in another layout.
    case inLayout(PageLayout)
}

/// The layout of a page's rows in HTML.
///
/// The rows are the same.
package enum PageLayout: String, Hashable, Sendable, CaseIterable {
    /// One line for each row, under shared column headers.
    case table
    /// One card for each row, in as many columns as fit.
    case grid
}

/// The addresses around one page.
///
/// Each written address is absolute and percent-encoded, but not escaped for HTML or JSON, which
/// the renderer does. It includes all unchanged parameters of the request.
package protocol PageLinks {
    /// Appends the address of a link.
    func write(_ link: PageLink, to buffer: inout ByteBuffer)

    /// Appends the address of a row, whose id is given as UTF-8.
    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Appends an address from a row controller. A path refers to this service.
    func writeAddress(_ address: String, to buffer: inout ByteBuffer)

    /// Appends the part before the id of a row's address. It is valid for ids that consist only of
    /// letters, digits, `-`, `_` and `~`.
    ///
    /// - Returns: false if the address does not end with the id. Nothing is appended then.
    func writeRowStem(to buffer: inout ByteBuffer) -> Bool

    /// Appends the address for an action of a row, such as `/users/19/-/deactivate`.
    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    )

    /// Appends the address for an action of several rows, such as `/users/-/actions/deactivate`.
    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer)

    /// Appends the address of the rows below a row, such as `/folders/docs/-/children`.
    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Whether binary cells have addresses, because the source of the list can read them.
    var linksCells: Bool { get }

    /// Appends the address of a row's cell in a column, such as `/photos/19/-/cells/picture`.
    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Appends the address of the current page with the rows below a row shown or hidden.
    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Returns the query parameters of a link, for forms that keep them.
    func parameters(of link: PageLink) -> [(name: String, value: String)]

    /// Appends the text of a cursor for the parameters `after` and `before`.
    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer)
}

extension PageLinks {
    /// Whether a cell is binary and has its own address.
    func linksCell(_ cell: Int, ofRow row: Int, of page: borrowing Page) -> Bool {
        guard linksCells, case .bytes = page.cells[cell] else { return false }
        return page.link(ofRow: row) != .closed
    }
}
