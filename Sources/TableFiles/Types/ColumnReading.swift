import Bytes
package import Listings

/// The meaning of the texts of a column that are not spelled as usual.
///
/// Rows have the usual spelling: `1234.5`, `2024-03-14`, `true`.
package enum ColumnReading: Hashable, Sendable {
    /// Values in the usual spelling, among which an empty text is a missing value.
    case usual
    /// Texts, because some begin with 0 as postal codes do.
    case text
    case number(NumberSpelling)
    case time(TimeSpelling)
    case boolean(BooleanSpelling)

    /// The usual spelling of a text, and its form; nil for a text that has it or is no such value.
    package func usual(_ utf8: borrowing Span<UInt8>) -> (text: [UInt8], form: FieldForm)? {
        switch self {
        case .usual, .text: return nil
        case .number(let spelling):
            guard let found = NumberSpelling.find(utf8, separating: spelling.thousands),
                spelling.covers(found)
            else { return nil }
            return (found.usual, found.hasExponent ? .number : .plain)
        case .time(let spelling):
            let found = TimeSpelling.find(utf8)?.usual.first { $0.key.isSame(as: spelling) }
            return (found?.value).map { (Array($0.utf8), .plain) }
        case .boolean(let spelling):
            return spelling.value(utf8).map { (Array("\($0)".utf8), .plain) }
        }
    }

    /// The value of a text of the column.
    package func value(_ text: String) -> CellValue {
        let utf8 = text.utf8.span
        guard self != .text else { return .text(text) }
        guard !text.isEmpty else { return .null }
        guard let usual = usual(utf8) else { return FieldValue.value(utf8, .plain) }
        return FieldValue.value(usual.text.span, usual.form)
    }

    /// The text of a value in the file.
    func text(of value: CellValue) -> String {
        switch (self, value.kind) {
        case (.number(let spelling), .number): spelling.text(of: value)
        case (.time(let spelling), .time): spelling.text(of: value)
        case (.boolean(let spelling), .boolean):
            value == .boolean(true) ? spelling.yes : spelling.no
        default: value.plainText
        }
    }
}

/// The words of a column of two values, in any case.
package struct BooleanSpelling: Hashable, Sendable {
    let yes: String
    let no: String

    private static let families = [("true", "false"), ("yes", "no")]

    /// Whether the words are those of JSON, in any case.
    var isUsual: Bool { yes.lowercased() == "true" }

    /// The words in the case of one of them; nil for other texts.
    init?(_ utf8: borrowing Span<UInt8>) {
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
        return utf8.text
    }

    func value(_ utf8: borrowing Span<UInt8>) -> Bool? {
        guard let word = Self.word(utf8)?.lowercased() else { return nil }
        return word == yes.lowercased() ? true : word == no.lowercased() ? false : nil
    }
}

extension NumberSpelling {
    /// Whether the column of the spelling has the number.
    func covers(_ found: Found) -> Bool {
        guard found.spelling.unit?.text == unit?.text,
            found.spelling.unit?.isBefore == unit?.isBefore
        else { return false }
        let isSeparated = found.spelling.thousands
        return (isSeparated == nil || isSeparated == thousands)
            && (found.isWhole || found.spelling.hasDecimalComma == hasDecimalComma)
            && (!found.hasExponent || allowsPowers)
    }
}
