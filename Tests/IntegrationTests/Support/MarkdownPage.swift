import Foundation
import Testing

struct MarkdownPage: Sendable, CustomTestStringConvertible {
    let path: String
    let text: String

    var testDescription: String { path }

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let all: [MarkdownPage] = {
        let catalog = "Sources/Roster/Roster.docc"
        let files = FileManager.default.enumerator(atPath: root.appending(path: catalog).path)
        let articles = (files?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
        return (["README.md"] + articles).compactMap { path in
            let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
            return text.map { MarkdownPage(path: path, text: $0) }
        }
    }()

    /// The fenced blocks of a language, in order.
    func blocks(of language: String) -> [String] {
        var blocks: [String] = []
        var fence: Substring?
        var isWanted = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let opening = fence {
                if line == opening {
                    fence = nil
                } else if isWanted {
                    blocks[blocks.count - 1] += line + "\n"
                }
            } else if line.hasPrefix("```") {
                fence = line.prefix { $0 == "`" }
                isWanted = line.drop { $0 == "`" } == language
                if isWanted { blocks.append("") }
            }
        }
        return blocks
    }
}
