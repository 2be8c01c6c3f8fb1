import Foundation
import TestSupport
import Testing

@Suite("Templates are read when the program starts")
struct TemplateTests {
    @Test("the start lists what draws which rows where that is asked for, and nothing else does")
    func listing() throws {
        let server = try RosterProcess(serving: ["--controllers", "list"])
        let line = "rows: User → UserController → user.row → its own cells"
        #expect(server.lines.contains { $0.hasSuffix(line) }, "\(server.lines)")
        try server.stop()
        let silent = try RosterProcess(serving: ["--controllers=off"])
        #expect(!silent.lines.contains { $0.contains("rows: ") })
        try silent.stop()
        let wrong = try RosterProcess.run(["--controllers", "yes"])
        #expect(wrong.ending == .exit(78) || wrong.ending == .exit(64))
    }

    @Test("every fault is named with file, line and column")
    func faults() throws {
        let folder = try TemporaryFolder()
        try folder.write("<p>\n  {{lastNam}}</p>", to: "user.row.html")
        try folder.write("x", to: "people.row.html")
        let run = try RosterProcess.run(["--port", "0", "--templates", folder.path("")])
        #expect(run.ending == .exit(65))
        let text = run.lines.joined(separator: "\n")
        #expect(text.contains("user.row.html:2:3: no column 'lastNam'"), "\(text)")
        #expect(text.contains("people.row.html:1:1: no rows of the kind"), "\(text)")
    }

    @Test("a folder that is not there, and a file that is no small text, are refused")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let missing = try RosterProcess.run(["--port", "0", "--templates", folder.path("none")])
        #expect(missing.ending == .exit(66))
        #expect(missing.lines.contains { $0.contains("--templates: \(folder.path("none")): ") })
        for content in [[0xFF, 0xFE], Array(repeating: 0x20, count: 70_000)] as [[UInt8]] {
            try folder.write(content, to: "user.row.html")
            let run = try RosterProcess.run(["--port", "0", "--templates", folder.path("")])
            #expect(run.ending == .exit(65))
        }
    }
}
