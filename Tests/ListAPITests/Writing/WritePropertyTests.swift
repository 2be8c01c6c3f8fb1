import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import Locks
import RosterProgram
import System
import TestSupport
import Testing

@Suite("Writes over HTTP agree with a plain dictionary")
struct WritePropertyTests {
    private static let columns = ["firstName", "lastName", "occupation", "city"]

    /// Texts as people and attackers send them, without what JSON would have to escape.
    private static let texts = ["a", "Zoë", "'; DROP TABLE users; --", "<b>", "%00", "𝄞", " x "]

    @Test("random creations, replacements, changes and removals leave the rows they should")
    func random() throws {
        var random = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let client = try Client(writing: .throughServer)
        var model: [String: [String: String]] = [:]
        for id in 1...60 {
            #expect(try client.ask(.delete, "/users/\(id)").status == 204)
        }
        for _ in 0..<400 {
            let id = "\(Int.random(in: 1...20, using: &random))"
            let verb =
                [HTTPMethod.put, .patch, .delete, .post].randomElement(using: &random) ?? .put
            var row: [String: String] = [:]
            for column in Self.columns where verb != .patch || Bool.random(using: &random) {
                row[column] = Self.texts.randomElement(using: &random)
            }
            let members = row.map { #""\#($0)":"\#($1)""# }
            func send(_ target: String, _ members: [String]) throws -> Int {
                try client.send(verb, target, "{\(members.joined(separator: ","))}").status
            }
            let isThere = model[id] != nil
            switch verb {
            case .put:
                #expect(try send("/users/\(id)", members) == (isThere ? 200 : 201))
                model[id] = row
            case .post:
                #expect(try send("/users", members + [#""id":"\#(id)""#]) == (isThere ? 409 : 201))
                if !isThere { model[id] = row }
            case .patch:
                #expect(try send("/users/\(id)", members) == (isThere ? 200 : 404))
                model[id]?.merge(row) { $1 }
            default:
                #expect(try client.ask(.delete, "/users/\(id)").status == (isThere ? 204 : 404))
                model[id] = nil
            }
        }
        var found: [String: [String: String]] = [:]
        for line in try client.get("/users.ndjson").body.split(separator: "\n") {
            let row = try JSON(String(line))
            found[row["id"]?.text ?? ""] = Self.columns.reduce(into: [:]) { $0[$1] = row[$1]?.text }
        }
        #expect(found == model)
    }

    @Test("writers that name the state they know lose no update of one another")
    func concurrent() throws {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        let lists = try ListRegistry(configuration).lists
        let server = try TestServer(
            configure: { $0.loops = 2 },
            makeHandler: { _ in
                var options = ServiceOptions()
                options.writing = .everybody(requiresCondition: true)
                return try APIHandler(lists, options: options, isDraining: { false })
            }
        )
        let (writers, rounds) = (4, 25)
        let failures = Locked<[String]>([])
        var threads = ThreadGroup()
        let port = server.port
        for _ in 0..<writers {
            try threads.start(named: "writer") {
                do {
                    let connection = try RawConnection(port: port)
                    for _ in 0..<rounds { try Self.increment(connection) }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        threads.join()
        #expect(failures.withLock { $0 } == [])
        let client = try server.connect()
        try client.send("GET /users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let row = try JSON(client.receiveResponse().text)["row", "cells"]
        #expect(row?["age"]?.integer == 34 + writers * rounds)
    }

    private static func increment(_ connection: RawConnection) throws {
        while true {
            try connection.send("GET /users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let shown = try connection.receiveResponse()
            let age = try JSON(shown.text)["row", "cells", "age"]?.integer ?? 0
            let body = #"{"age":\#(age + 1)}"#
            try connection.send(
                "PATCH /users/1 HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nIf-Match: \(shown.field("ETag") ?? "")\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            let status = try connection.receiveResponse(to: "PATCH").status
            if status == 200 { return }
            guard status == 412 || status == 503 else { throw UnexpectedStatus(status: status) }
        }
    }

    private struct UnexpectedStatus: Error {
        let status: Int
    }
}
