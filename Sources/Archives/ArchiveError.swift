package enum ArchiveError: Error, Hashable, Sendable {
    package enum Damage: Error, Hashable, Sendable {
        /// The header of a gzip member violates RFC 1952.
        case gzipHeader
        /// The compressed data violate RFC 1951.
        case compressedData
        case checksum
        case size
        case trailingData
        case noDirectory
        case directory
        /// The header before the data of an entry is malformed, or names another entry.
        case entryHeader
        case overlap
        case repeatedName
    }

    /// The file cannot be read. The code is that of errno(3).
    case unreadable(code: Int32)
    case outOfMemory
    /// The file ends at an offset before the data of an entry, or of the file itself if nil.
    case truncated(entry: String?, offset: Int64)
    case damaged(Damage, entry: String?, offset: Int64)
    case encrypted(entry: String)
    /// Deflate is the only supported method.
    case unsupportedMethod(Int, entry: String)
    case split
    case tooManyEntries(limit: Int)
    /// The contents are larger than the limit for a file of its size, in bytes.
    case expandsTooFar(limit: Int64)
    case missingEntry(String)
}
