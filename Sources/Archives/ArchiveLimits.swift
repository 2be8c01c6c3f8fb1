/// The limits of an archive, so that a small file cannot fill memory or a disk.
package struct ArchiveLimits: Hashable, Sendable {
    /// A disk has this room, and tests of readers stay below it.
    package var freeBytes: Int64 = 1 << 30
    /// Tables and logs have ratios of 3 to 60.
    ///
    /// Deflate ends at 1,032, which bombs reach.
    package var maximumRatio: Int64 = 200
    package var maximumEntries = 10_000
    /// It is held in memory.
    package var maximumDirectoryBytes: Int64 = 16 << 20

    package init() {}

    /// A file may always expand to ``freeBytes``, and further only by the ratio.
    package func maximumBytes(forFileOf bytes: Int64) -> Int64 {
        let (limit, isBeyond) = bytes.multipliedReportingOverflow(by: maximumRatio)
        return isBeyond ? .max : max(freeBytes, limit)
    }
}
