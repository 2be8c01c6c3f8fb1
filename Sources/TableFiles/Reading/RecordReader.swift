/// Chunks may have any size and end anywhere, even inside a character.
///
/// Records and errors do not depend on that. After an error the reader can only be used if it
/// recovers.
package protocol RecordReader: ~Copyable {
    /// The columns known so far. In JSON files, any record may add columns.
    var columns: ColumnNames { get }

    var repairs: FileRepairs { get }

    /// The record is the same at every call and holds the values once it is complete.
    ///
    /// If it is not complete, the whole chunk has been read.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress

    /// Reports the end of the file, again after each record that it completes.
    mutating func finish(into record: inout FileRecord) throws(FileError) -> RecordProgress

    /// False if the next record has no recognizable beginning; the file cannot be imported any
    /// more.
    mutating func recover(from error: FileError) -> Bool
}

package enum RecordProgress: Hashable, Sendable {
    /// The record continues in the next chunk. At the end of the file, there is no further record.
    case needsMoreBytes
    case complete
}
