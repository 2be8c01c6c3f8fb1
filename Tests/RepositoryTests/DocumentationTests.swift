import Testing

@Suite("What other packages can use is documented")
struct DocumentationTests {
    @Test("every public declaration has a doc comment")
    func declarationsAreDocumented() throws {
        let files = try Repository.swiftFiles(under: "Sources")
        #expect(files.contains { !declarations(in: $0).isEmpty }, "the scanner finds none at all")
        expectNone(files.flatMap(undocumented))
    }

    @Test(
        "a declaration is found whatever stands between its access level and its name",
        arguments: [
            (["public struct A {"], [1]),
            (["    public static func a() {"], [1]),
            (["public private(set) var a = 1"], [1]),
            (["public final class A {"], [1]),
            (["@inlinable public mutating func a()"], [1]),
            (["public init(a: Int)"], [1]),
            (["public subscript(_ index: Int) -> Int"], [1]),
            (["public import Bytes"], []),
            (["private func a()", "func b()", "package func c()", "extension A {"], []),
            (["    case a", "// public func old()"], []),
            (["/// A summary.", "public struct A {"], []),
            (["/// A summary.", "@safe", "@frozen", "public struct A {"], []),
            (["/// A summary.", "", "public struct A {"], [3]),
            (["// A remark.", "public struct A {"], [2]),
        ]
    )
    func declarationIsFound(text: [String], lines: [Int]) {
        let file = SwiftFile(path: "a.swift", text: text.joined(separator: "\n"))
        #expect(undocumented(file).map(\.line) == lines, "\(text)")
    }

    private func undocumented(_ file: SwiftFile) -> [Finding] {
        declarations(in: file)
            .filter { !isDocumented(file, $0) }
            .map { file.finding(at: $0, "no doc comment above this declaration") }
    }

    /// The lines, counted from 0, on which a public declaration begins.
    private func declarations(in file: SwiftFile) -> [Int] {
        let keywords: Set<Substring> = [
            "func", "var", "let", "struct", "enum", "class", "protocol", "init", "typealias",
            "subscript", "actor",
        ]
        return file.lines.indices.filter { index in
            let words = file.lines[index].words.drop { $0.hasPrefix("@") }
            guard words.first == "public" else { return false }
            return words.contains { keywords.contains($0) } && !words.contains("import")
        }
    }

    private func isDocumented(_ file: SwiftFile, _ declaration: Int) -> Bool {
        var index = declaration - 1
        while index >= 0, file.lines[index].code.contains(/^\s*@/) {
            index -= 1
        }
        return index >= 0 && file.lines[index].comment.hasPrefix("///")
    }
}
