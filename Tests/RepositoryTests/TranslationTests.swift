import Foundation
import Testing

@Suite("Texts have a translation in each language that has a file")
struct TranslationTests {
    private static let texts = "Sources/Rendering/Texts/"
    private static let problems = [
        "Actions", "API/Call", "Access/Call", "Handlers", "Middleware/Middleware",
        "Middleware/AllowedHosts", "Offloading", "Parameters/ParameterTable", "Problems", "Writing",
    ]

    private func lines(_ language: String) throws -> [String] {
        let file = try Repository.text(of: "\(Self.texts)\(language).txt")
        return file.split(separator: "\n").map(String.init)
    }

    private func keys(_ language: String) throws -> [String] {
        let lines = try lines(language)
        return stride(from: 0, to: lines.count, by: 2).map { lines[$0] }
    }

    @Test(
        "a file has pairs of lines with the same number of arguments, each text once",
        arguments: ["German", "Hebrew"]
    )
    func pairs(language: String) throws {
        func arguments(_ text: String) -> Int? {
            text.split(separator: "|").map { form in form.count { $0 == "%" } }.max()
        }
        let lines = try lines(language)
        #expect(lines.count % 2 == 0)
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            let (english, translation) = (lines[index], lines[index + 1])
            #expect(arguments(english) == arguments(translation), "\(english)\n\(translation)")
        }
        let keys = try keys(language)
        #expect(Set(keys).count == keys.count)
    }

    @Test("every text of pages is in the file", arguments: ["German", "Hebrew"])
    func pages(language: String) throws {
        let keys = Set(try keys(language))
        var found = 0
        for path in try Repository.files() where path.hasPrefix("Sources/Rendering/") {
            guard path.hasSuffix(".swift") else { continue }
            let source = try Repository.text(of: path)
            let texts =
                path == "\(Self.texts)Text+Values.swift"
                ? Self.literals(in: source) : Self.calls(in: source).flatMap(Self.literals)
            for text in texts where text.contains(/[A-Za-z]/) {
                // The keys of the keyboard are no texts.
                let isKey = text.contains(/^(Esc|F2|Enter|Del|Ctrl\+.)$/)
                guard text.count > 1, !isKey else { continue }
                found += 1
                let isKnown = keys.contains(text)
                #expect(isKnown, "\(path): \(text)")
            }
        }
        #expect(found > 250)
    }

    @Test("every sentence of a problem and every title is in the German file")
    func texts() throws {
        let english = Set(try keys("German"))
        var found = 0
        for path in try Repository.files() where path.hasSuffix(".swift") {
            let isOfProblems = Self.problems.contains { path.hasPrefix("Sources/ListAPI/\($0)") }
            guard isOfProblems else { continue }
            // The explanations of kinds are documentation; their titles are shown on pages.
            let isOfKinds = path.hasSuffix("ProblemKind.swift")
            for literal in Self.literals(in: try Repository.text(of: path)) {
                let isSentence = literal.hasSuffix(".") && literal.contains(" ")
                guard isSentence != isOfKinds, let first = literal.first,
                    first.isUppercase || first == "'" || first == "%", literal.contains(" ")
                else { continue }
                guard literal.contains(/[a-z]{2}/), !literal.contains("/") || isSentence else {
                    continue
                }
                found += 1
                let isKnown = english.contains(literal)
                #expect(isKnown, "\(path): \(literal)")
            }
        }
        #expect(found > 100)
    }

    private static func calls(in source: String) -> [String] {
        source.matches(of: /\b(texts|self|Phrase)\(/).map { match in
            var rest = source[match.range.upperBound...]
            var depth = 1
            while depth > 0, let character = rest.popFirst() {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                if character == "\"" { _ = literal(from: &rest) }
            }
            return String(source[match.range.upperBound..<rest.startIndex])
        }
    }

    /// The literals of a file, those that `+` joins as one; `%` stands for each interpolation.
    private static func literals(in source: String) -> [String] {
        var found: [String] = []
        var rest = source[...]
        var between = ""
        while let character = rest.popFirst() {
            guard character == "\"" else {
                if character == "/", rest.first == "/" { rest = rest.drop { $0 != "\n" } }
                between.append(character)
                continue
            }
            let literal = self.literal(from: &rest)
            let isJoined = between.trimmingCharacters(in: .whitespacesAndNewlines) == "+"
            if isJoined, let last = found.popLast() {
                found.append(last + literal)
            } else {
                found.append(literal)
            }
            between = ""
        }
        return found
    }

    private static func literal(from rest: inout Substring) -> String {
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                text.append(character)
                continue
            }
            guard escaped == "(" else {
                text.append(escaped)
                continue
            }
            text.append("%")
            var depth = 1
            while depth > 0, let inner = rest.popFirst() {
                if inner == "(" { depth += 1 }
                if inner == ")" { depth -= 1 }
                if inner == "\"" { _ = literal(from: &rest) }
            }
        }
        return text
    }
}
