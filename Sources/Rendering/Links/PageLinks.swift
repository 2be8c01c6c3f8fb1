package import Bytes
package import Listings

/// Where a page can point to; what the address looks like is the business of ``PageLinks``.
package enum PageLink: Hashable, Sendable {
    /// The list with nothing asked for.
    case list
    /// The very page or row, as it was asked for.
    case current
    /// The first page of the same question.
    case first
    /// The rows of the same question behind a position.
    case after(Cursor)
    /// The rows of the same question before a position.
    case before(Cursor)
    /// The same question in another format; an export (``PageFormat/csv``, ``PageFormat/ndjson``)
    /// has no limit.
    case alternate(PageFormat)
    /// The first page of the same question in another order; the id need not be named.
    case sorted([SortKey])
    /// The first page of the same question in other sections; nil asks for one.
    case grouped(Grouping?)
    /// The first page of the same question with another limit.
    case limited(Int)
    /// The first page of the same question with other conditions and another search.
    case narrowed([Filter], TextSearch?)
    /// The first page of the same question with rows counted otherwise.
    case counted(ListQuery.Counting)
    /// The page of the same question that begins at an index letter.
    case letter(String)
    /// The address that a form for conditions and searches is sent to.
    case narrowingForm
    /// One section alone, from its beginning, in the order of the page.
    case section(SectionID)
    /// One section alone, behind a position that is good for it
    /// (see ``ListQuery/restricted(to:limit:)``).
    case sectionAfter(SectionID, Cursor)
    /// The section index: all sections of the question without rows.
    case sections
    /// The columns and parameters of the list.
    case schema
    /// Where somebody who has the rows is asked for them again.
    case refresh
    /// Where a client is told what changed on the very page since it was drawn.
    case changes
    /// The very page with a section's rows hidden, or shown again.
    case foldingSection(SectionKey)
    /// The very page in another layout.
    case inLayout(PageLayout)
}

/// How HTML shows the rows of a page; the rows are the same.
package enum PageLayout: String, Hashable, Sendable, CaseIterable {
    /// One line for each row, under common heads.
    case table
    /// One card for each row, as many side by side as there is room for.
    case grid
}

/// Knows the addresses around one page.
///
/// What it writes is an absolute path or address, percent-encoded but not escaped for HTML or JSON:
/// that is done by whoever draws. Everything the reader asked for and did not change is kept.
package protocol PageLinks {
    /// Appends the address of a place.
    func write(_ link: PageLink, to buffer: inout ByteBuffer)

    /// Appends the address of the row with an id, given as UTF-8.
    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Appends an address that a row controller gave: a path is one of the service.
    func writeAddress(_ address: String, to buffer: inout ByteBuffer)

    /// Appends what stands before the id in the address of a row whose id is of letters, digits,
    /// `-`, `_` and `~` only.
    ///
    /// - Returns: false where the id is not the end of the address, and nothing is appended.
    func writeRowStem(to buffer: inout ByteBuffer) -> Bool

    /// Appends the address that an action of the row with an id is asked for at:
    /// `/users/19/-/deactivate`.
    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    )

    /// Appends the address that an action of several rows is asked for at:
    /// `/users/-/actions/deactivate`.
    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer)

    /// Appends the address of the rows below the row with an id: `/folders/docs/-/children`.
    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Whether the bytes of cells have addresses: the source of the list can read them.
    var linksCells: Bool { get }

    /// Appends the address of the cell of a column in the row with an id:
    /// `/photos/19/-/cells/picture`.
    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Appends the address of the very page with the rows below a row shown, or not any more.
    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// The names and values that the address of a place asks with, for forms that keep them.
    func parameters(of link: PageLink) -> [(name: String, value: String)]

    /// Appends the text of a cursor, as `after` and `before` take it.
    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer)
}

extension PageLinks {
    /// Whether a cell is bytes that have an address of their own.
    func linksCell(_ cell: Int, ofRow row: Int, of page: borrowing Page) -> Bool {
        guard linksCells, case .bytes = page.cells[cell] else { return false }
        return page.link(ofRow: row) != .closed
    }
}
