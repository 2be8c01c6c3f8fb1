/// A search for words in all searchable columns of a row, as in the parameter `q`.
///
/// A word is a run of letters, marks and digits, ignoring case and accents. A row must contain all
/// words, in any column and order. Quoted words must be adjacent in one column. The last word may
/// be a prefix, unless it is quoted. All other characters separate words, including an unpaired
/// quote.
///
/// Scripts without spaces are Han, Kana, Bopomofo, Thai, Lao, Khmer and Myanmar. They have a word
/// for each character with its successor: 東京都 has 東京, 京都 and 都. So any characters are found, also a
/// single one, as the prefix of a word. Hangul has spaces, and its words are found by prefix like
/// those of alphabets.
public struct TextSearch: Hashable, Sendable {
    /// One word or several adjacent words.
    public struct Term: Hashable, Sendable {
        /// The words, folded and never empty.
        public let words: [String]
        /// Whether the last word may be a prefix.
        public let isPrefix: Bool

        fileprivate init?(_ text: String, isPrefix: Bool) {
            var words = TextSearch.words(of: text).utf8.split(separator: UInt8(ascii: " "))
                .compactMap { String($0) }
            guard let last = words.last?.unicodeScalars.first else { return nil }
            // A script without spaces may continue after the searched text: 都 is a word of 東京都.
            let isOpen = TextSearch.isUnspaced(last)
            if isOpen, words.count > 1, words[words.count - 2].unicodeScalars.isPair {
                words.removeLast()
            }
            self.words = words
            self.isPrefix = isPrefix || isOpen
        }

        /// The text to find in ``TextSearch/words(of:)``.
        package var pattern: String {
            " " + words.joined(separator: " ") + (isPrefix ? "" : " ")
        }
    }

    /// The maximum number of terms.
    public static let maximumTerms = 16

    /// The text of the search as entered.
    public let text: String
    /// The terms, all of which must be found; never empty.
    public private(set) var terms: [Term]

    /// Parses a text; nil if it has no letter or digit.
    public init?(_ text: String) {
        self.text = text
        var terms: [Term] = []
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            // The part after the last quote is quoted only if another quote closes it.
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

    package init(_ term: Term) {
        text = term.words.joined(separator: " ")
        terms = [term]
    }

    /// Nil if there is no other term.
    package func without(term number: Int) -> TextSearch? {
        guard terms.count > 1 else { return nil }
        var rest = self
        rest.terms.remove(at: number)
        return rest
    }

    /// A space stands before and after each word.
    ///
    /// Empty without words.
    package static func words(of text: String) -> String {
        var bytes: [UInt8] = []
        appendWords(of: text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// In UTF-8; see ``words(of:)``.
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

    /// Whether a folded character belongs to a script without spaces between words.
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
    /// Whether these are two characters without spaces, so that the second begins another word.
    fileprivate var isPair: Bool { count == 2 && first.map(TextSearch.isUnspaced) ?? false }
}
