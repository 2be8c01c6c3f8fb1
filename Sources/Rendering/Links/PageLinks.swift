package import Bytes
package import Listings

package enum PageLink: Hashable, Sendable {
    case list
    case current
    case first
    case last
    case after(Cursor, rows: Int? = nil)
    case before(Cursor, rows: Int? = nil)
    case page(Int)
    case alternate(PageFormat)
    case sorted([SortKey])
    case grouped(Grouping?)
    case merged
    case limited(Int)
    case narrowed([Filter], TextSearch?)
    case unrelated(RelatedFilter)
    case counted(ListQuery.Counting)
    case facet(String)
    case withoutFacet(Int)
    case letter(String)
    case narrowingForm
    case section(SectionID)
    case sectionAfter(SectionID, Cursor)
    case sections
    case schema
    case refresh
    case changes
    case foldingSection(SectionKey)
    case inLayout(PageLayout)
}

/// The addresses around one page.
///
/// Each written address is absolute and percent-encoded, but not escaped for HTML or JSON, which
/// the renderer does. It includes all unchanged parameters of the request.
package protocol PageLinks {
    func write(_ link: PageLink, to buffer: inout ByteBuffer)

    func writeRow(_ id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    func writeAddress(_ address: String, to buffer: inout ByteBuffer)

    /// Appends the part before the id of a row's address. It is valid for ids that consist only of
    /// letters, digits, `-`, `_` and `~`.
    ///
    /// - Returns: false if the address does not end with the id. Nothing is appended then.
    func writeRowStem(to buffer: inout ByteBuffer) -> Bool

    func writeAction(
        _ name: String,
        ofRow id: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    )

    func writeBulkAction(_ name: String, to buffer: inout ByteBuffer)

    func writeChildren(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Whether binary cells have addresses, because the source of the list can read them.
    var linksCells: Bool { get }

    func writeCell(column: Int, ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    func writeToggle(ofRow id: borrowing Span<UInt8>, to buffer: inout ByteBuffer)

    /// Returns the query parameters of a link, for forms that keep them.
    func parameters(of link: PageLink) -> [(name: String, value: String)]

    func writeCursor(_ cursor: Cursor, to buffer: inout ByteBuffer)
}

extension PageLinks {
    func linksCell(_ cell: Int, ofRow row: Int, of page: borrowing Page) -> Bool {
        guard linksCells, case .bytes = page.cells[cell] else { return false }
        return page.link(ofRow: row) != .closed
    }
}
