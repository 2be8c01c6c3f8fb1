import Listings

/// Sets of characters in SQL, written out, so that results are those of every other engine whatever
/// the server and its locale know of Unicode.
enum CharacterSQL {
    /// The letters behind ASCII that have a case or are like another letter, and do not decompose.
    static let cased = [0x80...0x312F, 0xA640...0xABFF, 0xF900...0x1_FFFF].joined()
        .compactMap { Unicode.Scalar(UInt32($0)) }
        .filter { scalar in
            let properties = scalar.properties
            return properties.isAlphabetic
                && (scalar.value < 0x250 || properties.changesWhenCaseMapped)
                && !TextCollation.isDropped(scalar) && !TextCollation.decomposes(scalar)
        }

    /// The text in which marks are left out, and characters stand for themselves.
    ///
    /// A pattern is much faster than a list: the server looks through a list for each character.
    static func bases(_ text: String) -> String {
        "regexp_replace(normalize(\(text), NFD), '[\(marks)]+', '', 'g')"
    }

    /// The marks that are left out, as a regular expression has them between brackets.
    static let marks = ranges(where: TextCollation.isDropped)

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
