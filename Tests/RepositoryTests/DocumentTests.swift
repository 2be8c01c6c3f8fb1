import Testing

@Suite("The documents say what the repository holds")
struct DocumentTests {
    @Test("the first screen of the README shows how to run it and how to check it")
    func readmeShowsTheCommands() throws {
        let screen = try lines(of: "README.md").prefix(40)
        for command in ["make run", "make test"] {
            #expect(screen.contains { $0.contains(command) }, "\(command) in the first 40 lines")
        }
    }

    @Test("the architecture names every target, and can be read in one sitting")
    func architectureNamesEveryTarget() throws {
        let text = try lines(of: "ARCHITECTURE.md")
        #expect(text.count <= 150)
        let words = Set(
            text.flatMap { $0.split { !($0.isLetter || $0.isNumber) } }.map(String.init)
        )
        let targets = Set(
            try Repository.files().filter { $0.hasPrefix("Sources/") }
                .compactMap { $0.split(separator: "/").dropFirst().first }.map(String.init)
        )
        #expect(!targets.isEmpty)
        #expect(targets.subtracting(words).sorted() == [])
    }

    @Test("the changelog begins with what is not released yet")
    func changelogBeginsWithUnreleased() throws {
        let heading = try lines(of: "CHANGELOG.md").first { $0.hasPrefix("## ") }
        #expect(heading?.contains(/^## \[?Unreleased\]?/) == true)
    }

    private func lines(of path: String) throws -> [Substring] {
        try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
