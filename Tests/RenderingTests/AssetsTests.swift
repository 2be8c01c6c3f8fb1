import Foundation
import Testing

@testable import Rendering

@Suite("Files that come with the pages")
struct AssetsTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Public")

    @Test("every file of Public is there, without comments and indentation")
    func contents() throws {
        #expect(Assets.all.map(\.name) == ["favicon.svg", "list.js", "style.css"])
        for asset in Assets.all {
            let content = String(decoding: asset.content, as: UTF8.self)
            // Blanks beside signs are left out.
            let lines = content.replacing(" ", with: "").split(separator: "\n").map(String.init)
            let code = try Self.code(asset.name).map { (line: String) -> String in
                line.replacing(" ", with: "")
            }
            #expect(code.sorted() == lines.sorted(), "\(asset.name)")
        }
    }

    private static func code(_ name: String) throws -> [String] {
        let files = FileManager.default
        let modules = try files.contentsOfDirectory(
            atPath: folder.appending(path: "scripts").path()
        )
        let paths = name == "list.js" ? modules.map { "scripts/" + $0 } : [name]
        return try paths.flatMap { path in
            try String(contentsOf: folder.appending(path: path), encoding: .utf8).split(
                separator: "\n"
            ).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }.filter { line in
            !line.isEmpty && !["//", "/*", "import "].contains(where: line.hasPrefix)
        }.map {
            $0.hasPrefix("export ") ? String($0.dropFirst(7)) : $0
        }.sorted()
    }

    @Test("modules are joined without comments, links and indentation")
    func joining() {
        let modules = [
            "// First.\nimport { a } from \"./a.js\";\n\nexport const b = () => {\n  // Two.\n  a();\n};\n",
            "b(); // 3\n",
        ]
        let joined = Assets.joined(modules.map { Array($0.utf8) })
        #expect(
            String(decoding: joined, as: UTF8.self) == "const b = () => {\na();\n};\nb(); // 3\n"
        )
    }

    @Test("blanks beside signs are left out, and those of texts and expressions stay")
    func blanks() {
        let module = """
            const f = (a, b) => { return a + b ? "x , y" : "{ }"; };
            const g = `a ( b`;
            const h = / , /;
            """
        let joined = Assets.joined([Array(module.utf8)], before: "(){},:?=>;", after: "(){},:?=>;")
        #expect(
            String(decoding: joined, as: UTF8.self) == """
                const f=(a,b)=>{return a + b?"x , y":"{ }";};
                const g = `a ( b`;
                const h = / , /;

                """
        )
    }

    @Test("other content has another hash")
    func hashes() {
        #expect(Asset("a", Array("foobar".utf8)).hash == "85944171f73967e8")
        #expect(Set(Assets.all.map(\.hash)).count == Assets.all.count)
    }

    @Test("the stylesheet stays small")
    func size() throws {
        let style = try #require(Assets.all.first { $0.name == "style.css" })
        #expect(style.content.count <= 26 << 10)
    }
}
