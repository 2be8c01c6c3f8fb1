/// A search for words in all searchable columns of a row: what `q` asks for.
///
/// A word is a run of letters, marks and digits, without regard to case and accents. All words must
/// be there, in whatever column and order; words between quotes must follow one another in one
/// column. The last word may be the beginning of a longer one, unless it stands between quotes. Every
/// other character parts words and means nothing else, a quote without partner included.
///
/// Scripts without spaces between words – Han, Kana, Bopomofo, Thai, Lao, Khmer, Myanmar – have a word
/// for each character and the one that follows it: 東京都 has 東京, 京都 and 都. So any characters in
/// a row are found, and one alone as well, as the beginning of a word. Hangul has spaces, and its
/// words are found from their beginning like those of alphabets.
public struct TextSearch: Hashable, Sendable {
    /// One word, or several that follow one another.
    public struct Term: Hashable, Sendable {
        /// The words, folded; never empty.
        public let words: [String]
        /// Whether the last of them may be the beginning of a longer one.
        public let isPrefix: Bool

        /// The words of a text; nil where it has none.
        fileprivate init?(_ text: String, isPrefix: Bool) {
            var words = TextSearch.words(of: text).utf8.split(separator: UInt8(ascii: " "))
                .compactMap { String($0) }
            guard let last = words.last?.unicodeScalars.first else { return nil }
            // A script without spaces may go on behind what is searched: 都 stands in 東京都 alone.
            let isOpen = TextSearch.isUnspaced(last)
            if isOpen, words.count > 1, words[words.count - 2].unicodeScalars.isPair {
                words.removeLast()
            }
            self.words = words
            self.isPrefix = isPrefix || isOpen
        }

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
                let isPrefix = isLast && position == pieces.count - 1 && !isQuoted
                if let term = Term(String(piece), isPrefix: isPrefix) { terms.append(term) }
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
        var isPair = false
        let start = bytes.count
        TextCollation.forEachFolded(utf8) { scalar in
            guard isPartOfWord(scalar) else {
                isInside = false
                isPair = false
                return
            }
            guard isUnspaced(scalar) else {
                if !isInside || isPair { bytes.append(UInt8(ascii: " ")) }
                isInside = true
                isPair = false
                bytes.append(scalar)
                return
            }
            if isPair { bytes.append(scalar) }
            bytes.append(UInt8(ascii: " "))
            bytes.append(scalar)
            isInside = true
            isPair = true
        }
        if bytes.count > start { bytes.append(UInt8(ascii: " ")) }
    }

    /// Whether a folded character is of a script that is written without spaces between words.
    package static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0xE00: false
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3000...0x312F, 0x3190...0x31FF,
            0x3400...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0xF900...0xFAFF, 0xFF66...0xFF9F,
            0x1_AFF0...0x1_B16F, 0x2_0000...0x3_FFFF:
            true
        default: false
        }
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

extension String.UnicodeScalarView {
    /// Whether these are two characters of a script without spaces, behind which another word begins
    /// with the second.
    fileprivate var isPair: Bool { count == 2 && first.map(TextSearch.isUnspaced) ?? false }
}
