package import Bytes
package import Listings

/// A renderer of pages and other documents in one format.
///
/// A renderer is immutable and may be shared.
package protocol PageRenderer: Sendable {
    /// Appends a page of a list, which may show sections without rows.
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

    /// Appends the columns and query parameters of a list.
    func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer)

    /// Appends the progress of an import.
    func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer)

    func render(_ problem: Problem, to buffer: inout ByteBuffer)
}

/// A renderer of exports, whose pages together form one long document.
///
/// A copy continues the document where the original was copied.
package protocol RowRenderer: Sendable {
    /// Appends the start of the document, before the first row.
    mutating func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer)

    /// Appends the rows of a page. All pages of a document show the same columns.
    mutating func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer)

    /// Appends the end of the document, after the last row.
    mutating func renderEnd(to buffer: inout ByteBuffer)
}

/// The choices of an export besides its rows.
package struct RowRendering: Sendable {
    /// The treatment of texts that spreadsheets would execute.
    package var formulas = CSVWriter.Formulas.kept
    /// Whether CSV begins with a byte order mark, by which Excel detects UTF-8.
    package var hasByteOrderMark = false
    /// Whether each section has a sheet of its own.
    package var splitsSections = false
    /// The addresses of binary cells in NDJSON, or nil to omit them.
    package var links: (any PageLinks & Sendable)?
    /// The compressor of workbooks.
    package var deflate = ZipWriter.stored

    package init() {}
}
