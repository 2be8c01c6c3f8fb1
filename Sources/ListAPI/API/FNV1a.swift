import Bytes

/// A hash of texts that is the same in every process (FNV-1a, RFC 9923).
struct FNV1a {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash, folded to 32 bits.
    var value: UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    mutating func add(_ buffer: borrowing ByteBuffer) {
        buffer.withBytes { bytes in for index in bytes.indices { add(bytes[index]) } }
    }

    /// Adds an earlier hash.
    mutating func add(mark: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { add(UInt8(truncatingIfNeeded: mark >> shift)) }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// Returns the hash of several texts with separators between them.
    static func of(_ texts: [String]) -> UInt32 {
        var mark = FNV1a()
        for text in texts {
            mark.add(text)
            mark.add(0xFF)
        }
        return mark.value
    }
}
