import Testing

@Suite("Documents are in plain English")
struct DocumentProseTests {
    /// The documents for users and contributors; the decisions among them.
    private static func documents() throws -> [String] {
        try Repository.files().filter {
            $0.hasPrefix("Sources/Roster/Roster.docc/") && $0.hasSuffix(".md")
                || $0.hasPrefix(".github/") && $0.hasSuffix(".md")
                || ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].contains($0)
        }
    }

    @Test("no sentence has more than 30 words, and none of a page more than 15 on average")
    func sentencesAreShort() throws {
        for document in try Self.documents() {
            let prose = MarkdownProse(try Repository.text(of: document))
            for sentence in prose.sentences where sentence.words.count > 30 {
                Issue.record("\(document):\(sentence.line): \(sentence.text)")
            }
            #expect(prose.average <= 15, "\(document): \(prose.average) words a sentence")
        }
    }

    @Test("no document has a word that stands for another term")
    func terms() throws {
        for document in try Self.documents() {
            let prose = MarkdownProse(try Repository.text(of: document))
            for sentence in prose.sentences + prose.titles {
                for word in Self.banned(in: sentence.text) {
                    Issue.record("\(document):\(sentence.line): '\(word)' in \(sentence.text)")
                }
            }
        }
    }

    @Test("no text of the program has a word that stands for another term")
    func programTexts() throws {
        let literal = /"((?:[^"\\]|\\.)*)"/
        for path in try Repository.files() {
            guard path.hasPrefix("Sources/"), path.hasSuffix(".swift") else { continue }
            let lines = try Repository.text(of: path).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            for (index, line) in lines.enumerated() {
                let isText = [
                    "//", "precondition", "fatalError", "SELECT", "INSERT", "UPDATE",
                    "roster_answers", "<",
                ]
                .allSatisfy { !line.contains($0) }
                guard isText else { continue }
                for match in line.matches(of: literal) where match.1.contains(" ") {
                    // Names in interpolations are code.
                    let text = match.1.replacing(/\\\([^)]*\)/, with: "CODE")
                    for word in Self.banned(in: String(text)) {
                        Issue.record("\(path):\(index + 1): '\(word)' in \(text)")
                    }
                }
            }
        }
    }

    @Test(
        "a term is found as a word, in any case, and not in code or in front of a proxy",
        arguments: [
            ("Whoever asks gets an answer.", 3), ("A questionnaire, unasked.", 0),
            ("`answer` is a name.", 0), ("Run it behind a proxy.", 0), ("It stands behind it.", 1),
            ("Behind nginx or HAProxy.", 0), ("As many as there are.", 1),
        ]
    )
    func termIsFound(text: String, count: Int) {
        let found = MarkdownProse(text).sentences.flatMap { Self.banned(in: $0.text) }
        #expect(found.count == count, "\(found)")
    }

    @Test("sentences end at marks, paragraphs at blank lines, and code is no prose")
    func sentences() {
        let prose = MarkdownProse(
            """
            # A title

            One sentence. Another, with `two words`
            on two lines!
            ```sh
            Not a sentence.
            ```
            <!-- server: none -->
            - An item of [a list](List.md): it goes
              on.
            1. Second
            | a | b |
            """
        )
        #expect(
            prose.sentences.map(\.words.count) == [2, 6, 8, 1]
                && prose.sentences.map(\.line) == [3, 3, 9, 11]
        )
        #expect(prose.titles.map(\.line) == [1, 12])
    }

    private static let terms = [
        "who asks", "whoever", "somebody", "nobody", "what is left", "ask", "asks",
        "asked", "asking", "tell", "tells", "told", "telling", "answer", "answers", "answered",
        "answering", "question", "questions", "draw", "draws", "drawn", "drawing", "anew", "lent",
        "lend", "lends", "at hand", "spare", "in the place of", "so many", "as many as",
        "what is wrong", "fault", "faults", "mended", "alike", "inert", "on its way", "wish",
        "wishes", "behind", "kept", "bare",
    ]

    private static func banned(in text: String) -> [String] {
        // A server stands behind a proxy; nothing else is behind anything.
        let proxies =
            /behind (a |an |the |your |another |its |one |that |this |such )?(same )?((reverse|trusted|TLS|HTTP|load) )*(proxy|proxies|nginx|Caddy|HAProxy|load balancer|balancer|gateway)\b/
            .ignoresCase()
        let words = text.replacing(proxies, with: "").lowercased()
            .split { !($0.isLetter || $0 == "'" || $0 == "’") }
        let joined = " " + words.joined(separator: " ") + " "
        return terms.flatMap { term in
            joined.ranges(of: " \(term) ").map { _ in term }
        }
    }
}
