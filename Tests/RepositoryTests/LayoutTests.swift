import Testing

@Suite("The tree is laid out as the design says")
struct LayoutTests {
    @Test(
        "no file is longer than its limit",
        arguments: [("Sources", 900), ("Tests", 600)]
    )
    func filesAreShort(folder: String, maximum: Int) throws {
        let files = try Repository.swiftFiles(under: folder)
        #expect(!files.isEmpty)
        for file in files {
            // The newline at the end begins no line.
            let count = file.lines.count - 1
            #expect(count <= maximum, "\(file.path) has \(count) lines")
        }
    }

    @Test("few files have less than twenty lines")
    func fewFilesAreTiny() throws {
        let tiny = try Repository.swiftFiles(under: "Sources").filter { $0.lines.count - 1 < 20 }
        #expect(tiny.count <= 10, "\(tiny.map(\.path))")
    }

    /// The lines of Swift in each target, which may only fall; a commit that raises one says why.
    private static let targetCeilings: [String: Int] = [
        "Archives": 618, "Bytes": 1_803, "Database": 6_675, "HTTP": 6_032, "HTTPServer": 2_881,
        "JSON": 923, "ListAPI": 19_586, "ListDiff": 2_025, "Listings": 11_562, "Locks": 412,
        "MemoryLists": 6_887, "Postgres": 4_763, "Remote": 5, "RemoteCodable": 83,
        "RemoteCurl": 279, "RemoteLists": 3_069, "Rendering": 11_811, "Roster": 4_849,
        "RosterCLI": 22, "RosterClient": 868, "RosterProgram": 8_568, "SQLite": 10_190,
        "System": 2_941,
        "TableFiles": 5_719, "Workbooks": 1_606,
    ]

    @Test("no target has more lines than it had")
    func targetsAreSmall() throws {
        var lines: [String: Int] = [:]
        for file in try Repository.swiftFiles(under: "Sources") {
            lines[String(file.target), default: 0] += file.lines.count - 1
        }
        #expect(Set(lines.keys) == Set(Self.targetCeilings.keys))
        for (target, ceiling) in Self.targetCeilings {
            #expect(lines[target, default: 0] <= ceiling, "\(target)")
        }
    }

    /// The types longer than 900 lines, with their lengths, which may only fall.
    static let largeTypes = [
        "Rendering/HTMLWriter": 2008, "Database/TableQueries": 1409, "MemoryLists/Snapshot": 1405,
        "Listings/Page": 1155, "HTTPServer/EventLoop": 1058, "ListAPI/ListParameters": 912,
    ]
    /// The number of types with 600 to 900 lines, which may only fall.
    static let longTypeCount = 7

    @Test("a type and its extensions have at most 900 lines in a module, and few over 600")
    func typesAreShort() throws {
        var lengths: [String: Int] = [:]
        for file in try Repository.swiftFiles(under: "Sources") {
            for declaration in file.typeDeclarations {
                lengths["\(file.target)/\(declaration.name)", default: 0] += declaration.lineCount
            }
        }
        #expect(lengths.count > 500)
        for (type, length) in lengths {
            let maximum = Self.largeTypes[type] ?? 900
            #expect(length <= maximum, "\(type) has \(length) lines")
        }
        let long = lengths.filter { $0.value > 600 && Self.largeTypes[$0.key] == nil }
        #expect(long.count <= Self.longTypeCount, "\(long)")
    }

    @Test("a declaration of a type ends with its brace, in its line or in a later one")
    func typeDeclarationsAreFound() {
        let file = SwiftFile(
            path: "Sources/HTTP/A.swift",
            text: """
                /// struct B {
                public struct A: Sendable {
                    struct Inner {
                    }
                }

                @frozen package enum C {}
                func free() {
                }
                extension A.Inner where Self: Sendable
                {
                    let text = "}"
                }
                """
        )
        let found = file.typeDeclarations.map { "\($0.name) \($0.lineCount)" }
        #expect(found == ["A 4", "C 1", "A.Inner 4"])
    }

