import Testing

@Suite("The API of programs has an example for each type")
struct ExampleTests {
    @Test("each public type of the module Roster has an example of at most seven lines")
    func examples() throws {
        var count = 0
        for file in try Repository.swiftFiles(under: "Sources/Roster") {
            let lines = try Repository.text(of: file.path)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for (index, line) in lines.enumerated() {
                guard let name = Self.publicType(in: line) else { continue }
                count += 1
                let comment = Self.comment(before: index, of: lines)
                let fences = comment.indices.filter { comment[$0].contains("```") }
                guard fences.count >= 2 else {
                    Issue.record("\(file.path): \(name) has no example")
                    continue
                }
                let length = fences[1] - fences[0] - 1
                let maximum = name == "ListApp" ? 12 : 7
                #expect((1...maximum).contains(length), "\(file.path): \(name)")
            }
        }
        #expect(count > 25)
    }

    @Test("a public type is found whatever kind it is")
    func types() {
        #expect(Self.publicType(in: "public struct Route: Sendable {") == "Route")
        #expect(Self.publicType(in: "public final class Models<Model>: Sendable {") == "Models")
        #expect(Self.publicType(in: "    public enum Method: Sendable {") == "Method")
        #expect(Self.publicType(in: "struct Route {") == nil)
        #expect(Self.publicType(in: "    public static func get() {}") == nil)
    }

    private static func publicType(in line: String) -> String? {
        let words = line.split(separator: " ")
        guard words.first == "public" else { return nil }
        let kinds = ["struct", "class", "enum", "protocol", "actor"]
        let rest = words.dropFirst().drop { $0 == "final" }
        guard let kind = rest.first, kinds.contains(String(kind)) else { return nil }
        return rest.dropFirst().first.map { String($0.prefix { $0.isLetter }) }
    }

    private static func comment(before index: Int, of lines: [String]) -> [String] {
        var start = index
        while start > 0, ["///", "@"].contains(where: lines[start - 1].trimmed.hasPrefix) {
            start -= 1
        }
        return Array(lines[start..<index])
    }
}

extension String {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
