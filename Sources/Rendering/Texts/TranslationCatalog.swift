/// The texts of problems in another language.
///
/// The file has each English text before its translation, a line each. A `%` stands for a part that
/// belongs to the request, a `$` in the translation for one that is a name.
struct TranslationCatalog: Sendable {
    private struct Entry {
        let pieces: [Substring]
        let translated: [Substring]
        /// Whether each part is a name, which is not translated.
        let areNames: [Bool]
        /// The number of bytes that a text must have in common with the entry.
        let length: Int
    }

    private let entries: [Entry]

    /// Parses a file in UTF-8.
    init(_ file: [UInt8]) {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
        var entries: [Entry] = []
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            let pieces = lines[index].split(separator: "%", omittingEmptySubsequences: false)
            entries.append(
                Entry(
                    pieces: pieces,
                    translated: lines[index + 1].split(omittingEmptySubsequences: false) {
                        $0 == "%" || $0 == "$"
                    },
                    areNames: lines[index + 1].filter { $0 == "%" || $0 == "$" }.map { $0 == "$" },
                    length: pieces.reduce(0) { $0 + $1.utf8.count }
                )
            )
        }
        self.entries = entries
    }

    /// Returns the translation of an English text, or the text itself if there is none.
    func text(_ english: String) -> String {
        var best: (entry: Entry, parts: [Substring])?
        for entry in entries where entry.length > best?.entry.length ?? 0 {
            if let parts = Self.parts(of: english[...], between: entry.pieces) {
                best = (entry, parts)
            }
        }
        guard let (entry, parts) = best, parts.count == entry.translated.count - 1 else {
            return english
        }
        var result = String(entry.translated[0])
        for (index, part) in parts.enumerated() {
            // Texts between quotation marks are those of the request.
            let isName = entry.areNames[index] || entry.pieces[index].hasSuffix("'")
            result += isName ? String(part) : text(String(part))
            result += entry.translated[index + 1]
        }
        return result
    }

    /// Returns the parts of a text that stand between pieces; nil if it does not have the pieces.
    private static func parts(of text: Substring, between pieces: [Substring]) -> [Substring]? {
        guard pieces.count > 1 else { return text == pieces[0] ? [] : nil }
        guard text.hasPrefix(pieces[0]) else { return nil }
        var rest = text.dropFirst(pieces[0].count)
        var parts: [Substring] = []
        for piece in pieces[1..<(pieces.count - 1)] {
            guard let range = rest.firstRange(of: piece) else { return nil }
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        let last = pieces[pieces.count - 1]
        guard rest.hasSuffix(last) else { return nil }
        return parts + [rest.dropLast(last.count)]
    }
}
