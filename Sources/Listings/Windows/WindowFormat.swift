/// The format of window names, the same on every server.
package enum WindowFormat {
    /// The version of the format, the first byte of each name.
    package static let version: UInt8 = 5
    /// The maximum length of a name as text.
    package static let maximumLength = 7_680
    /// The seed of the hashes.
    package static let seed: UInt64 = 0x526F_7374_6572_0001
    /// The most bytes that a row needs: 9 for its id, 6, and the 8 that are written at once.
    static let longestItem = 24

    /// The checksum at the end of a name.
    package static func checksum(_ bytes: borrowing Span<UInt8>) -> UInt32 {
        var hash = ContentHash(seed: seed)
        hash.add(bytes)
        return UInt32(truncatingIfNeeded: hash.value)
    }
}
