/// Ids as numbers: short ones can be read back, long ones are hashed.
enum IDNumber {
    /// What the two highest bits of a number say of the rest.
    private static let textMark: UInt64 = 1 << 62
    private static let hashMark: UInt64 = 1 << 63

    /// The number of an id: a decimal number below 2^62, or a text of at most seven bytes, as it
    /// is; else a hash of 63 bits.
    static func number(of id: String, seed: UInt64) -> UInt64 {
        if let number = UInt64(id), number < textMark, "\(number)" == id { return number }
        let utf8 = id.utf8
        if utf8.count <= 7 {
            return utf8.reduce(textMark | UInt64(utf8.count) << 56) { number, byte in
                // The first byte stands highest among those there are.
                let rest = (number & 0x00FF_FFFF_FFFF_FFFF) << 8 | UInt64(byte)
                return number & 0xFF00_0000_0000_0000 | rest
            }
        }
        var hash = ContentHash(seed: seed)
        hash.add(id)
        return hash.value | hashMark
    }

    /// The id that a number was made of; nil for one that was hashed.
    static func id(of number: UInt64) -> String? {
        if number & hashMark != 0 { return nil }
        if number & textMark == 0 { return "\(number)" }
        let count = (number ^ textMark) >> 56
        let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
