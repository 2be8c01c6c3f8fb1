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
            // Six bytes at a time, of eight that are there.
            while index + 8 <= bytes.count {
                let text = characters(of: bytes.word(at: index).byteSwapped >> 16)
                room.append(bigEndian: text, bytes: 8)
                index += 6
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
    ///
    /// All eight are made at once, without a table, which takes an eighth of the instructions.
    private static func characters(of bits: UInt64) -> UInt64 {
        var values = (bits & 0xFFFF_FF00_0000) << 8 | bits & 0xFF_FFFF
        values = (values & 0x00FF_F000_00FF_F000) << 4 | values & 0x0000_0FFF_0000_0FFF
        values = (values & 0x0FC0_0FC0_0FC0_0FC0) << 2 | values & 0x003F_003F_003F_003F
        // `A` and so on, then `a` from 26, `0` from 52, `-` for 62 and `_` for 63.
        return values &+ 0x4141_4141_4141_4141 &+ reached(26, in: values) &* 6
            &- reached(52, in: values) &* 75 &- reached(62, in: values) &* 13
            &+ reached(63, in: values) &* 49
    }

    /// A one in each byte whose value, below 64, is at least a bound.
    private static func reached(_ bound: UInt64, in values: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return (values &+ (128 - bound) &* ones) >> 7 & ones
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
