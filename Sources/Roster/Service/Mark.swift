import Bytes

/// Makes a short number of texts, the same in every process (FNV-1a, RFC 9923).
struct Mark {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The number.
    var value: UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    mutating func add(_ buffer: borrowing ByteBuffer) {
        buffer.withBytes { bytes in for index in bytes.indices { add(bytes[index]) } }
    }

    /// Adds a number made before.
    mutating func add(mark: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { add(UInt8(truncatingIfNeeded: mark >> shift)) }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// The number of several texts, each of which ends where it ends.
    static func of(_ texts: [String]) -> UInt32 {
        var mark = Mark()
        for text in texts {
            mark.add(text)
            mark.add(0xFF)
        }
        return mark.value
    }
}
