/// The prose of a Markdown document: its sentences, and the words of its headings and tables.
///
/// Blocks of code and comments are left out. Inline code and addresses count as one word each.
struct MarkdownProse {
    /// A sentence, and the line on which its paragraph begins, counted from 1.
    struct Sentence: Equatable {
        var line: Int
        var text: String

        /// The words, without marks that stand alone.
        var words: [Substring] {
            text.split(whereSeparator: \.isWhitespace)
                .filter { $0.contains { $0.isLetter || $0.isNumber } }
        }
    }

    private(set) var sentences: [Sentence] = []
    private(set) var titles: [Sentence] = []

    var average: Double {
        let words = sentences.reduce(0) { $0 + $1.words.count }
        return sentences.isEmpty ? 0 : Double(words) / Double(sentences.count)
    }

    private var paragraph: [Substring] = []
    private var start = 0

    init(_ document: String) {
        var fence: Substring?
        var isComment = false
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.trimmingPrefix { $0.isWhitespace }
            if let opening = fence {
                if text == opening { fence = nil }
            } else if isComment || text.hasPrefix("<!--") {
                isComment = !text.contains("-->")
            } else if text.hasPrefix("```") {
                end()
                fence = text.prefix { $0 == "`" }
            } else {
                read(text, at: index + 1)
            }
        }
        end()
    }

    private mutating func read(_ text: Substring, at line: Int) {
        if text.isEmpty {
            end()
        } else if text.hasPrefix("#") {
            end()
            titles.append(Sentence(line: line, text: Self.words(in: text.drop { $0 == "#" })))
        } else if text.hasPrefix("|") {
            end()
            titles.append(Sentence(line: line, text: Self.words(in: text)))
        } else if let mark = text.prefixMatch(of: #/([-*+]|\d+[.)]) /#) {
            end()
            start = line
            paragraph = [text[mark.range.upperBound...]]
        } else {
            if paragraph.isEmpty { start = line }
            paragraph.append(text.hasPrefix("> ") ? text.dropFirst(2) : text)
        }
    }

    private mutating func end() {
        let text = Self.words(in: paragraph.joined(separator: " ")[...])
        paragraph = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /[.!?]["”’')\]*]*\s+/) {
            append(rest[..<match.range.upperBound])
            rest = rest[match.range.upperBound...]
        }
        append(rest)
    }

    private mutating func append(_ text: Substring) {
        let sentence = Sentence(line: start, text: String(text))
        if !sentence.words.isEmpty { sentences.append(sentence) }
    }

    /// A text without marks: inline code and addresses become one word, links become their text.
    private static func words(in text: Substring) -> String {
        String(text).replacing(/``.+?``|`[^`]+`/, with: "CODE")
            .replacing(/!\[[^\]]*\]\([^)]*\)/, with: "")
            .replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
            .replacing(/<?https?:\/\/[^\s>]+>?/, with: "URL")
            .replacing("**", with: "")
    }
}
