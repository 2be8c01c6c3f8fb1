import Listings

/// Character sets in SQL, written explicitly.
///
/// So results equal those of all other engines, regardless of the server's Unicode version and
/// locale.
enum CharacterSQL {
    /// The letters beyond ASCII that have a case or fold to another letter, and do not decompose.
    static let cased = [0x80...0x312F, 0xA640...0xABFF, 0xF900...0x1_FFFF].joined()
        .compactMap { Unicode.Scalar(UInt32($0)) }
        .filter { scalar in
            let properties = scalar.properties
            return properties.isAlphabetic
                && (scalar.value < 0x250 || properties.changesWhenCaseMapped)
                && !TextCollation.isDropped(scalar) && !TextCollation.decomposes(scalar)
        }

    /// The pattern is faster than a list, because the server scans a list for each character.
    static func bases(_ text: String) -> String {
        "regexp_replace(normalize(\(text), NFD), '[\(marks)]+', '', 'g')"
    }

    static let marks = ranges(where: TextCollation.isDropped)

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
