import Bytes
package import Listings

/// Writes values that no cell can carry into a text, so that a cursor can name every position.
///
/// An external table may hold texts that are no UTF-8 where a list is ordered or cut. They travel
/// as a text that begins with U+10FFFF, which is no character; a text that would be read as such a
/// value travels in the same way.
package enum StoredKey {
    private static let mark: Unicode.Scalar = "\u{10FFFF}"

    /// What a value is that no cell can carry.
    package enum Kind: UInt8 {
        case text = 0x74
    }

    /// Whether a text has to be dressed.
    package static func isMarked(_ utf8: borrowing Span<UInt8>) -> Bool {
        utf8.count > 4 && utf8[0] == 0xF4 && utf8[1] == 0x8F && utf8[2] == 0xBF && utf8[3] == 0xBF
            && read(String(decoding: utf8)) != nil
    }

    /// Dresses bytes.
    package static func value(_ kind: Kind, _ bytes: borrowing Span<UInt8>) -> CellValue {
        var buffer = ByteBuffer(minimumCapacity: bytes.count * 2 + 8)
        buffer.append(String(Character(mark)))
        buffer.append(kind.rawValue)
        for index in 0..<bytes.count {
            buffer.append(hexadecimal: UInt64(bytes[index] >> 4))
            buffer.append(hexadecimal: UInt64(bytes[index] & 0xF))
        }
        return .text(buffer.text())
    }

    /// Reads a dressed text; nil for every other.
    package static func read(_ text: String) -> (kind: Kind, bytes: [UInt8])? {
        guard text.unicodeScalars.first == mark else { return nil }
        let rest = Array(text.utf8.dropFirst(4))
        guard let first = rest.first, let kind = Kind(rawValue: first) else { return nil }
        guard rest.count % 2 == 1 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 1, to: rest.count, by: 2) {
            guard let high = digit(rest[index]), let low = digit(rest[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return (kind, bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
