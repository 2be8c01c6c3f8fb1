import Foundation
import Testing

/// Compiles the Swift programs that the pages show.
///
/// A block of the language `swift` that begins with `import` is a whole program. It is checked by
/// the compiler of the toolchain against the modules that are built beside these tests, with the
/// settings that the package of an embedder starts with.
@Suite("The Swift programs of the pages compile")
struct DocumentedProgramTests {
    struct Program: Sendable, CustomTestStringConvertible {
        let page: String
        let number: Int
        let text: String

        var testDescription: String { "\(page), program \(number)" }

        static let all = MarkdownPage.all.flatMap { page in
            page.blocks(of: "swift").filter { $0.hasPrefix("import ") }.enumerated().map {
                Program(page: page.path, number: $0 + 1, text: $1)
            }
        }
    }

    @Test("every program, without a warning", arguments: Program.all)
    func compiles(program: Program) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(program.text, to: "main.swift")
        let isLibrary = program.text.contains("@main")
        let run = try Self.compile(
            [file] + (isLibrary ? ["-parse-as-library"] : []),
            cache: folder.path("modules")
        )
        #expect(run.status == 0, "\(program.testDescription)\n\(run.messages)")
    }

    @Test("the README shows a program, and a program with an error is found")
    func check() throws {
        #expect(Program.all.contains { $0.page == "README.md" })
        let folder = try TemporaryFolder()
        let file = try folder.write("import Roster\nlet a: Int = RunningApp()\n", to: "main.swift")
        #expect(try Self.compile([file], cache: folder.path("modules")).status != 0)
    }

    /// Checks files without making code.
    static func compile(
        _ arguments: [String],
        cache: String
    ) throws -> (status: Int32, messages: String) {
        let products = RosterProcess.program.deletingLastPathComponent()
        let sources = MarkdownPage.root.appending(path: "Sources")
        var options = [
            "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors",
            "-module-cache-path", cache, "-I", products.appending(path: "Modules").path,
        ]
        // The modules in C that those in Swift import: some have a map in the sources, of others
        // the build makes one.
        for module in ["CCurl", "CExpat", "CLinux", "CPostgres", "CSQLite", "CZlib"] {
            let maps = [
                sources.appending(path: "\(module)/module.modulemap"),
                products.appending(path: "\(module).build/module.modulemap"),
            ]
            let map = try #require(
                maps.first { FileManager.default.fileExists(atPath: $0.path) },
                "no module map of \(module)"
            )
            options += ["-Xcc", "-fmodule-map-file=\(map.path)"]
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = options + arguments
        let messages = Pipe()
        process.standardOutput = messages
        process.standardError = messages
        try process.run()
        let bytes = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
