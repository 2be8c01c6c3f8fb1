import Bytes

/// The order of text in lists: letters without case and accents first, then bytes.
///
/// Other characters precede letters. Texts of the same letters are ordered by their UTF-8 length,
/// then by their bytes. So texts are equal only if their bytes are. The same rules apply to all
/// scripts and locales, so that memory, SQLite and PostgreSQL give the same results:
///
/// 1. Canonical decomposition: composed and decomposed characters are equal, Hangul included.
/// 2. Marks: accents, points, breathings and tones are ignored, vowel signs are letters.
/// 3. Case: all letters with the same capital are equal.
/// 4. Latin letters that do not decompose, such as ø and ß, count as the letter they begin like.
public enum TextCollation {
    /// Whether a text precedes another one.
    public static func isLess(_ left: String, than right: String) -> Bool {
        compare(left.utf8.span, right.utf8.span) < 0
    }

    /// Compares two texts given as UTF-8; malformed bytes count as U+FFFD.
    ///
    /// - Returns: Less than, equal to or greater than 0.
    /// - Complexity: O(length).
    public static func compare(
        _ left: borrowing Span<UInt8>,
        _ right: borrowing Span<UInt8>
    ) -> Int {
        // A common ASCII prefix is skipped, because each ASCII byte has its own weight. Texts that
        // are compared to read sections are often equal.
        let start = commonASCII(left, right)
        if start == left.count, start == right.count { return 0 }
        var leftLocation = Location(index: start)
        var rightLocation = leftLocation
        while true {
            let leftWeight = nextWeight(left, &leftLocation)
            let rightWeight = nextWeight(right, &rightLocation)
            if leftWeight != rightWeight { return leftWeight < rightWeight ? -1 : 1 }
            guard leftWeight == 0 else { continue }
            // The shorter text precedes, so that each letter has a text that precedes all others.
            return left.count == right.count
                ? compareBytes(left, right) : left.count - right.count
        }
    }

    private static func commonASCII(
        _ left: borrowing Span<UInt8>,
        _ right: borrowing Span<UInt8>
    ) -> Int {
        let count = min(left.count, right.count)
        var index = 0
        while index <= count - 8 {
            let word = left.word(at: index)
            guard word == right.word(at: index), word & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        while index < count, left[index] == right[index], left[index] < 0x80 { index += 1 }
        return index
    }

    /// Compares two texts by their bytes.
    ///
    /// A prefix precedes longer texts.
    public static func compareBytes(
        _ left: borrowing Span<UInt8>,
        _ right: borrowing Span<UInt8>
    ) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }

    /// Returns the first letter, in upper case and without accents, or `#` if the text begins with
    /// none.
    public static func initial(of text: String) -> String {
        initial(ofUTF8: text.utf8.span)
    }

    /// Returns the first letter of a UTF-8 text, in upper case and without accents, or `#`.
    public static func initial(ofUTF8 utf8: borrowing Span<UInt8>) -> String {
        var location = Location()
        let weight = nextWeight(utf8, &location)
        guard weight >= letterWeight, let scalar = Unicode.Scalar(weight - letterWeight) else {
            return noLetter
        }
        return String(upper(scalar))
    }
}

