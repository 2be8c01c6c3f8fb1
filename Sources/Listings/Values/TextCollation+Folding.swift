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

    /// What stands for texts that begin with no letter.
    package static let noLetter = "#"

    /// The letter that follows another one in the order of lists; nil behind the last.
    ///
    /// No text that begins with it stands before it, as capitals without accent are the first among
    /// equals.
    package static func letter(after letter: String) -> String? {
        guard letter != noLetter else { return "A" }
        var index = 0
        let weight = nextWeight(letter.utf8.span, &index)
        var value = weight - letterWeight
        while value < 0x10FFFF {
            value += 1
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else {
                continue
            }
            let own = String(scalar)
            var start = 0
            guard nextWeight(own.utf8.span, &start) == letterWeight + value else { continue }
            return initial(of: own)
        }
        return nil
    }

    /// Calls a closure with every character of a folded text.
    static func forEachFolded(
        _ utf8: borrowing Span<UInt8>,
        _ body: (Unicode.Scalar) -> Void
    ) {
        var index = 0
        while true {
            let weight = nextWeight(utf8, &index)
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
    func firstIndex(of pattern: [UInt8]) -> Int? {
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
