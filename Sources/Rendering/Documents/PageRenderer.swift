package import Bytes
package import Listings

/// Draws pages and the documents around them in one format.
///
/// A renderer holds nothing that changes; it may be shared.
package protocol PageRenderer: Sendable {
    /// Appends a page of a list, also one that shows sections without rows.
    func render(
        _ page: borrowing Page,
        in context: ListingContext,
        to buffer: inout ByteBuffer
    )

    /// Appends the one row of a page that was filled by ``ListReader/readRow(_:grouping:into:)``.
    ///
    /// In `context`, ``PageLink/current`` is the row.
    func renderRow(
        of page: borrowing Page,
        in context: ListingContext,
        to buffer: inout ByteBuffer
    )

    /// Appends the lists of the service.
    func render(_ directory: ListDirectory, to buffer: inout ByteBuffer)

    /// Appends what may be asked of a list.
    func render(_ schema: SchemaDocument, to buffer: inout ByteBuffer)

    /// Appends how far an import is.
    func render(_ progress: ProgressDocument, to buffer: inout ByteBuffer)

    /// Appends a problem.
    func render(_ problem: Problem, to buffer: inout ByteBuffer)
}

/// Draws rows so that page after page makes one long document: an export.
package protocol RowRenderer: Sendable {
    /// Appends what stands before the first row.
    func renderStart(of page: borrowing Page, to buffer: inout ByteBuffer)

    /// Appends the rows of a page; all pages of a document show the same columns.
    func renderRows(of page: borrowing Page, to buffer: inout ByteBuffer)
}

/// Whether a table says of each row which section it is in.
package enum RowSections: Hashable, Sendable {
    /// It does.
    case named
    /// It does not: the rows are what they were imported from.
    case leftOut
}
