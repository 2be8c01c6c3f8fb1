import Foundation
import TestSupport
import Testing

@Suite("People that a trusted proxy names")
struct ProxyUserTests {
    private struct Case: Sendable {
        /// The value of X-Forwarded-User; nil without the field.
        let user: String?
        var hasToken = false
        let status: Int
        var ids: [String]?
        var detail: String?
    }

    private static let all = ["1", "2", "3", "4"]
    private func server(
        _ folder: TemporaryFolder,
        _ arguments: [String]
    ) throws -> (
        server: RosterProcess, token: String
    ) {
        let file = try folder.write(
            "id,team\n1,red\n2,blue\n3,red\n4,blue\n",
            to: "orders.csv"
        )
        let run = try RosterProcess.run(["token", "robot", "*:write", "operate"])
        let token = try #require(run.lines.first?.split(separator: " ").last)
        let tokens = try folder.write(run.output + "ada - orders:read:team=red\n", to: "tokens")
        let server = try RosterProcess(
            serving: [file, "--tokens", tokens, "--trust-proxy", "127.0.0.1"] + arguments
        )
        return (server, String(token))
    }

    private func check(_ cases: [Case], _ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let (server, token) = try server(folder, arguments)
        for item in cases {
            let comment = Comment("\(item)")
            let user = item.user.map { "X-Forwarded-User: \($0)\r\n" } ?? ""
            let field = item.hasToken ? "Authorization: Bearer \(token)\r\n" : ""
            let response = try server.get("/orders.json", fields: user + field)
            #expect(response.status == item.status, comment)
            let page = try? JSONDecoder().decode(ListPage.self, from: Data(response.body))
            #expect(page?.ids == item.ids, comment)
            if let detail = item.detail { #expect(response.text.contains(detail), comment) }
            let challenge = response.field("WWW-Authenticate") != nil
            #expect(challenge == (item.status == 401), comment)
        }
        try server.stop()
    }

    @Test("only lines without a digest are theirs, and others have no rights")
    func closed() throws {
        try check(
            [
                Case(user: nil, status: 401),
                Case(user: "", status: 401),
                Case(user: "ada", status: 200, ids: ["1", "3"]),
                Case(user: "robot", status: 403, detail: "The user 'robot' has no rights here."),
                Case(user: "carol", status: 403, detail: "The user 'carol' has no rights here."),
                Case(user: "<b>", status: 403, detail: "The user of the proxy has no rights here."),
                Case(user: "robot, ada", status: 200, ids: ["1", "3"]),
                Case(user: "ada, robot", status: 403),
                Case(user: "carol", hasToken: true, status: 200, ids: Self.all),
                Case(user: "ada", hasToken: true, status: 200, ids: Self.all),
            ],
            ["--anonymous", "none"]
        )
    }

    @Test("others have the rights of anonymous clients, where those have some")
    func open() throws {
        try check(
            [
                Case(user: nil, status: 200, ids: Self.all),
                Case(user: "ada", status: 200, ids: ["1", "3"]),
                Case(user: "robot", status: 200, ids: Self.all),
                Case(user: "carol", status: 200, ids: Self.all),
            ],
            []
        )
        let folder = try TemporaryFolder()
        let (server, _) = try server(folder, ["--allow-writes"])
        for (user, target, status) in [
            ("robot", "/orders/1", 403), ("carol", "/orders/1", 403), ("ada", "/orders/1", 403),
            ("robot", "/-/metrics", 403),
        ] {
            let client = try server.connect()
            let method = target == "/-/metrics" ? "GET" : "DELETE"
            try client.send(
                "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-User: \(user)\r\n\r\n"
            )
            #expect(try client.receiveResponse().status == status, "\(user) \(target)")
        }
        try server.stop()
    }
}
