import Testing

@Suite("The tables of capabilities and of behaviour name what there is")
struct CapabilityTests {
    private static let capabilities = "Sources/Listings/Listings.docc/Capabilities.md"
    private static let tables = [capabilities, "Sources/HTTPServer/HTTPServer.docc/Behaviour.md"]

    private static func rows(of path: String) throws -> [(types: Substring, tests: Substring)] {
        try Repository.text(of: path).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 5, cells[3].contains("“") else { return nil }
            return (cells[2], cells[3])
        }
    }

    @Test("every type, and every member behind its point, is declared")
    func types() throws {
        let sources = try Repository.files()
            .filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
            .map { try Repository.text(of: $0) }
        let rows = try Self.rows(of: Self.capabilities)
        var seen: Set<Substring> = []
        for row in rows {
            let names = row.types.matches(of: /`([A-Za-z.]+)`/).flatMap {
                $0.1.split(separator: ".")
            }
            #expect(!names.isEmpty, "\(row.types)")
            for name in names where seen.insert(name).inserted {
                let declarations = [
                    "struct", "class", "enum", "protocol", "func", "var", "let", "case",
                ]
                .map { "\($0) \(name)" }
                let isDeclared = sources.contains { source in
                    declarations.contains { declares(source, $0) }
                }
                #expect(isDeclared, "\(name) is declared nowhere")
            }
        }
    }

    @Test("every test stands in the tests, by its sentence", arguments: tables)
    func tests(table: String) throws {
        let tests = try Repository.files()
            .filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }
            .map { try Repository.text(of: $0) }
        let rows = try Self.rows(of: table)
        #expect(rows.count > 50)
        for row in rows {
            let sentences = row.tests.matches(of: /“([^”]+)”/).map(\.1)
            #expect(!sentences.isEmpty, "\(row)")
            for sentence in sentences {
                let isThere = tests.contains { $0.contains("\"\(sentence)\"") }
                #expect(isThere, "no test \"\(sentence)\"")
            }
        }
    }

    @Test("the architecture leads to them", arguments: tables)
    func link(table: String) throws {
        #expect(try Repository.text(of: "ARCHITECTURE.md").contains(table))
    }

    /// Whether a text has a declaration and not only one of a longer name.
    private func declares(_ text: String, _ declaration: String) -> Bool {
        text.ranges(of: declaration).contains { range in
            let next = text[range.upperBound...].first
            return next.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
        }
    }
}
