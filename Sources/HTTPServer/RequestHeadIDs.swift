import Synchronization

/// Numbers for the heads that event loops read, handed out in blocks, each only once.
package enum RequestHeadIDs {
    /// Large enough that loops seldom contend, and small enough that 2⁶⁴ numbers suffice.
    private static let blockSize: UInt64 = 1 << 16
    private static let blocks = Atomic<UInt64>(0)

    /// Takes the next block.
    package static func takeBlock() -> Range<UInt64> {
        let block = blocks.add(1, ordering: .relaxed).oldValue
        return block * blockSize..<(block + 1) * blockSize
    }
}
