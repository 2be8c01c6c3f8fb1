/// The limits of an archive, so that a small file cannot fill memory or a disk.
package struct ArchiveLimits: Hashable, Sendable {
    /// The size up to which contents are read whatever their ratio: 1 GiB.
    ///
    /// A disk has this room, and tests of readers stay below it.
    package var freeBytes: Int64 = 1 << 30
    /// The maximum ratio of larger contents to the file: 200.
    ///
    /// Tables and logs have ratios of 3 to 60. Deflate ends at 1,032, which bombs reach.
    package var maximumRatio: Int64 = 200
    /// The maximum number of entries: 10,000.
    package var maximumEntries = 10_000
    /// The maximum size of a zip directory: 16 MiB, which is held in memory.
    package var maximumDirectoryBytes: Int64 = 16 << 20

    package init() {}

    /// In bytes.
    package func maximumBytes(forFileOf bytes: Int64) -> Int64 {
        let (limit, isBeyond) = bytes.multipliedReportingOverflow(by: maximumRatio)
        return isBeyond ? .max : max(freeBytes, limit)
    }
}
