import Foundation
import TestSupport
import Testing

@Suite("Scopes of a token, as the socket shows them")
struct ScopeTests {
    private static let file = "id,team,total\n1,red,10\n2,blue,20\n3,red,30\n4,blue,40\n"

    private struct Rights: Equatable, CustomStringConvertible {
        /// The ids of the rows; nil for a list that the caller does not see.
        var ids: [String]?
        var row = 200
        var otherRow = 200
        var change = 200
        var otherChange = 200
        var creation = 201
        var otherCreation = 201
        var bulk = 200

        var description: String {
            "\(ids ?? ["none"]) \(row) \(otherRow) \(change) \(otherChange) \(creation) "
                + "\(otherCreation) \(bulk)"
        }

        static let all = ["1", "2", "3", "4"]
        static let none = Rights(
            row: 404,
            otherRow: 404,
            change: 404,
            otherChange: 404,
            creation: 404,
            otherCreation: 404,
            bulk: 404
        )
        static let reading = reading(all, otherRow: 200)
        static let writing = Rights(ids: all)
        static let readingRed = reading(["1", "3"], otherRow: 404)
        static let writingRed = Rights(
            ids: ["1", "3"],
            otherRow: 404,
            otherChange: 404,
            otherCreation: 403,
            bulk: 403
        )
        static let readingBlue = Rights(
            ids: ["2", "4"],
            row: 404,
            change: 403,
            otherChange: 403,
            creation: 403,
            otherCreation: 403,
            bulk: 403
        )

        private static func reading(_ ids: [String], otherRow: Int) -> Rights {
            Rights(
                ids: ids,
                otherRow: otherRow,
                change: 403,
                otherChange: 403,
                creation: 403,
                otherCreation: 403,
                bulk: 403
            )
        }
    }

    /// The rights on `orders` and on `notes` that each combination of scopes gives.
    private static let table: [(scopes: String, orders: Rights, notes: Rights)] = [
        ("operate", .none, .none),
        ("orders:read", .reading, .none),
        ("orders:write", .writing, .none),
        ("orders:read orders:write", .writing, .none),
        ("orders:write orders:read", .writing, .none),
        ("orders:read:team=red", .readingRed, .none),
        ("orders:read:team=red orders:read:team=red", .readingRed, .none),
        ("orders:read:team=red orders:write", .writingRed, .none),
        ("orders:write orders:read:team=red", .writingRed, .none),
        ("orders:read:team__in=red,blue", .reading, .none),
        ("*:read", .reading, .reading),
        ("*:write", .writing, .writing),
        ("*:read *:write", .writing, .writing),
        ("*:read:team=red", .readingRed, .readingRed),
        ("*:read:team=red *:write", .writingRed, .writingRed),
        ("*:write *:read:team=red", .writingRed, .writingRed),
        ("orders:read:team=red *:read", .readingRed, .reading),
        ("*:read orders:read:team=red", .readingRed, .reading),
        ("orders:read:team=red *:write", .readingRed, .writing),
        ("orders:read:team=red orders:write *:read", .writingRed, .reading),
        ("orders:read:team=red orders:write *:write", .writingRed, .writing),
        ("orders:read *:write", .reading, .writing),
        ("orders:write *:read", .writing, .reading),
        ("orders:read *:read:team=red", .reading, .readingRed),
        ("orders:write *:read:team=red", .writing, .readingRed),
        ("orders:read:team=red *:read:team=blue", .readingRed, .readingBlue),
        ("orders:read:team=red notes:write", .readingRed, .writing),
    ]

    private static let refused: [(scopes: String, first: String, second: String)] = [
        ("orders:read:team=red orders:read", "orders:read:team=red", "orders:read"),
        ("orders:read orders:read:team=red", "orders:read", "orders:read:team=red"),
        ("orders:read:team=red orders:read orders:write", "orders:read:team=red", "orders:read"),
        ("*:read:team=red *:read", "*:read:team=red", "*:read"),
        (
            "orders:read:team=red orders:read:team=blue", "orders:read:team=red",
            "orders:read:team=blue"
        ),
    ]

    private static func token(_ index: Int) -> String { "roster_token-\(index)" }

