import Bytes

/// The order of text in lists: letters without regard to case and accents, then by bytes.
///
/// Characters that are no letters come first. Texts of the same letters stand by their length in
/// UTF-8, then by their bytes, so that two texts are equal only when their bytes are. The rule is one
/// for all scripts and needs no locale, so that memory, SQLite and PostgreSQL give the same results:
///
/// 1. Canonical decomposition: composed and decomposed characters are equal, Hangul included.
/// 2. Marks: accents, points, breathings and tones are left out, vowel signs are letters.
/// 3. Case: all letters with one capital are equal.
/// 4. Latin letters that do not decompose, such as ø and ß, count as the letter they begin like.
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
        let start = commonASCII(left, right)
        if start == left.count, start == right.count { return 0 }
        var leftPlace = Place(index: start)
        var rightPlace = leftPlace
        while true {
            let leftWeight = nextWeight(left, &leftPlace)
            let rightWeight = nextWeight(right, &rightPlace)
            if leftWeight != rightWeight { return leftWeight < rightWeight ? -1 : 1 }
            guard leftWeight == 0 else { continue }
            // The shorter first: each letter then has a text that stands before all others.
            return left.count == right.count
                ? compareBytes(left, right) : left.count - right.count
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
        var place = Place()
        let weight = nextWeight(utf8, &place)
        guard weight >= letterWeight, let scalar = Unicode.Scalar(weight - letterWeight) else {
            return noLetter
        }
        return String(upper(scalar))
    }
}
