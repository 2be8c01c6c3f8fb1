package import Bytes

/// Base64url without padding (RFC 4648 §5), in its one canonical form.
package enum Base64URL {
    /// Appends the text of bytes.
    package static func encode(_ source: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        source.withBytes { encode($0, to: &buffer) }
    }

    private static func encode(
        _ bytes: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        // Room for what is written at once behind the last character, too.
        buffer.append(atMost: bytes.count / 3 * 4 + 16) { lent in
            // What is lent stays in memory, what is owned in registers.
            var room = lent
            var index = 0
            let last = bytes.count - 8
            // Six bytes at a time, of eight that are there.
            while index <= last {
                let text = characters(of: bytes.word(at: index).byteSwapped >> 16)
                room.append(bigEndian: text, bytes: 8)
                index &+= 6
            }
            while index < bytes.count {
                let count = min(6, bytes.count - index)
                var group: UInt64 = 0
                for position in 0..<count { group = group << 8 | UInt64(bytes[index + position]) }
                let text = characters(of: group << UInt64(48 - 8 * count))
                let length = (count * 8 + 5) / 6
                room.append(bigEndian: text >> UInt64(64 - 8 * length), bytes: length)
                index += count
            }
            lent = room
        }
    }

    /// The eight characters of 48 bits, the first of them highest.
    @inline(__always)
    private static func characters(of bits: UInt64) -> UInt64 {
        let first = pairs[Int(truncatingIfNeeded: bits >> 36 & 0xFFF)]
        let second = pairs[Int(truncatingIfNeeded: bits >> 24 & 0xFFF)]
        let third = pairs[Int(truncatingIfNeeded: bits >> 12 & 0xFFF)]
        let fourth = pairs[Int(truncatingIfNeeded: bits & 0xFFF)]
        return UInt64(first) << 48 | UInt64(second) << 32 | UInt64(third) << 16 | UInt64(fourth)
    }

    /// The two characters of twelve bits, the first of them higher: half of the instructions that it
    /// takes to make them.
    private static let pairs = InlineArray<4096, UInt16> { bits in
        UInt16(character(of: bits >> 6)) << 8 | UInt16(character(of: bits & 0x3F))
    }

    private static func character(of value: Int) -> UInt8 {
        switch value {
        case ..<26: UInt8(ascii: "A") + UInt8(value)
        case ..<52: UInt8(ascii: "a") + UInt8(value - 26)
        case ..<62: UInt8(ascii: "0") + UInt8(value - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    /// The bytes of a text; nil for anything `encode` would not have written.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var group: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            group = (group << 6 | value) & 0xFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        // A single character left over, or bits that are not zero, would be a second spelling.
        guard bits < 6, group & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) - 48 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
