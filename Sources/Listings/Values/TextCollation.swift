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
        var leftPlace = Place(index: start)
        var rightPlace = leftPlace
        while true {
            let leftWeight = nextWeight(left, &leftPlace)
            let rightWeight = nextWeight(right, &rightPlace)
            if leftWeight != rightWeight { return leftWeight < rightWeight ? -1 : 1 }
            guard leftWeight == 0 else { continue }
            // The shorter text precedes, so that each letter has a text that precedes all others.
            return left.count == right.count
                ? compareBytes(left, right) : left.count - right.count
        }
    }

    /// Returns the length of the common ASCII prefix of two texts.
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
        var place = Place()
        let weight = nextWeight(utf8, &place)
        guard weight >= letterWeight, let scalar = Unicode.Scalar(weight - letterWeight) else {
            return noLetter
        }
        return String(upper(scalar))
    }
}
