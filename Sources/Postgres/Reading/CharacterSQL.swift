import Listings

/// Sets of characters in SQL, written out, so that results are those of every other engine whatever
/// the server and its locale know of Unicode.
enum CharacterSQL {
    /// Those that may fold to another one, or to nothing.
    static let folding = [0x80...0x312F, 0xA640...0xABFF, 0xF900...0x1_FFFF, 0xE_0100...0xE_01EF]
        .joined().compactMap { Unicode.Scalar(UInt32($0)) }

    /// Those behind ASCII for which a condition holds, as a regular expression has them between
    /// brackets.
    static func ranges(where holds: (Unicode.Scalar) -> Bool) -> String {
        var ranges: [ClosedRange<UInt32>] = []
        for value in [0x80...0x3_FFFF, 0xE_0000...0xE_0FFF].joined() {
            let value = UInt32(value)
            guard let scalar = Unicode.Scalar(value), holds(scalar) else { continue }
            if let last = ranges.last, last.upperBound == value - 1 {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        return ranges.compactMap { range in
            Unicode.Scalar(range.lowerBound).flatMap { lower in
                Unicode.Scalar(range.upperBound).map { "\(lower)-\($0)" }
            }
        }.joined()
    }
}
