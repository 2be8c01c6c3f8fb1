import Foundation
import TestSupport
import Testing

@Suite("The README's program serves a list of one's own")
struct EmbeddingTests {
    @Test("the README shows the program that is built here, in at most 25 lines")
    func program() throws {
        let readme = try #require(MarkdownPage.all.first { $0.path == "README.md" })
        let file = MarkdownPage.root.appending(path: "Tests/ReadmeExample/Library.swift")
        let program = try String(contentsOf: file, encoding: .utf8)
        #expect(readme.blocks(of: "swift") == [program])
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    }

    @Test("it serves its sections and performs its action, for programs and for people")
    func run() throws {
        let server = try RosterProcess(
            [],
            environment: ["ROSTER_PORT": "0"],
            program: RosterProcess.program(named: "ReadmeExample")
        )
        let line = try server.waitForLine { $0.contains("serving Books at http://127.0.0.1:") }
        try #require(line != nil, "\(server.lines)")
        let page = try server.page("/books")
        #expect(page.sections.map(\.id) == ["Novel", "Stories"])
        #expect(page.ids == ["2", "1", "3"])
        #expect(page.sections[0].rows[0].cells["title"] == .text("Invisible Cities"))
        #expect(try server.get("/books").text.contains(#""name":"lend""#))

        let lent = try post("/books/2/-/lend", to: server)
        #expect(lent.status == 200)
        #expect(lent.text.contains("Invisible Cities is yours for two weeks."))
        #expect(try server.page("/books").ids == ["1", "3"])
        let person = try post("/books/1/-/lend", to: server, fields: "Accept: text/html\r\n")
        #expect(person.status == 303)
        let location = try #require(person.field("Location"))
        #expect(location.hasPrefix("/books?notice="))
        let told = try server.get(location, fields: "Accept: text/html\r\n").text
        #expect(told.contains("is yours for two weeks.</p>"))
        #expect(try server.page("/books").ids == ["3"])
        #expect(try post("/books/1/-/lend", to: server).status == 404)
        try server.stop()
    }

    @Test(
        "what keeps a service from starting is said in words",
        arguments: [
            ("ROSTER_PORT", "x", "ROSTER_PORT"), ("ROSTER_PROT", "0", "ROSTER_PROT"),
            ("ROSTER_GROUP_BY", "genre", "ROSTER_GROUP_BY"),
            ("ROSTER_TEMPLATES", "/nowhere", "--templates"),
            ("ROSTER_HOST", "203.0.113.1", "203.0.113.1"),
            ("ROSTER_ALLOW_WRITES", "on", "writes"),
        ]
    )
    func refusal(variable: String, value: String, text: String) throws {
        let program = RosterProcess.program(named: "ReadmeExample")
        let environment = ["ROSTER_PORT": "0"].merging([variable: value]) { $1 }
        let run = try RosterProcess([], environment: environment, program: program)
            .waitForEnding()
        #expect(run.ending != .exit(0))
        #expect(run.lines.contains { $0.contains(text) }, "\(run.lines)")
    }

    private func post(
        _ target: String,
        to server: RosterProcess,
        fields: String = ""
    ) throws -> RawResponse {
        let client = try server.connect()
        try client.send(
            "POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: 0\r\n\r\n"
        )
        return try client.receiveResponse()
    }
}
