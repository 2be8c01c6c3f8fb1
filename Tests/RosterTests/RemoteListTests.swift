import Bytes
import Foundation
import HTTP
import HTTPServer
import Locks
import Roster
import TestSupport
import Testing

@Suite("Lists whose models another service has")
struct RemoteListTests {
    private struct User: Decodable, Identifiable, Sendable {
        struct Address: Decodable, Sendable { var city: String }

        let id: UUID
        var name: String
        var address: Address
        var joined: Date?
    }

    private struct Users: ListApp {
        var address = "https://a.example/users?key=secret"
        var interval = Duration.seconds(60)

        var lists: some Lists {
            List("users", from: address, every: interval) {
                Column(\User.name)
                Column(\User.address.city)
                Column(\User.joined)
            }
            .sorted(by: \User.name)
            .link { "https://a.example/\($0.name)" }
        }
    }

    private static func user(_ name: String, city: String? = "Oslo") -> String {
        let address = city.map { #"{"city":"\#($0)"}"# } ?? "{}"
        return #"{"id":"\#(UUID())","name":"\#(name)","address":\#(address)}"#
    }

    @Test("models are fetched, decoded and served with what the list declares")
    func served() async throws {
        let addresses = Locked<[String]>([])
        try await Users().test { address in
            addresses.withLock { $0.append(address) }
            return (200, "[\(Self.user("Bo")),\(Self.user("Ada"))]")
        } _: { client in
            let page = try await client.get("/users")
            #expect(page.rows.map { $0.cells["name"] } == ["Ada", "Bo"])
            #expect(page.rows.map { $0.cells["city"] } == ["Oslo", "Oslo"])
            #expect(page.body.contains(#""open":"https://a.example/Ada""#))
            #expect(!page.body.contains("stale"))
            #expect(try await client.get("/users/-/refresh").body.contains(#""state":"loaded""#))
        }
        #expect(addresses.withLock { $0 } == ["https://a.example/users?key=secret"])
    }

    @Test("models of a server are fetched by HTTP")
    func network() async throws {
        let user = Self.user("Cy")
        let service = try TestServer { request, response in
            response.addField("Content-Type", "application/json")
            response.body.append("[\(user)]")
        }
        try await Users(address: "http://127.0.0.1:\(service.port)/users").test { client in
            let page = try await client.get("/users")
            #expect(page.rows.map { $0.cells["name"] } == ["Cy"])
        }
    }

    @Test("a failed fetch is 503 with its cause, and a line that names list, status or JSON path")
    func failures() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let bodies = [
                (200, "[\(Self.user("Ada")),\(Self.user("Bo", city: nil))]"), (500, "broken"),
                (200, "<html>"),
            ]
            let details = ["cannot be decoded", "responds with status 500", "cannot be decoded"]
            for (body, detail) in zip(bodies, details) {
                try await Users().test { _ in
                    body
                } _: { client in
                    let response = try await client.get("/users")
                    #expect(response.status == 503)
                    #expect(response.body.contains(detail), "\(response.body)")
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let front = "roster: users: https://a.example/users?key=***: "
        #expect(text.contains(front + "page 1, row 2, address.city: is missing\n"), "\(text)")
        #expect(text.contains(front + "status 500: broken\n"))
        #expect(text.contains(front + "page 1: The given data"))
    }

    @Test("rows stay as stale while the service fails, and are current again when it responds")
    func stale() async throws {
        let status = Locked(200)
        try await Users(interval: .seconds(1)).test { _ in
            (status.withLock { $0 }, "[\(Self.user("Ada"))]")
        } _: { client in
            func load(until isReached: (TestResponse) -> Bool) async throws {
                let end = ContinuousClock.now + .seconds(60)
                while ContinuousClock.now < end {
                    let page = try await client.get("/users")
                    #expect(page.status == 200)
                    #expect(page.rows.map { $0.cells["name"] } == ["Ada"])
                    if isReached(page) { return }
                    try await Task.sleep(for: .milliseconds(5))
                }
                Issue.record("not reached")
            }
            try await load { !$0.body.contains(#""stale":true"#) }
            status.withLock { $0 = 500 }
            try await load { $0.body.contains(#""stale":true"#) }
            status.withLock { $0 = 200 }
            try await load { !$0.body.contains(#""stale":true"#) }
        }
    }

    @Test("a wrong address or interval is refused at the start")
    func refused() async throws {
        for app in [Users(address: "users.json"), Users(interval: .zero)] {
            let error = await #expect(throws: AppError.self) { try await app.test { _ in } }
            #expect(error?.description.hasPrefix("list 'users': ") == true)
        }
    }
}
