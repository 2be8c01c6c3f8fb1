package struct FormValue: Sendable {
    package let text: String
    package let isEmptyText: Bool

    package init(_ text: String, isEmptyText: Bool = false) {
        self.text = Self.shown(text)
        self.isEmptyText = isEmptyText && text.isEmpty
    }

    private static func shown(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        var shown = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": shown.append("\n")
            case "\n" where wasReturn: break
            case "\n", "\t": shown.append(scalar)
            case "\u{7F}": shown.append("\u{2421}")
            case "\u{0}"..."\u{1F}":
                shown.append(Unicode.Scalar(0x2400 + UInt16(scalar.value)) ?? scalar)
            default: shown.append(scalar)
            }
            wasReturn = scalar == "\r"
        }
        return String(shown)
    }
}

extension FormValue: Equatable {
    /// Whether two values are equal byte for byte.
    package static func == (left: FormValue, right: FormValue) -> Bool {
        left.isEmptyText == right.isEmptyText && left.text.utf8.elementsEqual(right.text.utf8)
    }
}
