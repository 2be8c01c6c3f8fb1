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

    /// Names from before the words were chosen; no other name may have one of the words.
    private static let formerNames: Set<Substring> = [
        "allFaults", "Answer", "answer", "answersAtLimit", "answersItsQueries", "answerStart",
        "asked", "asksForAll", "asksKey", "asksTexts", "atOrBehind", "bare", "bareCarriageReturn",
        "bareLineFeed", "behind", "bitsBehind", "bitsBehindLength", "DecimalPlaces", "drawn",
        "Fault", "fault", "faultCount", "faults", "firstKept", "isBare", "isBehind", "isKept",
        "isTold", "keepsAnswers", "keepsNoAnswers", "kept", "keptConnection", "keptForHTTP10",
        "ListPlace", "newPlaces", "noAnswer", "nobody", "notesAnswers", "oldPlaces", "patience",
        "place", "placeValueCount", "prepareAnswers", "question", "questionMark", "refusesAnswer",
        "RosterPlace", "SectionPlace", "setPlaces", "showInPlace", "shownFaults", "spare",
        "spareOutputs", "spareRequest", "tell", "tellOfRefusal", "tellStreamFailure", "tellsWidths",
        "told", "toldRows", "ways", "wish",
    ]

    @Test("no new name has a word that stands for another term")
    func names() throws {
        expectNone(
            try Repository.swiftFiles(under: "Sources").flatMap { file in
                file.lines.indices.flatMap { index in
                    Self.declaredNames(in: file.lines[index].words)
                        .filter { !Self.formerNames.contains($0) }
                        .flatMap(Self.words).compactMap { word in
                            Self.terms[word].map {
                                file.finding(at: index, "'\(word)' in a name: write \($0)")
                            }
                        }
                }
            }
        )
    }

    private static let terms: [String: String] = [
        "whoever": "the client or the caller", "somebody": "the client or the caller",
        "nobody": "no client", "asked": "requested", "asks": "requests", "asking": "requesting",
        "told": "reported", "tells": "reports", "tell": "report", "telling": "reporting",
        "question": "query", "questions": "queries", "drawn": "rendered", "draws": "renders",
        "drawing": "rendering", "kept": "cached", "lent": "borrowed", "lends": "borrows",
        "spare": "pooled", "behind": "after", "fault": "error", "faults": "errors",
        "mended": "fixed", "alike": "equal", "bare": "plain", "inert": "escaped",
        "wish": "option", "ways": "links", "answer": "response", "answers": "responses",
        "glance": "trial", "patience": "timeout", "place": "location",
        "places": "locations",
    ]

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
