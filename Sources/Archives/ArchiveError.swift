package enum ArchiveError: Error, Hashable, Sendable {
    package enum Damage: Error, Hashable, Sendable {
        /// The header of a gzip member violates RFC 1952.
        case gzipHeader
        /// The compressed data violate RFC 1951.
        case compressedData
        /// The decompressed bytes have another checksum than the file says.
        case checksum
        /// The decompressed bytes are more or fewer than the file says.
        case size
        case trailingData
        /// The file has no end of a zip directory.
        case noDirectory
        case directory
        /// The header before the data of an entry is malformed, or names another entry.
        case entryHeader
        /// Two entries share bytes of the file.
        case overlap
        /// Two entries of a workbook have one name.
        case repeatedName
    }

    /// The file cannot be read. The code is that of errno(3).
    case unreadable(code: Int32)
    case outOfMemory
    /// The file ends at an offset before the data of an entry, or of the file itself if nil.
    case truncated(entry: String?, offset: Int64)
    /// The file is damaged at an offset, in an entry or outside of them.
    case damaged(Damage, entry: String?, offset: Int64)
    case encrypted(entry: String)
    /// The number is that of APPNOTE 4.4.5.
    ///
    /// Deflate is the only supported method.
    case unsupportedMethod(Int, entry: String)
    case split
    case tooManyEntries(limit: Int)
    /// The contents are larger than the limit for a file of its size, in bytes.
    case expandsTooFar(limit: Int64)
    case missingEntry(String)
}
