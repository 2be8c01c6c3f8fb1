import Foundation
import Testing

@Suite("Problems have a text in each language that has a catalog")
struct TranslationTests {
    private static let catalog = "Sources/Rendering/Texts/German.txt"
    private static let folders = [
        "Actions", "API/Call", "Access/Call", "Handlers",
        "Middleware/Middleware", "Middleware/AllowedHosts", "Offloading", "Problems", "Writing",
    ]

    private func lines() throws -> [String] {
        try Repository.text(of: Self.catalog).split(separator: "\n").map(String.init)
    }

    @Test("the catalog has pairs of lines with the same number of places, each text once")
    func pairs() throws {
        let lines = try lines()
        #expect(lines.count % 2 == 0)
        for index in stride(from: 0, to: lines.count - 1, by: 2) {
            let (english, german) = (lines[index], lines[index + 1])
            let places = english.count { $0 == "%" }
            #expect(german.count { "%$".contains($0) } == places, "\(english)\n\(german)")
        }
        let english = stride(from: 0, to: lines.count, by: 2).map { lines[$0] }
        #expect(Set(english).count == english.count)
    }

    @Test("every sentence of a problem and every title is in the catalog")
    func texts() throws {
        let lines = try lines()
        let english = Set(stride(from: 0, to: lines.count, by: 2).map { lines[$0] })
        var found = 0
        for path in try Repository.files() where path.hasSuffix(".swift") {
            let isOfProblems = Self.folders.contains { path.hasPrefix("Sources/ListAPI/\($0)") }
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
                #expect(english.contains(literal), "\(path): \(literal)")
            }
        }
        #expect(found > 100)
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

    /// Takes the rest of a literal with its end.
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
