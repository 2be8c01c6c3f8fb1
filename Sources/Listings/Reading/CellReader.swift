/// A reader that can read the bytes of cells.
///
/// Pages show only the number of bytes.
package protocol CellReader: ListReader {
    /// Fills a page with the row that has an id, like ``ListReader/readRow(_:grouping:into:)``.
    /// Reads the bytes of its cell from the same state of the list.
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - column: The column of the cell.
    ///   - grouping: The grouping of the list into sections.
    ///   - page: The page, which is emptied and filled.
    ///   - bytes: The bytes of the cell; nil if it has no value.
    /// - Returns: Whether the row exists.
    /// - Throws: ``SourceError``; the page must not be used then.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool
}
