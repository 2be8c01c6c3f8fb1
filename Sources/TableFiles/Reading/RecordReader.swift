/// Reads the records of a file from its chunks.
///
/// Chunks may have any size and end anywhere, even inside a character. Records and errors do not
/// depend on that. After an error the reader can only be used if it recovers.
package protocol RecordReader: ~Copyable {
    /// The columns known so far. In JSON files, any record may add columns.
    var columns: ColumnNames { get }

    /// The irregularities of the file that were corrected so far.
    var repairs: FileRepairs { get }

    /// Reads up to the end of the next record.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes of the file.
    ///   - index: The first unread byte of the chunk. It is advanced.
    ///   - record: The same record at every call. It holds the values once it is complete.
    /// - Returns: Whether a record is complete. If not, the whole chunk has been read.
    /// - Throws: ``FileError``.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress

    /// Reports the end of the file, again after each record that it completes.
    ///
    /// - Returns: Whether the end completed a record.
    /// - Throws: ``FileError``.
    mutating func finish(into record: inout FileRecord) throws(FileError) -> RecordProgress

    /// Continues after the line of an error, to find further errors. The file cannot be imported
    /// any more.
    ///
    /// - Parameter error: The error just thrown.
    /// - Returns: Whether reading can continue. It cannot if the next record has no recognizable
    ///   beginning.
    mutating func recover(from error: FileError) -> Bool
}

package enum RecordProgress: Hashable, Sendable {
    /// The record continues in the next chunk. At the end of the file, there is no further record.
    case needsMoreBytes
    case complete
}
