package import Listings

/// The meaning of the texts of a column that are not spelled as usual.
package enum ColumnReading: Hashable, Sendable {
    /// Values in the usual spelling, among which an empty text is a missing value.
    case usual
    /// Texts, because some begin with 0 as postal codes do.
    case text
    case spelled(ColumnSpelling)
    /// Most values are spelled as usual, and so are all in exports; the others are read in the
    /// spelling.
    case converted(ColumnSpelling)

    /// The spelling of exports; nil for the usual one.
    package var spelling: ColumnSpelling? {
        if case .spelled(let spelling) = self { spelling } else { nil }
    }

    package var readSpelling: ColumnSpelling? {
        switch self {
        case .spelled(let spelling), .converted(let spelling): spelling
        case .usual, .text: nil
        }
    }

    /// The usual spelling of a text, and its form; nil for a text that has it or is no such value.
    package func usual(_ utf8: borrowing Span<UInt8>) -> (text: [UInt8], form: FieldForm)? {
        readSpelling?.usual(utf8).map { text, kind in
            switch kind {
            case .plain: (text, .plain)
            case .power: (text, .number)
            case .text: (text, .string)
            }
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
    func text(of value: CellValue) -> String { spelling?.text(of: value) ?? value.plainText }
}
