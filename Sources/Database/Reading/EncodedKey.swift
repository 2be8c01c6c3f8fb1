import Bytes
package import Listings

/// Encodes values that no cell can hold as texts, so that a cursor can represent every position.
///
/// A foreign table may order or group a list by texts that are not UTF-8. Such a text is encoded
/// after a U+10FFFF, which is not a character. A text that looks encoded is encoded as well.
package enum EncodedKey {
    private static let mark: Unicode.Scalar = "\u{10FFFF}"
    private static let textTag = UInt8(ascii: "t")

    package static func isMarked(_ utf8: borrowing Span<UInt8>) -> Bool {
        utf8.count > 4 && utf8[0] == 0xF4 && utf8[1] == 0x8F && utf8[2] == 0xBF && utf8[3] == 0xBF
            && read(String(decoding: utf8)) != nil
    }

    package static func value(_ bytes: borrowing Span<UInt8>) -> CellValue {
        var buffer = ByteBuffer(minimumCapacity: bytes.count * 2 + 8)
        buffer.append(String(Character(mark)))
        buffer.append(textTag)
        for index in 0..<bytes.count {
            buffer.append(hexadecimal: UInt64(bytes[index] >> 4))
            buffer.append(hexadecimal: UInt64(bytes[index] & 0xF))
        }
        return .text(buffer.text())
    }

    package static func read(_ text: String) -> [UInt8]? {
        guard text.unicodeScalars.first == mark else { return nil }
        let rest = Array(text.utf8.dropFirst(4))
        guard rest.first == textTag, rest.count % 2 == 1 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 1, to: rest.count, by: 2) {
            guard let high = rest[index].lowercaseHexadecimalValue,
                let low = rest[index + 1].lowercaseHexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
