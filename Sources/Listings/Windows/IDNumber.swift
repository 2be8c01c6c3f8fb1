import Bytes

/// A writer for the long ids of a window, which follow one another in its token.
///
/// Bytes that an id shares with the previous one are omitted (front coding). A UUID is 16 bytes. An
/// id begins with a number: twice the shared bytes plus 1, or plus 2 for a UUID. For a text, the
/// number of other bytes follows, and then these bytes.
package struct LongIDWriter: ~Copyable {
    package static let end: UInt8 = 0

    private var previous = ByteBuffer(minimumCapacity: 0)
    private var current = ByteBuffer(minimumCapacity: 0)

    mutating func append(_ id: borrowing Span<UInt8>, to bytes: inout ByteBuffer) {
        guard IDNumber.readable(id) == nil else { return }
        current.removeAll()
        let isUUID = UUIDText.append(id, to: &current)
        if !isUUID { current.append(id) }
        let count = current.count
        let shared = previous.withBytes { old in
            current.withBytes { new in
                (0..<min(old.count, new.count)).first { old[$0] != new[$0] }
                    ?? min(old.count, new.count)
            }
        }
        bytes.append(short: UInt64(shared << 1) + (isUUID ? 2 : 1))
        if !isUUID { bytes.append(short: UInt64(count - shared)) }
        bytes.append(shared..<count, of: current)
        swap(&previous, &current)
    }
}

/// The usual text of a UUID: 36 characters, in lower case (RFC 9562 §4).
package enum UUIDText {
    /// False for a text that is no UUID.
    ///
    /// Nothing is appended then.
    static func append(_ text: borrowing Span<UInt8>, to bytes: inout ByteBuffer) -> Bool {
        guard text.count == 36 else { return false }
        let start = bytes.count
        var high: UInt8?
        for index in 0..<36 {
            if isDash(index) {
                if text[index] == UInt8(ascii: "-") { continue }
            } else if let digit = text[index].lowercaseHexadecimalValue {
                if let first = high { bytes.append(first << 4 | digit) }
                high = high == nil ? digit : nil
                continue
            }
            bytes.truncate(to: start)
            return false
        }
        return true
    }

    package static func text(_ bytes: [UInt8]) -> String {
        var text = ByteBuffer(minimumCapacity: 36)
        for byte in bytes {
            if isDash(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0xF] {
                text.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
        return text.text()
    }

    private static func isDash(_ index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }
}

package enum IDNumber {
    // The two highest bits of a number say what it is.

    package static let textMark: UInt64 = 1 << 62
    package static let hashMark: UInt64 = 1 << 63

    /// A decimal number below 2^62 or a text of at most seven bytes is encoded.
    ///
    /// Other ids are hashed to 63 bits.
    package static func number(of id: String, seed: UInt64) -> UInt64 {
        number(of: id.utf8.span, seed: seed)
    }

    package static func number(of id: borrowing Span<UInt8>, seed: UInt64) -> UInt64 {
        if let number = readable(id) { return number }
        var hash = ContentHash(seed: seed)
        hash.add(id)
        return hash.value | hashMark
    }

    /// The number of a short id in UTF-8; nil for a long id, which is hashed.
    package static func readable(_ id: borrowing Span<UInt8>) -> UInt64? {
        if let number = decimal(id), number < textMark { return number }
        guard id.count <= 7 else { return nil }
        var number: UInt64 = 0
        for index in 0..<id.count { number = number << 8 | UInt64(id[index]) }
        return number | textMark | UInt64(id.count) << 56
    }

    /// The first byte is lowest.
    ///
    /// Nil if the number is a hash; see ``number(of:seed:)``.
    @inline(__always)
    static func number(ofShort id: UInt64, count: Int) -> UInt64? {
        // Leading zeros extend each number to eight digits: 1 and 12 become 00000001 and 00000012.
        let zeros: UInt64 = 0x3030_3030_3030_3030
        let free = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let text = id &<< free | (free == 0 ? 0 : zeros &>> (64 &- free))
        let digits = text ^ zeros
        let isDecimal =
            (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0
            && (count == 1 || id & 0xFF != 0x30)
        if isDecimal {
            // Combines pairs of digits, then pairs of pairs, then both halves.
            let twos = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
            let fours = (twos &* 100 &+ twos >> 16) & 0x0000_FFFF_0000_FFFF
            return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
        }
        guard count <= 7 else { return nil }
        return id.byteSwapped >> free | textMark | UInt64(truncatingIfNeeded: count) << 56
    }

    private static func decimal(_ text: borrowing Span<UInt8>) -> UInt64? {
        guard (1...19).contains(text.count), text[0] != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        // 19 digits are less than 2^64.
        var number: UInt64 = 0
        for index in 0..<text.count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) else { return nil }
            number = number * 10 + UInt64(text[index] - UInt8(ascii: "0"))
        }
        return number
    }

    package static func id(of number: UInt64) -> String? {
        if number & hashMark != 0 { return nil }
        if number & textMark == 0 { return "\(number)" }
        let count = textCount(number)
        let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The encoded text has this number of bytes.
    static func textCount(_ number: UInt64) -> UInt64 { (number ^ textMark) >> 56 }
}
