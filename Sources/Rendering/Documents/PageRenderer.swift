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

    /// Appends the directory of lists.
    func render(_ directory: ListDirectory, to buffer: inout ByteBuffer)

    /// Appends the columns and query parameters of a list.
    func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer)

    /// Appends the progress of an import.
    func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer)

    /// Appends a problem.
    func render(_ problem: Problem, to buffer: inout ByteBuffer)
}

/// A renderer of exports, whose pages together form one long document.
package protocol RowRenderer: Sendable {
    /// Appends the start of the document, before the first row.
    func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer)

    /// Appends the rows of a page. All pages of a document show the same columns.
    func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer)
}

/// Whether an export contains the section of each row.
package enum RowSections: Hashable, Sendable {
    /// The section is included.
    case named
    /// The section is omitted, so that the rows match their import file.
    case leftOut
}
