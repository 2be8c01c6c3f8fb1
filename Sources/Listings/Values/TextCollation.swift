import Bytes

/// The order of text in lists: letters without regard to case and accents, then by bytes.
///
/// Characters that are no letters come first; among equals the bytes decide, so two texts are equal
/// only when their bytes are. The order needs no locale and no data beyond the standard library's,
/// so that memory, SQLite and PostgreSQL can give the same one.
public enum TextCollation {
    /// Whether one text stands before another.
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
        // What texts begin with in common weighs the same as long as it is ASCII, of which each byte
        // weighs alone: sections are read by comparing texts that are equal.
        var leftIndex = commonASCII(left, right)
        if leftIndex == left.count, leftIndex == right.count { return 0 }
        var rightIndex = leftIndex
        while true {
            let leftWeight = nextWeight(left, &leftIndex)
            let rightWeight = nextWeight(right, &rightIndex)
            if leftWeight != rightWeight { return leftWeight < rightWeight ? -1 : 1 }
            if leftWeight == 0 { return compareBytes(left, right) }
        }
    }

    /// How many bytes of ASCII two texts begin with in common.
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

    /// Compares byte by byte, a shorter text before a longer one that begins like it.
    public static func compareBytes(
        _ left: borrowing Span<UInt8>,
        _ right: borrowing Span<UInt8>
    ) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }

    /// The first letter, upper case and without accent, or `#` when the text begins with none.
    public static func initial(of text: String) -> String {
        initial(ofUTF8: text.utf8.span)
    }

    /// The first letter of a text given as UTF-8, upper case and without accent, or `#`.
    public static func initial(ofUTF8 utf8: borrowing Span<UInt8>) -> String {
        var index = 0
        let weight = nextWeight(utf8, &index)
        guard weight >= letterWeight, let scalar = Unicode.Scalar(weight - letterWeight) else {
            return "#"
        }
        return String(upper(scalar))
    }

    /// Letters weigh their folded scalar and this, so that they stand behind everything else.
    static let letterWeight: UInt32 = 0x0100_0000

    /// The weight of the next character that has one, or 0 at the end.
    static func nextWeight(_ utf8: borrowing Span<UInt8>, _ index: inout Int) -> UInt32 {
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x80 {
                index += 1
                let lower = byte | 0x20
                if lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "z") {
                    return letterWeight + UInt32(lower)
                }
                // NUL must not look like the end.
                return byte == 0 ? 1 : UInt32(byte)
            }
            let weight = weight(of: decode(utf8, &index))
            if weight != 0 { return weight }
        }
        return 0
    }

    private static func weight(of scalar: Unicode.Scalar) -> UInt32 {
        if (0x0300...0x036F).contains(scalar.value) { return 0 }
        if let base = base(of: scalar.value) { return letterWeight + base }
        guard scalar.properties.isAlphabetic else { return scalar.value }
        // The Kelvin sign is a K, and the Ångström sign an A.
        let letter = folded(scalar).value
        return letterWeight + (base(of: letter) ?? letter)
    }

    private static func base(of scalar: UInt32) -> UInt32? {
        let letter: UInt8
        switch scalar {
        case 0x00C0...0x024F: letter = latin[Int(scalar - 0x00C0)]
        case 0x1E00...0x1EFF: letter = latinAdditional[Int(scalar - 0x1E00)]
        default: return nil
        }
        return letter == UInt8(ascii: ".") ? nil : UInt32(letter)
    }

    /// The small letter of the capital of a letter, so that all letters with one capital are equal.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.properties.changesWhenCaseMapped else { return scalar }
        return lower(upper(scalar))
    }

    private static func upper(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        only(scalar.properties.uppercaseMapping) ?? scalar
    }

    private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        only(scalar.properties.lowercaseMapping) ?? scalar
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    /// Decodes one scalar that does not begin with ASCII; U+FFFD for one malformed byte.
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

    /// The unaccented lower-case letters of U+00C0...U+024F, `.` where there is none (Unicode
    /// canonical decomposition; ligatures and barred letters by their first letter).
    private static let latin: [UInt8] = Array(
        """
        aaaaaaaceeeeiiiidnooooo.ouuuuytsaaaaaaaceeeeiiiidnooooo.ouuuuyty\
        aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll\
        lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs\
        b................ff.............oo.............uu...............\
        .............aaiioouuuuuuuuuu.aaaaaa..ggkkoooo..j...gg..nnaaaaoo\
        aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy...j........\
        ...b............
        """.utf8
    )

    /// The same for U+1E00...U+1EFF.
    private static let latinAdditional: [UInt8] = Array(
        """
        aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm\
        mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv\
        wwwwwwwwwwxxxxyyzzzzzzhtwy.s..s.aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
        eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
        """.utf8
    )
}