extension TextCollation {
    /// Returns a text without case and accents, as filters on letters compare it.
    ///
    /// Two texts fold to the same text exactly if ``compare(_:_:)`` distinguishes them only by
    /// length and bytes.
    public static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendFolded(text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func appendFolded(_ utf8: borrowing Span<UInt8>, to bytes: inout [UInt8]) {
        forEachFolded(utf8) { bytes.append($0) }
    }

    package static func decomposes(_ scalar: Unicode.Scalar) -> Bool {
        CanonicalBases.of(scalar.value) != nil
    }

    /// For texts that do not begin with a letter.
    package static let noLetter = "#"

    /// In the order of lists; nil after the last letter.
    package static func letter(after letter: String) -> String? {
        guard letter != noLetter else { return "A" }
        var value = letterValue(letter)
        while value < 0x10FFFF {
            value += 1
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else {
                continue
            }
            let own = String(scalar)
            if letterValue(own) == value { return initial(of: own) }
        }
        return nil
    }

    /// Returns the first of all texts with a letter; the empty text for ``noLetter``.
    ///
    /// It is the lowest scalar that folds to the letter, usually the capital. Exceptions are Ѐ,
    /// which precedes Е, and Georgian letters, which precede their capitals.
    package static func firstText(of letter: String) -> String {
        guard letter != noLetter else { return "" }
        let value = letterValue(letter)
        let candidates = [earlyLetters[value], value, letter.unicodeScalars.first?.value]
        return candidates.compactMap { $0 }.min().flatMap(Unicode.Scalar.init).map(String.init)
            ?? letter
    }

    /// The lowest scalars that fold to a letter, by its value, if they are lower than the letter.
    ///
    /// All are in these blocks: alphabets and the compatibility ideographs.
    private static let earlyLetters: [UInt32: UInt32] = {
        var letters: [UInt32: UInt32] = [:]
        let blocks = [0x80 as UInt32..<0x1D00, 0xF900..<0xFB00].joined()
        for scalar in blocks.compactMap(Unicode.Scalar.init)
        where (CanonicalBases.of(scalar.value) ?? 0) >> 21 == 0 {
            let letter = letterValue(String(scalar))
            if scalar.value < letter, letters[letter] == nil { letters[letter] = scalar.value }
        }
        return letters
    }()

    /// 0 if the text begins with no letter.
    private static func letterValue(_ text: String) -> UInt32 {
        var location = Location()
        let weight = nextWeight(text.utf8.span, &location)
        return weight > letterWeight ? weight - letterWeight : 0
    }

    static func forEachFolded(
        _ utf8: borrowing Span<UInt8>,
        _ body: (Unicode.Scalar) -> Void
    ) {
        var location = Location()
        while true {
            let weight = nextWeight(utf8, &location)
            guard weight != 0 else { return }
            let value = weight >= letterWeight ? weight - letterWeight : weight
            body(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
    }
}

extension [UInt8] {
    package mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    package func firstIndex(of pattern: [UInt8]) -> Int? {
        guard let first = pattern.first else { return 0 }
        var index = 0
        while index + pattern.count <= count {
            if self[index] == first, self[index..<index + pattern.count].elementsEqual(pattern) {
                return index
            }
            index += 1
        }
        return nil
    }
}

extension TextCollation {
    /// Also has the rest of the previous character.
    package struct Location {
        var index = 0
        fileprivate var rest: CanonicalBases.Packed = 0

        /// The byte begins a character.
        package init(index: Int = 0) { self.index = index }
    }

    /// The offset that is added to the folded scalar of a letter, so that letters follow all
    /// others.
    package static let letterWeight: UInt32 = 0x0100_0000

    /// 0 at the end.
    package static func nextWeight(
        _ utf8: borrowing Span<UInt8>,
        _ location: inout Location
    ) -> UInt32 {
        if location.rest != 0 { return nextBase(&location) }
        while location.index < utf8.count {
            let byte = utf8[location.index]
            if byte < 0x80 {
                location.index += 1
                return asciiWeight(byte)
            }
            let scalar = decode(utf8, &location.index)
            let weight =
                scalar.value < 0x590
                ? earlyWeights[Int(scalar.value) - 0x80] : firstWeight(of: scalar, &location)
            if weight != 0 { return weight }
        }
        return 0
    }

    /// The weights of the scalars between ASCII and Hebrew, none of which decomposes to several
    /// letters.
    ///
    /// The table avoids the lookup of scalar properties, which is slow.
    private static let earlyWeights = (0x80 as UInt32..<0x590).map { value in
        var location = Location()
        return Unicode.Scalar(value).map { firstWeight(of: $0, &location) } ?? 0
    }

    /// 0 if the scalar has none.
    private static func firstWeight(of scalar: Unicode.Scalar, _ location: inout Location) -> UInt32
    {
        if let bases = CanonicalBases.of(scalar.value) {
            location.rest = bases
            return nextBase(&location)
        }
        return isDropped(scalar) ? 0 : weight(of: scalar)
    }

    private static func nextBase(_ location: inout Location) -> UInt32 {
        let value = UInt32(location.rest & 0x1F_FFFF)
        location.rest >>= 21
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
