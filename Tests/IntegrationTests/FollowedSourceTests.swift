import Bytes
import Foundation
import HTTP
import Locks
import RosterClient
import TestSupport
import Testing

@Suite("Who follows a page is told of its source, whoever changes that")
struct FollowedSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Follower {
        let server: RosterProcess
        let target: String
        private(set) var page: RosterPage

        init(_ server: RosterProcess, _ target: String) throws {
            self.server = server
            self.target = target
            page = try Self.load(target, server)
        }

        private static func load(_ target: String, _ server: RosterProcess) throws -> RosterPage {
            let answer = try server.get(target)
            return try JSONDecoder().decode(RosterPage.self, from: Data(answer.body))
        }

        func changesAddress() throws -> String { try #require(page.changesAddress) }

        mutating func apply(_ change: String) throws {
            try page.apply(JSONDecoder().decode(RosterChange.self, from: Data(change.utf8)))
        }

        func isUpToDate() throws -> Bool {
            try Self.load(target, server).sections == page.sections
        }
    }

    private func expectTold(
        _ server: RosterProcess,
        _ target: String,
        ids: [String],
        change: () throws -> Void
    ) throws {
        var streaming = try Follower(server, target)
        let reader = try EventReader(streaming.changesAddress(), on: server.connect())
        #expect(try reader.next()?.retry == "2000")
        var polling = streaming
        let connection = try server.connect()
        func ask() throws {
            let head = "GET \(try polling.changesAddress()) HTTP/1.1\r\nHost: localhost\r\n"
            try connection.send(head + "Prefer: wait=25\r\n\r\n")
        }
        try ask()
        try change()
        repeat {
            let event = try #require(try reader.nextEvent())
            #expect(event.name == "changes")
            try streaming.apply(event.data)
            #expect(event.id == streaming.page.version)
        } while try !streaming.isUpToDate()
        while true {
            let answer = try connection.receiveResponse()
            #expect(answer.status == 200)
            try polling.apply(answer.text)
            if try polling.isUpToDate() { break }
            try ask()
        }
        #expect(polling.page == streaming.page)
        #expect(streaming.page.sections.flatMap(\.rows).map(\.id) == ids)
    }

    @Test(
        "another program that writes to its own database",
        .enabled(if: OutsideProgram.hasSQLite),
        arguments: ["delete", "wal"]
    )
    func foreignDatabase(journal: String) throws {
        let database = folder.path("their.db")
        func run(_ statements: String) throws {
            let other = try OutsideProgram.sqlite(database, statements)
            try #require(other.code == 0, "\(statements): \(other.output)")
        }
        try run(
            """
            PRAGMA journal_mode = \(journal);
            CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO things VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
            """
        )
        let server = try RosterProcess(serving: [database])
        let steps: [(String, [String])] = [
            ("INSERT INTO things VALUES (5, 'e')", ["1", "2", "3", "4", "5"]),
            ("UPDATE things SET name = 'z' WHERE id = 2", ["1", "2", "3", "4", "5"]),
            (
                "BEGIN; DELETE FROM things WHERE id = 1;"
                    + "UPDATE things SET id = 9 WHERE id = 3; COMMIT",
                ["2", "4", "5", "9"]
            ),
        ]
        for (statements, ids) in steps {
            try expectTold(server, "/things.json?limit=50", ids: ids) { try run(statements) }
        }
        try server.stop()
    }

    @Test("another service, whose rows are fetched again")
    func remote() throws {
        let rows = Locked([1, 2, 3, 4, 5])
        let upstream = try TestServer { _, response in
            response.addField(.contentType, "application/json")
            let objects = rows.withLock { $0.map { #"{"id":\#($0),"name":"n\#($0 % 10)"}"# } }
            response.body.append("[\(objects.joined(separator: ","))]")
        }
        let address = "http://127.0.0.1:\(upstream.port)/people"
        let server = try RosterProcess(serving: [address, "--refresh", "1"])
        for step in [[1, 2, 4, 5], [1, 2, 4, 5, 16, 17], [2, 4, 16, 17]] {
            try expectTold(server, "/people.json?sort=id", ids: step.map { "\($0)" }) {
                rows.withLock { $0 = step }
            }
        }
        try server.stop()
    }

    @Test("a file that another process imports again")
    func importedAgain() throws {
        let database = folder.path("lists.db")
        let file = try folder.write(Self.table(["1,a", "2,b", "3,c", "4,d"]), to: "people.csv")
        let server = try RosterProcess(serving: [file, "--database", database])
        let steps = [
            ["1,a", "3,z", "4,d", "5,e"], ["1,a", "3,z", "4,d", "5,e", "6,f"],
            ["3,z", "4,d", "6,f"],
        ]
        for step in steps {
            let ids = step.map { String($0.prefix(1)) }
            try expectTold(server, "/people.json?sort=id", ids: ids) {
                try folder.write(Self.table(step), to: "people.csv")
                let done = try RosterProcess.run(["import", file, "--database", database])
                try #require(done.ending == .exit(0), "\(done.output)")
            }
        }
        try server.stop()
    }

    private static func table(_ lines: [String]) -> String {
        (["id,name"] + lines).joined(separator: "\n") + "\n"
    }
}
