import Testing

@Suite("Comments and names are in plain English")
struct ProseTests {
    /// The words that documentation may not begin with.
    private static let questionWords: Set<Substring> = [
        "What", "Who", "Where", "How", "Whoever", "Whatever",
    ]

    /// Whether documentation begins with such a word, also behind `- Returns:` and its like.
    private static func asksAtStart(_ comment: String) -> Bool {
        guard comment.hasPrefix("///") else { return false }
        var text = comment.dropFirst(3).drop(while: \.isWhitespace)
        if text.hasPrefix("- "), let colon = text.firstIndex(of: ":") {
            text = text[colon...].dropFirst().drop(while: \.isWhitespace)
        }
        return questionWords.contains(text.prefix { $0.isLetter })
    }

    @Test("no documentation begins with What, Who, Where or How")
    func openings() throws {
        let files = try Repository.swiftFiles(under: "Sources")
        expectNone(
            files.flatMap { file in
                file.lines.indices
                    .filter { Self.asksAtStart(file.lines[$0].comment) }
                    .map { file.finding(at: $0, "begin with a noun or a verb") }
            }
        )
    }

    @Test(
        "an opening is found behind the mark of a parameter as well",
        arguments: [
            ("/// What is kept.", true), ("/// - Returns: How many.", true),
            ("///   - body: Who asks.", true), ("/// The list. What it has.", false),
            ("/// Whether it is there.", false), ("// What for", false),
        ]
    )
    func openingIsFound(comment: String, isFound: Bool) {
        #expect(Self.asksAtStart(comment) == isFound)
    }

    /// The most declarations whose names may have a word that is no longer used for new names.
    ///
    /// A number may only fall: lower it where declarations get other names.
    private static let ceilings: [String: Int] = [
        "asked": 1, "asking": 1, "asks": 3, "bare": 9, "behind": 14, "drawn": 1, "fault": 25,
        "faults": 31, "kept": 28, "nobody": 7, "question": 15, "questions": 2, "spare": 5,
        "tell": 5, "tells": 1, "told": 3, "ways": 10, "wish": 4,
    ]

    @Test("no new name has a word that stands for another term")
    func names() throws {
        var counts: [String: Int] = [:]
        for file in try Repository.swiftFiles(under: "Sources") {
            for line in file.lines {
                for name in Self.declaredNames(in: line.words) {
                    for word in Self.words(of: name) where Self.terms[word] != nil {
                        counts[word, default: 0] += 1
                    }
                }
            }
        }
        for (word, count) in counts.sorted(by: { $0.key < $1.key }) {
            let ceiling = Self.ceilings[word] ?? 0
            let term = Self.terms[word] ?? ""
            #expect(count <= ceiling, "'\(word)' in \(count) names: write \(term)")
            #expect(count >= ceiling, "lower the ceiling of '\(word)' to \(count)")
        }
    }

    /// The words, and the terms to use instead.
    private static let terms: [String: String] = [
        "whoever": "the client or the caller", "somebody": "the client or the caller",
        "nobody": "no client", "asked": "requested", "asks": "requests", "asking": "requesting",
        "told": "reported", "tells": "reports", "tell": "report", "telling": "reporting",
        "question": "query", "questions": "queries", "drawn": "rendered", "draws": "renders",
        "drawing": "rendering", "kept": "cached", "lent": "borrowed", "lends": "borrows",
        "spare": "pooled", "behind": "after", "fault": "error", "faults": "errors",
        "mended": "fixed", "alike": "equal", "bare": "plain", "inert": "escaped",
        "wish": "option", "ways": "links",
    ]

    /// The names that a line of code declares.
    private static func declaredNames(in words: [Substring]) -> [Substring] {
        let keywords: Set<Substring> = [
            "func", "var", "let", "struct", "enum", "class", "protocol", "actor", "typealias",
            "case",
        ]
        return words.indices.dropLast().filter { keywords.contains(words[$0]) }.map {
            words[$0 + 1]
        }
    }

    /// The words of a name in small letters: `keptRowCount` has `kept`, `row` and `count`.
    private static func words(of name: Substring) -> [String] {
        var words: [String] = [""]
        for character in name {
            if character.isUppercase || character == "_" { words.append("") }
            words[words.count - 1].append(character.lowercased())
        }
        return words
    }
}
