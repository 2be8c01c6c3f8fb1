extension TextCollation {
    /// A text without case and accents: what conditions on the letters of texts compare.
    ///
    /// Two texts fold to the same exactly where ``compare(_:_:)`` would have to look at their bytes
    /// to tell them apart.
    public static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendFolded(text.utf8.span, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the folded form of a text given as UTF-8, as UTF-8.
    package static func appendFolded(_ utf8: borrowing Span<UInt8>, to bytes: inout [UInt8]) {
        forEachFolded(utf8) { bytes.append($0) }
    }

    /// Whether a character stands for others, into which it is taken apart before it is folded.
    package static func decomposes(_ scalar: Unicode.Scalar) -> Bool {
        CanonicalBases.of(scalar.value) != nil
    }

    /// What stands for texts that begin with no letter.
    package static let noLetter = "#"

    /// The letter that follows another one in the order of lists; nil behind the last.
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

    /// The first of all texts that have a letter; the empty text for those that begin with none.
    ///
    /// It is the scalar of the least value among those that fold to the letter, mostly the capital;
    /// but Ѐ stands before Е, and a letter of Georgian before its capital.
    package static func firstText(of letter: String) -> String {
        guard letter != noLetter else { return "" }
        let value = letterValue(letter)
        let candidates = [earlyLetters[value], value, letter.unicodeScalars.first?.value]
        return candidates.compactMap { $0 }.min().flatMap(Unicode.Scalar.init).map(String.init)
            ?? letter
    }

    /// The least scalars that fold to a letter, by its value, where they stand before that; all of
    /// these blocks, those of alphabets and of the ideographs that Unicode has twice.
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

    /// The folded scalar of the first letter of a text; 0 where it begins with none.
    private static func letterValue(_ text: String) -> UInt32 {
        var place = Place()
        let weight = nextWeight(text.utf8.span, &place)
        return weight > letterWeight ? weight - letterWeight : 0
    }

    /// Calls a closure with every character of a folded text.
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

    /// The position of the first of the places where other bytes stand in these; nil for none.
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
