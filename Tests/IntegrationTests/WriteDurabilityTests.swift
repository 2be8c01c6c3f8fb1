import Foundation
import SQLite
import TestSupport
import Testing

/// What has been acknowledged is there, whatever happens to the program.
///
/// The environment variable `ROSTER_TEST_KILLS` says how often each is killed; a few times by
/// default.
@Suite("What was acknowledged survives")
struct WriteDurabilityTests {
    private struct Line: Decodable {
        let id: Int
        let name: String
    }

    private static let kills: Int =
        ProcessInfo.processInfo.environment["ROSTER_TEST_KILLS"].flatMap { Int($0) } ?? 3

    enum Store: CaseIterable {
        case imported
        /// Databases of another program, with a rollback journal or a write-ahead log.
        case journal, log
    }

    private func store(
        _ kind: Store,
        in folder: TemporaryFolder,
        loops: Int
    ) throws -> (database: String, arguments: [String]) {
        let database = folder.path("lists.db")
        let arguments = [database, "--allow-anonymous-writes", "--loops", "\(loops)"]
        guard kind != .imported else {
            let file = try folder.write("id,name\n0,zero\n", to: "people.csv")
            return (database, [file, "--database"] + arguments)
        }
        let connection = try DatabaseConnection(.file(database), access: .readWrite)
        try connection.execute(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO people VALUES (0, 'zero');
            """
        )
        if kind == .journal { try connection.execute("PRAGMA journal_mode = DELETE") }
        return (database, arguments)
    }

    private func expectSound(_ database: String) throws {
        let connection = try DatabaseConnection(.file(database), access: .writeForeign)
        let check = try connection.prepare("PRAGMA integrity_check")
        #expect(try check.step())
        #expect(check.text(0) == "ok")
    }

    @Test("a server killed during writes loses none of them", arguments: Store.allCases)
    func killedServer(kind: Store) throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let folder = try TemporaryFolder()
        let (database, arguments) = try store(kind, in: folder, loops: 1)
        var expected = ["0": "zero"]
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: arguments)
            let client = try server.connect()
            let writes = (0..<120).map { number in
                (id: "\(number)", name: "round \(round) write \(number)")
            }
            // All are sent at once, so that the server is writing whenever it is killed.
            for write in writes {
                let body = #"{"name":"\#(write.name)"}"#
                try client.send(
                    "PUT /people/\(write.id) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\nPrefer: return=minimal\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
            for index in 0..<Int.random(in: 0..<100, using: &random) {
                let answer = try client.receiveResponse(to: "PUT")
                #expect([200, 201, 204].contains(answer.status))
                expected[writes[index].id] = writes[index].name
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            try expectSound(database)
            let again = try RosterProcess(serving: arguments)
            var found: [String: String] = [:]
            let table = try again.get("/people.ndjson?group=none").text
            for line in table.split(separator: "\n") {
                let row = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
                found["\(row.id)"] = row.name
            }
            let names = Dictionary(uniqueKeysWithValues: writes.map { ($0.id, $0.name) })
            for (id, name) in expected {
                // A write behind the last one acknowledged may have been made as well.
                #expect(found[id] == name || found[id] == names[id], "row \(id)")
            }
            expected = found
            try again.stop()
        }
    }

    @Test(
        "a server killed while many clients write loses nothing that it acknowledged",
        arguments: Store.allCases
    )
    func killedWithManyClients(kind: Store) throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let folder = try TemporaryFolder()
        let (database, arguments) = try store(kind, in: folder, loops: 2)
        var expected = 1
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: arguments)
            let clients = try (0..<24).map { _ in try server.connect() }
            func id(_ client: Int, _ write: Int) -> String {
                "\(1_000 * (round + 1) + 40 * client + write)"
            }
            for (client, connection) in clients.enumerated() {
                for write in 0..<40 {
                    let body = #"{"name":"n"}"#
                    try connection.send(
                        "PUT /people/\(id(client, write)) HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/json\r\nPrefer: return=minimal\r\n"
                            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    )
                }
            }
            var acknowledged: Set<String> = []
            for write in 0..<Int.random(in: 1..<40, using: &random) {
                for (client, connection) in clients.enumerated() {
                    #expect(try connection.receiveResponse(to: "PUT").status == 201)
                    acknowledged.insert(id(client, write))
                }
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            try expectSound(database)
            let again = try RosterProcess(serving: arguments)
            let found = try again.get("/people.ndjson?group=none").text.split(separator: "\n")
                .map { "\(try JSONDecoder().decode(Line.self, from: Data($0.utf8)).id)" }
            #expect(acknowledged.isSubset(of: found), "round \(round)")
            // Those behind the last one acknowledged may have been written as well.
            #expect(found.count >= expected + acknowledged.count)
            expected = found.count
            try again.stop()
        }
    }

    @Test(
        "a server killed during bulk writes with keys keeps each whole, and performs none twice",
        arguments: Store.allCases
    )
    func killedWithKeys(kind: Store) throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let folder = try TemporaryFolder()
        let (database, arguments) = try store(kind, in: folder, loops: 2)
        for round in 0..<Self.kills {
            let server = try RosterProcess(serving: arguments)
            let client = try server.connect()
            let names = (0..<40).map { batch in
                (0..<5).map { "round \(round) batch \(batch) row \($0)" }
            }
            for batch in names { try client.send(Self.bulk(batch)) }
            let acknowledged = Int.random(in: 0..<40, using: &random)
            for _ in 0..<acknowledged {
                #expect(try client.receiveResponse(to: "POST").status == 200)
            }
            server.send(SIGKILL)
            #expect(try server.waitForEnding().ending == .signal(SIGKILL))
            try expectSound(database)
            let again = try RosterProcess(serving: arguments)
            let found = try Self.names(again)
            let other = try again.connect()
            for (index, batch) in names.enumerated() {
                let isThere = found[batch[0]] != nil
                #expect(isThere || index >= acknowledged, "\(batch)")
                #expect(batch.allSatisfy { (found[$0] != nil) == isThere }, "\(batch)")
                try other.send(Self.bulk(batch))
                let answer = try other.receiveResponse(to: "POST")
                #expect(answer.status == 200)
                #expect((answer.field("Idempotent-Replayed") == "true") == isThere, "\(batch)")
            }
            let now = try Self.names(again)
            #expect(now.count == 1 + (round + 1) * 200)
            #expect(now.values.allSatisfy { $0 == 1 })
            try again.stop()
        }
    }

    /// A request that creates rows, once.
    private static func bulk(_ names: [String]) -> String {
        let body = "[" + names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]"
        return "POST /people/-/rows HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Idempotency-Key: \"\(names[0].filter { $0 != " " })\"\r\n\r\n\(body)"
    }

    /// How often each name stands in the list.
    private static func names(_ server: RosterProcess) throws -> [String: Int] {
        var names: [String: Int] = [:]
        for line in try server.get("/people.ndjson").text.split(separator: "\n") {
            let row = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            names[row.name, default: 0] += 1
        }
        return names
    }

    @Test("an import killed at any moment leaves nothing or everything")
    func killedImport() throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 300)
        let lines = (1...3_000).map { "\($0),\(text)\n" }
        let file = try folder.write("id,name\n" + lines.joined(), to: "large.csv")
        for round in 0..<Self.kills {
            let database = folder.path("lists\(round).db")
            let command = ["import", file, "--database", database]
            let process = try RosterProcess(command)
            let bytes = Int.random(in: 0...1_000_000, using: &random)
            let deadline = ContinuousClock.now + .seconds(60)
            while folder.size(of: "lists\(round).db-wal") < bytes, ContinuousClock.now < deadline,
                folder.size(of: "lists\(round).db") < 900_000
            {
                sched_yield()
            }
            process.send(SIGKILL)
            _ = try process.waitForEnding()
            let export = ["export", "large", "--database", database]
            let run = try RosterProcess.run(export)
            if run.ending == .exit(0) {
                #expect(run.output.split(whereSeparator: \.isNewline).count == 3_001)
            } else {
                // 73 where the file was just being made.
                #expect([.exit(66), .exit(73)].contains(run.ending))
                #expect(run.output == "")
            }
            #expect(try RosterProcess.run(command).ending == .exit(0))
            #expect(
                try RosterProcess.run(export).output.split(whereSeparator: \.isNewline).count
                    == 3_001
            )
            try expectSound(database)
        }
    }
}
