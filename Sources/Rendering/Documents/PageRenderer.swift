package import Bytes
package import Listings

/// A renderer of pages and other documents in one format.
///
/// A renderer is immutable and may be shared.
package protocol PageRenderer: Sendable {
    func render(
        _ page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    )

    /// Appends the only row of a page that was filled by ``ListReader/readRow(_:grouping:into:)``.
    ///
    /// In `context`, ``PageLink/current`` is the address of the row.
    func renderRow(
        of page: borrowing Page,
        in context: RenderContext,
        to buffer: inout ByteBuffer
    )

    func render(_ directory: ListDirectory, to buffer: inout ByteBuffer)

    func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer)

    func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer)

    func render(_ problem: Problem, to buffer: inout ByteBuffer)
}

/// A renderer of exports, whose pages together form one long document.
///
/// A copy continues the document where the original was copied.
package protocol RowRenderer: Sendable {
    mutating func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer)

    /// Appends the rows of a page. All pages of a document show the same columns.
    mutating func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer)

    mutating func renderEnd(to buffer: inout ByteBuffer)
}

package struct RowRendering: Sendable {
    package var formulas = CSVWriter.Formulas.kept
    package var hasByteOrderMark = false
    package var splitsSections = false
    package var links: (any PageLinks & Sendable)?
    package var deflate = ZipWriter.stored

    package init() {}
}
