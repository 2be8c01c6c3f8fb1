package import Listings

/// A part of a text, with the words of a search in it.
package struct Snippet: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        let text: String
        let isMatch: Bool
    }

    private(set) var parts: [Part] = []

    var text: String { parts.map(\.text).joined() }

    private static let longestText = 10_000
    private static let longest = 200
    private static let before = 60

    /// Nil if the first 10,000 characters have no word of the search.
    package init?(of search: TextSearch, in text: String) {
        let text = String(text.prefix(Self.longestText))
        let matches = search.matches(in: text)
        guard let first = matches.first else { return nil }
        let isShort = text.count <= Self.longest
        var start = text.startIndex
        if !isShort, text.distance(from: start, to: first.lowerBound) > Self.before {
            start = text.index(first.lowerBound, offsetBy: -Self.before)
            append("…")
        }
        let end =
            text.index(start, offsetBy: Self.longest, limitedBy: text.endIndex) ?? text.endIndex
        for match in matches where match.upperBound <= end {
            append(text[start..<match.lowerBound])
            append(text[match], isMatch: true)
            start = match.upperBound
        }
        append(text[start..<end])
        if end < text.endIndex { append("…") }
    }

    private mutating func append(_ text: some StringProtocol, isMatch: Bool = false) {
        guard !text.isEmpty else { return }
        parts.append(Part(text: String(text), isMatch: isMatch))
    }

    func write(to writer: inout HTMLWriter) {
        for part in parts {
            if part.isMatch {
                writer.element("<mark>", part.text, "</mark>")
            } else {
                writer.text(part.text)
            }
        }
    }
}
