package import Bytes

/// Base64url without padding (RFC 4648 §5), in its one canonical form.
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Appends the text of bytes.
    package static func encode(_ source: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        source.withBytes { encode($0, to: &buffer) }
    }

    private static func encode(
        _ bytes: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) {
        var index = 0
        while index < bytes.count {
            let rest = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16
                | (rest > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (rest > 2 ? UInt32(bytes[index + 2]) : 0)
            for position in 0...min(rest, 3) {
                buffer.append(alphabet[Int(group >> UInt32(18 - 6 * position)) & 63])
            }
            index += 3
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
