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
    /// The index is advanced. The record is the same at every call and holds the values once it is
    /// complete. If it is not complete, the whole chunk has been read.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress

    /// Reports the end of the file, again after each record that it completes.
    ///
    /// False if the end completed no record.
    mutating func finish(into record: inout FileRecord) throws(FileError) -> RecordProgress

    /// Continues after the line of an error, to find further errors.
    ///
    /// The file cannot be imported any more.
    ///
    /// It cannot continue if the next record has no recognizable beginning.
    mutating func recover(from error: FileError) -> Bool
}

package enum RecordProgress: Hashable, Sendable {
    /// The record continues in the next chunk. At the end of the file, there is no further record.
    case needsMoreBytes
    case complete
}
