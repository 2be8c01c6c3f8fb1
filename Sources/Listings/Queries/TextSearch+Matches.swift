extension TextSearch {
    /// Returns the parts of a text that are words of the search, in their order.
    ///
    /// - Complexity: O(length of the text).
    package func matches(in text: String) -> [Range<String.Index>] {
        let patterns = terms.flatMap(\.patterns)
        var found: [Range<String.Index>] = []
        var start = text.startIndex
        while start < text.endIndex {
            let first = Self.kind(of: text[start])
            var end = text.index(after: start)
            if first == .unspaced {
                // Such a word is a character with its successor.
                let next = end < text.endIndex ? Self.kind(of: text[end]) : .separator
                if next == .unspaced { end = text.index(after: end) }
            } else {
                while end < text.endIndex, Self.kind(of: text[end]) == first {
                    end = text.index(after: end)
                }
            }
            let word = first == .separator ? "" : Self.words(of: String(text[start..<end]))
            if patterns.contains(where: { word.hasPrefix($0) }) {
                if let last = found.last, last.upperBound >= start {
                    found[found.count - 1] = last.lowerBound..<end
                } else {
                    found.append(start..<end)
                }
            }
            start = first == .unspaced ? text.index(after: start) : end
        }
        return found
    }

    private enum Kind {
        case separator, spaced, unspaced
    }

    private static func kind(of character: Character) -> Kind {
        guard let scalar = words(of: String(character)).unicodeScalars.dropFirst().first else {
            return .separator
        }
        return isUnspaced(scalar) ? .unspaced : .spaced
    }
}

extension TextSearch.Term {
    /// The text to find at the beginning of each word.
    fileprivate var patterns: [String] {
        words.enumerated().map { index, word in
            " \(word)" + (isPrefix && index == words.count - 1 ? "" : " ")
        }
    }
}
