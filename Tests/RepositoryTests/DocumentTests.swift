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

    @Test(
        "documents can be read in one sitting",
        arguments: [("README.md", 150, 900), ("ARCHITECTURE.md", 200, 1800)]
    )
    func documentsAreShort(path: String, lines: Int, words: Int) throws {
        let text = try self.lines(of: path)
        // The newline at the end begins no line.
        #expect(text.count - 1 <= lines)
        #expect(text.flatMap { $0.split(whereSeparator: \.isWhitespace) }.count <= words)
        let isLong = text.filter { $0.count > 100 }
        #expect(path == "README.md" || isLong.isEmpty, "longer than 100 columns: \(isLong)")
    }

    @Test("the architecture names every target")
    func architectureNamesEveryTarget() throws {
        let text = try lines(of: "ARCHITECTURE.md")
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

    @Test("the README, or its article on programs, has every article of the catalog in a table")
    func readmeListsThePages() throws {
        let readme = try Repository.text(of: "README.md")
        let folder = "Sources/Roster/Roster.docc/"
        let programs = try Repository.text(of: folder + "Embedding.md")
        for page in try pages() where !page.hasSuffix("/Roster.md") {
            let isListed =
                readme.contains("](\(page))")
                || programs.contains("](\(page.dropFirst(folder.count)))")
            #expect(isListed, "\(page)")
        }
    }

    @Test("the table of contents of decisions has every decision")
    func decisionsAreListed() throws {
        let folder = "Sources/Roster/Roster.docc/"
        let index = try Repository.text(of: folder + "Decisions.md")
        let decisions = try Repository.files().filter { $0.hasPrefix(folder + "Decisions/") }
        #expect(!decisions.isEmpty)
        for decision in decisions {
            let isListed = index.contains("](\(decision.dropFirst(folder.count)))")
            #expect(isListed, "\(decision)")
        }
    }

    @Test("links between documents lead to files")
    func linksLeadToFiles() throws {
        let files = Set(try Repository.files())
        // The embedded articles are links to those of the catalog.
        let documents = files.filter {
            $0.hasSuffix(".md") && !$0.hasPrefix("Sources/Rendering/Articles/")
        }.sorted()
        #expect(documents.contains("README.md"))
        for document in documents {
            let folder = document.split(separator: "/").dropLast()
            let text = try Repository.text(of: document)
            for match in text.matches(of: /\]\(([^)#\s]+)(#[^)]*)?\)/) {
                let target = match.1
                guard !target.contains(":"), !target.hasPrefix("/") else { continue }
                var path = folder
                for part in target.split(separator: "/") {
                    if part == ".." { path = path.dropLast() } else { path.append(part) }
                }
                let name = path.joined(separator: "/")
                let isThere = files.contains(name) || files.contains { $0.hasPrefix(name + "/") }
                #expect(isThere, "\(document) links to \(target)")
            }
        }
    }

    @Test("every test that the boundaries of trust name is there")
    func boundariesNameTests() throws {
        let tests = try Repository.files().filter { $0.hasPrefix("Tests/") }
        let rows = try lines(of: ".github/SECURITY.md").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
            .filter { $0.count == 5 && $0[3].contains("`") }
        #expect(rows.count > 5)
        for row in rows {
            for name in row[3].matches(of: /`([^`]+)`/).map(\.1) {
                let isThere = tests.contains {
                    $0.hasPrefix("Tests/\(name)/") || $0.hasSuffix("/\(name).swift")
                        || $0.hasSuffix("/\(name).py")
                }
                #expect(isThere, "no test \(name)")
            }
        }
    }

    @Test("the changelog begins with what is not released yet")
    func changelogBeginsWithUnreleased() throws {
        let heading = try lines(of: "CHANGELOG.md").first { $0.hasPrefix("## ") }
        #expect(heading?.contains(/^## \[?Unreleased\]?/) == true)
    }

    /// The articles of the catalog, without its folders.
    private func pages() throws -> [String] {
        let folder = "Sources/Roster/Roster.docc/"
        return try Repository.files().filter {
            $0.hasPrefix(folder) && $0.hasSuffix(".md") && !$0.dropFirst(folder.count).contains("/")
        }
    }

    private func lines(of path: String) throws -> [Substring] {
        try Repository.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
