import Foundation
import Testing

/// The lists "How to add" of ARCHITECTURE.md, measured by one thing of each kind that exists.
@Suite("ARCHITECTURE.md names the files that an addition changes")
struct ExtensionTests {
    /// A thing that was added once, and the code that mentions it.
    struct Addition: CustomTestStringConvertible {
        var list: String
        /// The words of code, or texts, that only this thing has.
        var mentions: [String]
        /// The folders below Sources to look in; all where none is named.
        var folders: [String] = []

        var testDescription: String { list }
    }

    @Test(
        "the files that mention a thing are those of its list",
        arguments: [
            Addition(
                list: "A query parameter",
                mentions: [".jump", "\"jump\"", ", jump"],
                folders: ["ListAPI", "Listings"]
            ),
            Addition(
                list: "A response format",
                mentions: ["case ndjson", ".ndjson:", "struct NDJSONRowRenderer"],
                folders: ["Rendering"]
            ),
            Addition(
                list: "A file format",
                mentions: [".tsv", "case tsv", "csv, tsv"],
                folders: ["TableFiles", "SQLite", "ListAPI", "RemoteLists"]
            ),
            Addition(list: "A column type", mentions: [".email", "case email"]),
        ]
    )
    func additions(addition: Addition) throws {
        let text = try Repository.text(of: "ARCHITECTURE.md")
        let start = try #require(text.firstRange(of: "- *\(addition.list)*:"))
        let rest = text[start.upperBound...]
        let list = rest[..<(rest.firstRange(of: "\n- *")?.lowerBound ?? rest.endIndex)]
        let named = Set(
            list.matches(of: /`([A-Za-z+]+)/).map { String($0.1) }
        )
        var found: Set<String> = []
        for path in try Repository.files() {
            guard path.hasPrefix("Sources/"), path.hasSuffix(".swift") else { continue }
            let folder = path.split(separator: "/")[1]
            guard addition.folders.isEmpty || addition.folders.contains(String(folder)) else {
                continue
            }
            let code = try Repository.text(of: path)
                .split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            if code.contains(where: { line in addition.mentions.contains { line.contains($0) } }) {
                found.insert(String((path as NSString).lastPathComponent.dropLast(6)))
            }
        }
        #expect(found.subtracting(named).sorted() == [], "not named in the list")
    }
}
