/// A search for words in all searchable columns of a row: what `q` asks for.
///
/// A word is a run of letters, marks and digits, without regard to case and accents. All words must
/// be there, in whatever column and order; words between quotes must follow one another in one
/// column. The last word may be the beginning of a longer one, unless it stands between quotes. Every
/// other character parts words and means nothing else, a quote without partner included.
public struct TextSearch: Hashable, Sendable {
    /// One word, or several that follow one another.
    public struct Term: Hashable, Sendable {
        /// The words, folded; never empty.
        public let words: [String]
        /// Whether the last of them may be the beginning of a longer one.
        public let isPrefix: Bool

        /// What is to be found in ``TextSearch/words(of:)``.
        package var pattern: String {
            " " + words.joined(separator: " ") + (isPrefix ? "" : " ")
        }
    }

    /// The most terms a search may have.
    public static let maximumTerms = 16

    /// What was asked, as it was asked.
    public let text: String
    /// What must be found, all of it; never empty.
    public private(set) var terms: [Term]

    /// Takes a text apart; the result is nil for one without a letter or digit.
    public init?(_ text: String) {
        self.text = text
        var terms: [Term] = []
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            // The part behind the last quote is quoted only where a partner closes it.
            let isQuoted = index % 2 == 1 && index < parts.count - 1
            let isLast = index == parts.count - 1
            let pieces = isQuoted ? [part] : part.split(whereSeparator: \.isWhitespace)
            for (position, piece) in pieces.enumerated() {
                let words = Self.words(of: String(piece)).split(separator: " ").map(String.init)
                guard !words.isEmpty else { continue }
                let isPrefix = isLast && position == pieces.count - 1 && !isQuoted
                terms.append(Term(words: words, isPrefix: isPrefix))
            }
        }
        guard !terms.isEmpty else { return nil }
        self.terms = terms
    }

    /// A search for one term.
    package init(_ term: Term) {
        text = term.words.joined(separator: " ")
        terms = [term]
    }

    /// The same search without one of its terms; nil for one that has no other.
    package func without(term number: Int) -> TextSearch? {
        guard terms.count > 1 else { return nil }
        var rest = self
        rest.terms.remove(at: number)
        return rest
    }

    /// The folded words of a text, a space before, between and behind them; empty where there are
    /// none.
    package static func words(of text: String) -> String {
        var bytes: [UInt8] = []
        appendWords(of: text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the folded words of a text given as UTF-8: see ``words(of:)``.
    package static func appendWords(of utf8: borrowing Span<UInt8>, to bytes: inout [UInt8]) {
        var isInside = false
        let start = bytes.count
        TextCollation.forEachFolded(utf8) { scalar in
            guard isPartOfWord(scalar) else {
                isInside = false
                return
            }
            if !isInside { bytes.append(UInt8(ascii: " ")) }
            isInside = true
            bytes.append(scalar)
        }
        if bytes.count > start { bytes.append(UInt8(ascii: " ")) }
    }

    /// Whether a folded character is part of a word, as letters, marks and digits are.
    package static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar {
            case "a"..."z", "0"..."9": return true
            default: return false
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber:
            return true
        default: return false
        }
    }
}
