/// The words of a column of two values, in any case.
package struct BooleanSpelling: Hashable, Sendable {
    package let yes: String
    package let no: String

    private static let families = [("true", "false"), ("yes", "no")]

    /// Whether the words are those of JSON, in any case.
    package var isUsual: Bool { yes.lowercased() == "true" }

    /// The words in the case of one of them; nil for other texts.
    package init?(_ utf8: borrowing Span<UInt8>) {
        guard let word = Self.word(utf8) else { return nil }
        let small = word.lowercased()
        guard let family = Self.families.first(where: { $0.0 == small || $0.1 == small }) else {
            return nil
        }
        let first = word.prefix(1)
        let isCapital = first == first.uppercased()
        let isAllCapital = isCapital && word == word.uppercased()
        func spelled(_ word: String) -> String {
            isAllCapital
                ? word.uppercased()
                : isCapital ? word.prefix(1).uppercased() + word.dropFirst() : word
        }
        (yes, no) = (spelled(family.0), spelled(family.1))
    }

    /// Nil for a text that is longer than all words, or has other signs than letters.
    private static func word(_ utf8: borrowing Span<UInt8>) -> String? {
        guard 2...5 ~= utf8.count else { return nil }
        for index in utf8.indices
        where !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= utf8[index] | 0x20) { return nil }
        return String(decoding: utf8)
    }

    package func value(_ utf8: borrowing Span<UInt8>) -> Bool? {
        guard let word = Self.word(utf8)?.lowercased() else { return nil }
        return word == yes.lowercased() ? true : word == no.lowercased() ? false : nil
    }
}