    private func send(
        _ method: String,
        _ target: String,
        as index: Int,
        _ json: String? = nil,
        on client: RawConnection
    ) throws -> RawResponse {
        let content = json.map {
            "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n"
        }
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer \(Self.token(index))\r\n\(content ?? "")\r\n\(json ?? "")"
        )
        return try client.receiveResponse()
    }

    /// Returns the rights that a caller is seen to have; what it creates is removed by the last.
    private func rights(
        of index: Int,
        on list: String,
        _ client: RawConnection,
        owner: Int
    ) throws -> Rights {
        func status(_ method: String, _ target: String, _ json: String? = nil) throws -> Int {
            try send(method, "/\(list)\(target)", as: index, json, on: client).status
        }
        func create(_ team: String, at target: String, _ json: String) throws -> Int {
            let response = try send("POST", "/\(list)\(target)", as: index, json, on: client)
            let link = response.text.firstMatch(of: /"self":"([^"]*)"/).map { String($0.1) }
            if response.status < 300, let row = response.field("Location") ?? link {
                #expect(try send("DELETE", row, as: owner, on: client).status == 204)
            }
            return response.status
        }
        let page = try send("GET", "/\(list).json", as: index, on: client)
        let ids = try? JSONDecoder().decode(ListPage.self, from: Data(page.body)).ids
        #expect(page.status == (ids == nil ? 404 : 200))
        return Rights(
            ids: ids,
            row: try status("GET", "/1"),
            otherRow: try status("GET", "/2"),
            change: try status("PATCH", "/1", #"{"total":\#(index)}"#),
            otherChange: try status("PATCH", "/2", #"{"total":\#(index)}"#),
            creation: try create("red", at: "", #"{"team":"red"}"#),
            otherCreation: try create("blue", at: "", #"{"team":"blue"}"#),
            bulk: try create("red", at: "/-/rows", #"[{"team":"red"}]"#)
        )
    }

    @Test("the most specific scope of a list counts, and its conditions limit all that is done")
    func combinations() throws {
        let folder = try TemporaryFolder()
        let orders = try folder.write(Self.file, to: "orders.csv")
        let notes = try folder.write(Self.file, to: "notes.csv")
        let owner = Self.table.count
        let scopes = Self.table.map(\.scopes) + ["*:write"]
        let lines = try scopes.enumerated().map { index, scopes in
            "c\(index) \(try Self.digest(of: Self.token(index))) \(scopes)\n"
        }
        let tokens = try folder.write(lines.joined(), to: "tokens")
        let server = try RosterProcess(
            serving: [
                orders, notes, "--tokens", tokens, "--anonymous", "none", "--allow-writes",
            ]
        )
        let client = try server.connect()
        for (index, line) in Self.table.enumerated() {
            let ofOrders = try rights(of: index, on: "orders", client, owner: owner)
            #expect(ofOrders == line.orders, "\(line.scopes): orders")
            let ofNotes = try rights(of: index, on: "notes", client, owner: owner)
            #expect(ofNotes == line.notes, "\(line.scopes): notes")
        }
        try server.stop()
    }

    @Test(
        "scopes of one list that contradict each other are refused at the start and at a reload",
        arguments: refused
    )
    func contradictions(scopes: String, first: String, second: String) throws {
        let both = first.contains("team") && second.contains("team")
        let advice =
            both
            ? "write one: & joins conditions that a row must meet together, and team__in=red,blue "
                + "allows several values" : "write one, with conditions or for every row"
        let message = "'\(first)' and '\(second)' contradict each other; \(advice)"
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.file, to: "orders.csv")
        let good = "c0 \(try Self.digest(of: Self.token(0))) orders:read\n"
        let bad = "c0 \(try Self.digest(of: Self.token(0))) \(scopes)\n"
        let tokens = try folder.write(bad, to: "tokens")
        let start = try RosterProcess.run([file, "--tokens", tokens])
        #expect(start.ending == .exit(78))
        #expect(start.lines.last == "roster: \(tokens):1: \(message)")
        let made = try RosterProcess.run(
            ["token", "c0"] + scopes.split(separator: " ").map { "\($0)" }
        )
        #expect(made.ending == .exit(78))
        #expect(made.lines == ["roster: roster token: \(message)"] && made.output == "")
        try folder.write(good, to: "tokens")
        let server = try RosterProcess(serving: [file, "--tokens", tokens])
        try folder.write(bad, to: "tokens")
        server.send(SIGHUP)
        try server.waitForLine { $0.contains("the old tokens stay in use") }
        #expect(server.lines.last?.contains(message) == true)
        let client = try server.connect()
        #expect(try send("GET", "/orders/2", as: 0, on: client).status == 200)
        try server.stop()
    }

    private static func digest(of token: String) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(token.utf8))
        try input.fileHandleForWriting.close()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        return "sha256:\(text.prefix(64))"
    }
}
