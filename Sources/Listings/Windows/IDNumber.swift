/// Ids as numbers.
///
/// Short ids can be decoded, long ids are hashed.
package enum IDNumber {
    // The two highest bits of a number say what it is.

    /// The mark of a text.
    package static let textMark: UInt64 = 1 << 62
    /// The mark of a hash.
    package static let hashMark: UInt64 = 1 << 63

    /// The number of an id.
    ///
    /// A decimal number below 2^62 or a text of at most seven bytes is encoded. Other ids are
    /// hashed to 63 bits.
    package static func number(of id: String, seed: UInt64) -> UInt64 {
        number(of: id.utf8.span, seed: seed)
    }

    /// The number of an id in UTF-8.
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

    /// The number of an id of one to eight bytes.
    ///
    /// - Parameters:
    ///   - id: The bytes, the first of them lowest.
    ///   - count: The number of bytes.
    /// - Returns: The result of ``number(of:seed:)``; nil if that is a hash.
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

    /// The number whose canonical decimal spelling is the text; nil for any other text.
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

    /// The id of a number; nil for a hashed id.
    package static func id(of number: UInt64) -> String? {
        if number & hashMark != 0 { return nil }
        if number & textMark == 0 { return "\(number)" }
        let count = textCount(number)
        let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of bytes of the encoded text.
    static func textCount(_ number: UInt64) -> UInt64 { (number ^ textMark) >> 56 }
}
