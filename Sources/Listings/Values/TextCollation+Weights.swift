extension TextCollation {
    /// A position in a text: the next byte, and the rest of the previous character.
    struct Place {
        /// The position of the next byte.
        var index = 0
        /// The unread scalars of the decomposition of the last character.
        fileprivate var rest: CanonicalBases.Packed = 0

        /// Creates the position of a byte that begins a character.
        init(index: Int = 0) { self.index = index }
    }

    /// The offset that is added to the folded scalar of a letter, so that letters follow all
    /// others.
    static let letterWeight: UInt32 = 0x0100_0000

    /// Returns the weight of the next character that has one, or 0 at the end.
    static func nextWeight(_ utf8: borrowing Span<UInt8>, _ place: inout Place) -> UInt32 {
        if place.rest != 0 { return nextBase(&place) }
        while place.index < utf8.count {
            let byte = utf8[place.index]
            if byte < 0x80 {
                place.index += 1
                return asciiWeight(byte)
            }
            let scalar = decode(utf8, &place.index)
            let weight =
                scalar.value < 0x590
                ? earlyWeights[Int(scalar.value) - 0x80] : firstWeight(of: scalar, &place)
            if weight != 0 { return weight }
        }
        return 0
    }

    /// The weights of the scalars between ASCII and Hebrew, none of which decomposes to several
    /// letters.
    ///
    /// The table avoids the lookup of scalar properties, which is slow.
    private static let earlyWeights = (0x80 as UInt32..<0x590).map { value in
        var place = Place()
        return Unicode.Scalar(value).map { firstWeight(of: $0, &place) } ?? 0
    }

    /// Returns the weight of the first letter of a scalar, or 0 if it has none.
    private static func firstWeight(of scalar: Unicode.Scalar, _ place: inout Place) -> UInt32 {
        if let bases = CanonicalBases.of(scalar.value) {
            place.rest = bases
            return nextBase(&place)
        }
        return isDropped(scalar) ? 0 : weight(of: scalar)
    }

    /// Returns the weight of the next scalar of a decomposed character.
    private static func nextBase(_ place: inout Place) -> UInt32 {
        let value = UInt32(place.rest & 0x1F_FFFF)
        place.rest >>= 21
        guard value >= 0x80 else { return asciiWeight(UInt8(value)) }
        return Unicode.Scalar(value).map(weight) ?? value
    }

    private static func asciiWeight(_ byte: UInt8) -> UInt32 {
        let lower = byte | 0x20
        if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "z") {
            return letterWeight + UInt32(lower)
        }
        // The weight of NUL must not be 0, which is the end.
        return byte == 0 ? 1 : UInt32(byte)
    }

    /// Returns the weight of a scalar that does not decompose.
    private static func weight(of scalar: Unicode.Scalar) -> UInt32 {
        switch scalar.value {
        // Jamo and ideographs are letters without case.
        case 0x1100...0x11FF, 0x3400...0x4DBF, 0x4E00...0x9FFC: return letterWeight + scalar.value
        default: break
        }
        guard scalar.properties.isAlphabetic else { return scalar.value }
        return letterWeight + folded(scalar).value
    }

    /// Whether a scalar has no weight: a mark that is not a vowel, or that only selects a glyph.
    ///
    /// Vowel signs that readers regard as letters have no combining class, or one of their own in
    /// Telugu, Thai, Lao and Tibetan. All other marks are accents, points and tones.
    package static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x3400..<0xA66F, 0x2_0000..<0xE_0000: return false
        default: break
        }
        let properties = scalar.properties
        switch properties.canonicalCombiningClass.rawValue {
        case 0:
            return properties.isDefaultIgnorableCodePoint
                && properties.generalCategory == .nonspacingMark
        case 84, 91, 103, 118, 129, 130, 132: return false
        default: return true
        }
    }

    /// Returns the small letter of a letter's capital, so that all letters with one capital are
    /// equal.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        var letter = scalar
        if scalar.properties.changesWhenCaseMapped { letter = lower(upper(scalar)) }
        return letter.value < 0x240 ? likened(letter) : letter
    }

    /// Returns the letter that a Latin letter without decomposition begins like.
    private static func likened(_ letter: Unicode.Scalar) -> Unicode.Scalar {
        switch letter {
        case "æ": "a"
        case "ƀ": "b"
        case "ð", "đ": "d"
        case "ƒ": "f"
        case "ħ": "h"
        case "ı", "ĳ": "i"
        case "ȷ": "j"
        case "ĸ": "k"
        case "ŀ", "ł": "l"
        case "ŉ", "ŋ": "n"
        case "ø", "œ": "o"
        case "ß", "ſ": "s"
        case "þ", "ŧ": "t"
        default: letter
        }
    }

    static func upper(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        only(scalar.properties.uppercaseMapping) ?? scalar
    }

    private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        only(scalar.properties.lowercaseMapping) ?? scalar
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    /// Decodes one scalar that does not begin with an ASCII byte; U+FFFD for one malformed byte.
    private static func decode(
        _ utf8: borrowing Span<UInt8>,
        _ index: inout Int
    ) -> Unicode.Scalar {
        let lead = utf8[index]
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        guard lead >= 0xC2, lead <= 0xF4, index + length <= utf8.count else {
            index += 1
            return "\u{FFFD}"
        }
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            let byte = utf8[index + offset]
            guard byte & 0xC0 == 0x80 else {
                index += 1
                return "\u{FFFD}"
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        index += length
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
