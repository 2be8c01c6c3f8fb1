/// A reader that can read the bytes of cells, of which pages show no more than the number.
package protocol CellReader: ListReader {
    /// Fills a page with the one row that has an id, as ``ListReader/readRow(_:grouping:into:)`` does,
    /// and reads the bytes of its cell in the same state of the list.
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - column: The column of the cell.
    ///   - grouping: The grouping of the list into sections.
    ///   - page: Emptied and filled.
    ///   - bytes: Takes the bytes; nil where the value is none.
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SourceError``; the page is then not to be used.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        grouping: Grouping?,
        into page: inout Page,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool
}
