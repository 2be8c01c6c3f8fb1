import Synchronization

/// Numbers for the heads that event loops read: in blocks, none of which is given twice.
package enum HeadNumbers {
    /// So many that loops seldom meet, and so few that 2⁶⁴ do not end.
    private static let blockSize: UInt64 = 1 << 16
    private static let blocks = Atomic<UInt64>(0)

    /// Takes the next block.
    package static func takeBlock() -> Range<UInt64> {
        let block = blocks.add(1, ordering: .relaxed).oldValue
        return block * blockSize..<(block + 1) * blockSize
    }
}
