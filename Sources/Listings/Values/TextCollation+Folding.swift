extension TextCollation {
    /// Returns a text without case and accents, as filters on letters compare it.
    ///
    /// Two texts fold to the same text exactly if ``compare(_:_:)`` distinguishes them only by
    /// length and bytes.
    public static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendFolded(text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the folded form of a UTF-8 text, as UTF-8.
    package static func appendFolded(_ utf8: borrowing Span<UInt8>, to bytes: inout [UInt8]) {
        forEachFolded(utf8) { bytes.append($0) }
    }

    /// Whether a character is decomposed before it is folded.
    package static func decomposes(_ scalar: Unicode.Scalar) -> Bool {
        CanonicalBases.of(scalar.value) != nil
    }

    /// The index letter of texts that do not begin with a letter.
    package static let noLetter = "#"

    /// Returns the letter after another one in the order of lists; nil after the last.
    package static func letter(after letter: String) -> String? {
        guard letter != noLetter else { return "A" }
        var value = letterValue(letter)
        while value < 0x10FFFF {
            value += 1
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else {
                continue
            }
            let own = String(scalar)
            if letterValue(own) == value { return initial(of: own) }
        }
        return nil
    }

    /// Returns the first of all texts with a letter; the empty text for ``noLetter``.
    ///
    /// It is the lowest scalar that folds to the letter, usually the capital. Exceptions are Ѐ,
    /// which precedes Е, and Georgian letters, which precede their capitals.
    package static func firstText(of letter: String) -> String {
        guard letter != noLetter else { return "" }
        let value = letterValue(letter)
        let candidates = [earlyLetters[value], value, letter.unicodeScalars.first?.value]
        return candidates.compactMap { $0 }.min().flatMap(Unicode.Scalar.init).map(String.init)
            ?? letter
    }

    /// The lowest scalars that fold to a letter, by its value, if they are lower than the letter.
    ///
    /// All are in these blocks: alphabets and the compatibility ideographs.
    private static let earlyLetters: [UInt32: UInt32] = {
        var letters: [UInt32: UInt32] = [:]
        let blocks = [0x80 as UInt32..<0x1D00, 0xF900..<0xFB00].joined()
        for scalar in blocks.compactMap(Unicode.Scalar.init)
        where (CanonicalBases.of(scalar.value) ?? 0) >> 21 == 0 {
            let letter = letterValue(String(scalar))
            if scalar.value < letter, letters[letter] == nil { letters[letter] = scalar.value }
        }
        return letters
    }()

    /// Returns the folded scalar of the first letter of a text; 0 if it begins with none.
    private static func letterValue(_ text: String) -> UInt32 {
        var place = Place()
        let weight = nextWeight(text.utf8.span, &place)
        return weight > letterWeight ? weight - letterWeight : 0
    }

    /// Calls a closure with each character of a folded text.
    static func forEachFolded(
        _ utf8: borrowing Span<UInt8>,
        _ body: (Unicode.Scalar) -> Void
    ) {
        var place = Place()
        while true {
            let weight = nextWeight(utf8, &place)
            guard weight != 0 else { return }
            let value = weight >= letterWeight ? weight - letterWeight : weight
            body(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
    }
}

extension [UInt8] {
    /// Appends a character as UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Returns the position of the first occurrence of other bytes; nil if there is none.
    package func firstIndex(of pattern: [UInt8]) -> Int? {
        guard let first = pattern.first else { return 0 }
        var index = 0
        while index + pattern.count <= count {
            if self[index] == first, self[index..<index + pattern.count].elementsEqual(pattern) {
                return index
            }
            index += 1
        }
        return nil
    }
}
