import Testing

@Suite("Imports follow the arrows of the design")
struct ImportTests {
    @Test("the manifest declares the arrows and no other")
    func manifestDeclaresTheArrows() throws {
        let declared = Targets.declared(inManifest: try Repository.text(of: "Package.swift"))
        let names = Set(declared.keys).union(Targets.arrows.keys)
        for name in names.sorted() {
            #expect(declared[name] == Targets.arrows[name], "dependencies of \(name)")
        }
    }

    @Test("a target imports what lies below it, and the toolchain only where it has effects")
    func importsFollowTheArrows() throws {
        let files = try Repository.swiftFiles(under: "Sources")
        #expect(!files.isEmpty)
        expectNone(files.flatMap(forbiddenImports))
    }

    @Test(
        "every spelling of an import is read",
        arguments: [
            ("HTTPServer", "import HTTP", 0),
            ("HTTPServer", "public import HTTP", 0),
            ("HTTPServer", "import Listings", 1),
            ("HTTPServer", "package import SQLite  // why", 1),
            ("HTTPServer", "import struct Listings.Row", 1),
            ("HTTPServer", "// import Listings", 0),
            ("Bytes", "import Glibc", 1),
            ("System", "import Glibc", 0),
            ("RosterProgram", "@preconcurrency import Foundation", 1),
            ("Unknown", "import Bytes", 1),
        ]
    )
    func importIsRead(target: String, text: String, findings: Int) {
        let file = SwiftFile(path: "Sources/\(target)/A.swift", text: text)
        #expect(forbiddenImports(file).count == findings, "\(text) in \(target)")
    }

    private func forbiddenImports(_ file: SwiftFile) -> [Finding] {
        let target = String(file.target)
        let allowed = (Targets.arrows[target] ?? []).union(Targets.toolchain[target] ?? [])
        return imports(in: file).compactMap { index, module in
            allowed.contains(module)
                ? nil : file.finding(at: index, "\(target) must not import \(module)")
        }
    }

    /// The lines that import, counted from 0, and the module each names.
    private func imports(in file: SwiftFile) -> [(Int, String)] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "let", "var"]
        return file.lines.enumerated().compactMap { index, line in
            let words = line.words
            guard let keyword = words.firstIndex(of: "import") else { return nil }
            guard let module = words[(keyword + 1)...].first(where: { !kinds.contains($0) })
            else { return nil }
            return (index, String(module))
        }
    }
}
