import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Lists whose edits end with the server say so, and no others")
struct VolatileEditTests {
    private static let lost = "stay in memory, and are lost when the server stops"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func notices(of server: RosterProcess) -> [String] {
        server.lines.filter { $0.contains("stay in memory") }
    }

    private func add(to list: String, on server: RosterProcess) throws -> Int {
        let client = try server.connect()
        let body = #"{"name":"Bo"}"#
        try client.send(
            "POST /\(list) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try client.receiveResponse(to: "POST").status
    }

    @Test("the start and the page say it, and the edit is gone after the end")
    func file() throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let arguments = [file, "--database", ":memory:", "--allow-anonymous-writes"]
        let server = try RosterProcess(serving: arguments)
        let notice = "roster: edits of people \(Self.lost); --database FILE keeps them"
        #expect(notices(of: server) == [notice])
        #expect(try server.get("/people.html").text.contains("are lost when the server stops."))
        #expect(try add(to: "people", on: server) == 201)
        #expect(try server.page("/people").ids == ["1", "2"])
        try server.stop()
        #expect(try RosterProcess(serving: arguments).page("/people").ids == ["1"])
    }

    @Test("so do sample users, several files, standard input, and an archive of files")
    func others() throws {
        for number in 1...7 { try folder.write("id,name\n1,Ada\n", to: "list\(number).csv") }
        let samples = try RosterProcess(serving: ["--allow-anonymous-writes"])
        #expect(notices(of: samples).first?.hasPrefix("roster: edits of users stay") == true)
        let writes = "--allow-anonymous-writes"
        let memory = ["--database", ":memory:", writes]
        let several = try RosterProcess(serving: [folder.path("")] + memory)
        let names = "list1, list2, list3, list4, list5 and 2 more"
        #expect(notices(of: several).first?.hasPrefix("roster: edits of \(names) stay") == true)
        let input = FileHandle(forReadingAtPath: folder.path("list1.csv"))
        let piped = try RosterProcess(["team=-", "--port", "0"] + memory, input: input)
        try piped.waitForLine { $0.contains(" at http://") }
        #expect(notices(of: piped).first?.hasPrefix("roster: edits of team stay") == true)
    }

    @Test("lists that keep their edits, or take none, say nothing")
    func kept() throws {
        let file = try folder.write("id,name\n1,Ada\n", to: "people.csv")
        let saved = try folder.write("id,name\n1,Ada\n", to: "saved.csv")
        let lists = folder.path("lists.db")
        let foreign = folder.path("shop.sqlite")
        let connection = try DatabaseConnection(.file(foreign), access: .readWrite)
        try connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT)")
        let writes = "--allow-anonymous-writes"
        for (arguments, list, status) in [
            ([file, "--database", lists, writes], "people", 201), ([file], "people", 405),
            ([saved, writes], "saved", 201),
            (["--database", lists, writes], "people", 201), ([lists, writes], "people", 201),
            ([foreign, writes], "orders", 201), ([], "users", 405),
        ] as [([String], String, Int)] {
            let server = try RosterProcess(serving: arguments)
            #expect(notices(of: server) == [], "\(arguments)")
            let page = try server.get("/\(list).html")
            #expect(page.status == 200 && !page.text.contains("lost when"), "\(arguments)")
            let isStored = arguments.contains(lists) && arguments.contains("--database")
            let place = "Edits are in the database lists.db."
            #expect(page.text.contains(place) == isStored, "\(arguments)")
            #expect(try add(to: list, on: server) == status, "\(arguments)")
            try server.stop()
        }
        let again = try RosterProcess(serving: ["--database", lists])
        #expect(try again.page("/people").ids == ["1", "2", "3", "4"])
        let own = try RosterProcess([], program: RosterProcess.program(named: "ReadmeExample"))
        try own.waitForLine { $0.contains(" at http://") }
        #expect(notices(of: own) == [])
    }
}
