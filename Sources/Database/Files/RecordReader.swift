/// Reads the records of a file from the chunks it comes in.
///
/// Chunks may be of any size and end anywhere, inside a character too; the records and errors are
/// the same. After an error the reader is not to be used again, unless it recovers.
package protocol RecordReader: ~Copyable {
    /// The columns known so far; JSON files may bring more with any record.
    var columns: ColumnNames { get }

    /// Reads up to the end of the next record.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes of the file.
    ///   - index: The first byte of the chunk not read yet; moved on.
    ///   - record: The same record at every call; holds the values once it is complete.
    /// - Returns: Whether a record is complete. If not, the whole chunk has been read.
    /// - Throws: ``FileError``.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress

    /// Takes note that the file ends here.
    ///
    /// - Returns: Whether the end has completed a last record.
    /// - Throws: ``FileError``.
    mutating func finish(into record: inout FileRecord) throws(FileError) -> RecordProgress

    /// Goes on behind the line of an error, to find the next one; the file is of no use any more.
    ///
    /// - Parameter error: What reading has just thrown.
    /// - Returns: Whether reading can go on; not where what follows has no beginning of its own.
    mutating func recover(from error: FileError) -> Bool
}

/// What the bytes read so far amount to.
package enum RecordProgress: Hashable, Sendable {
    /// The record goes on in the next chunk; at the end of the file there is none.
    case needsMoreBytes
    /// The record is complete.
    case complete
}