    @Test("no file is named for being left over")
    func filesAreNamedForTheirContent() throws {
        let paths = try Repository.files()
        #expect(paths.filter { bannedWord(in: $0) != nil } == [])
    }

    @Test(
        "a banned word is found in a name, and only as a word",
        arguments: [
            ("Sources/HTTP/StringUtils.swift", "Utils"),
            ("Sources/Common/Row.swift", "Common"),
            ("Tests/HTTPTests/Helpers.swift", "Helpers"),
            ("Sources/HTTP/String+Extensions.swift", "Extensions"),
            ("Sources/HTTP/NewParser.swift", "New"),
            ("Sources/HTTP/NewlineScanner.swift", nil),
            ("Sources/Listings/CommonestValue.swift", nil),
        ] as [(String, String?)]
    )
    func bannedWordIsFound(path: String, word: String?) {
        #expect(bannedWord(in: path) == word, "\(path)")
    }

    @Test("no attribute of ours stands in single quotes, for which texts are not escaped")
    func attributesStandInDoubleQuotes() throws {
        let folders = [
            "Sources/Rendering/", "Sources/ListAPI/", "Sources/Roster/", "Sources/RosterProgram/",
            "Public/",
        ]
        let files = try Repository.files().filter { file in
            !file.hasSuffix(".md") && folders.contains { file.hasPrefix($0) }
        }
        #expect(files.contains { $0.hasSuffix("HTMLWriter.swift") })
        for file in files {
            #expect(try !Repository.text(of: file).contains("='"), "\(file)")
        }
    }

    @Test("the package depends on no other")
    func packageHasNoDependency() throws {
        let manifest = SwiftFile(
            path: "Package.swift",
            text: try Repository.text(of: "Package.swift")
        )
        #expect(manifest.lines.filter { $0.code.contains(".package(") }.isEmpty)
    }

    @Test("the top level holds what a newcomer can take in at a glance")
    func topLevelIsShort() throws {
        let allowed: Set<Substring> = [
            "ARCHITECTURE.md", "Benchmarks", "CHANGELOG.md", "Dockerfile", "Makefile",
            "Package.swift", "Public", "README.md", "Sources", "Tests",
        ]
        let entries = Set(try Repository.files().compactMap { $0.split(separator: "/").first })
        #expect(entries.contains("Package.swift"))
        #expect(entries.filter { !$0.hasPrefix(".") }.subtracting(allowed) == [])
    }

    @Test("no file names a folder of somebody's machine")
    func noFileNamesAMachine() throws {
        let paths = try Repository.files()
        expectNone(
            try paths.flatMap { path in
                machinePaths(in: try Repository.text(of: path)).map { line in
                    Finding(path: path, line: line, problem: "a folder of one machine only")
                }
            }
        )
    }

    @Test(
        "a folder of a machine is told from a path of the web or of the repository",
        arguments: [
            ("cd /" + "work/roster", 1),
            (#"let file = "/"# + #"home/ada/list.csv""#, 1),
            ("open /" + "Users/ada/list.csv", 1),
            ("Sources/Users/User.swift", 0),
            ("GET /users/19", 0),
            ("https://example.org/home/", 0),
            ("/usr/bin/env", 0),
        ]
    )
    func machinePathIsFound(text: String, count: Int) {
        #expect(machinePaths(in: text).count == count, "\(text)")
    }

    private func bannedWord(in path: String) -> String? {
        let banned: Set<Substring> = [
            "Util", "Utils", "Utility", "Utilities", "Helper", "Helpers", "Common", "Manager",
            "Managers", "New", "Extensions",
        ]
        return path.matches(of: /[A-Z][a-z]+/).map(\.output).first(where: banned.contains)
            .map(String.init)
    }

    /// The lines, counted from 1, that name a home or working folder.
    private func machinePaths(in text: String) -> [Int] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(/(^|[^\w.])\/(work|home|root|Users)\/\w/) }
            .map { $0.offset + 1 }
    }
}
