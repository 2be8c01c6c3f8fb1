import Foundation
import HTTPServer
import ListAPI
import RosterClient
import RosterProgram
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A client follows a page of a real server")
struct FollowingTests {
    private let server: TestServer
    private let base: URL

    init() throws {
        var configuration = Configuration()
        configuration.allowsAnonymousWrites = true
        var options = ServiceOptions()
        options.writing = .everybody(requiresCondition: false)
        let lists = try ListRegistry(configuration).lists
        server = try TestServer { [options] _ in
            try APIHandler(lists, options: options, isDraining: { false })
        }
        base = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    }

    @Test("stages alone lead to what a fresh load shows")
    func stages() async throws {
        let client = RosterClient(base, patience: 5)
        let address = "/users.json?sort=lastName&limit=500"
        var page = try await client.page(address)
        let first = page
        var ids = page.sections.flatMap { $0.rows.map(\.id) }
        var events = client.events(following: page).makeAsyncIterator()
        var generator = SeededGenerator(seed: 7)
        for step in 0..<40 {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let text = #"{"firstName":"New","lastName":"Name \#(step)","occupation":"Nurse"}"#
                ids.append(try await write("POST", "/users", text))
            case 1:
                let id = ids.remove(at: Int.random(in: ids.indices, using: &generator))
                _ = try await write("DELETE", "/users/\(id)", nil)
            default:
                let id = ids[Int.random(in: ids.indices, using: &generator)]
                _ = try await write("PATCH", "/users/\(id)", #"{"lastName":"Moved \#(step)"}"#)
            }
            let wanted = try await client.page(address)
            while page.sections != wanted.sections {
                switch try #require(await events.next()) {
                case .stage(_, let next): page = next
                case .reloaded: Issue.record("reloaded for one change")
                case .interrupted(let error): Issue.record(error)
                }
            }
        }
        #expect(page.sections != first.sections)
    }

    @Test("a page whose version the server cannot know is loaded again")
    func expired() async throws {
        let client = RosterClient(base, patience: 1)
        let page = try await client.page("/users.json?limit=5")
        // More than half of it changes before the first question.
        for row in page.sections.flatMap(\.rows) {
            _ = try await write("DELETE", "/users/\(row.id)", nil)
        }
        var events = client.events(following: page).makeAsyncIterator()
        guard case .reloaded(let new) = try #require(await events.next()) else {
            Issue.record("not loaded again")
            return
        }
        #expect(new.sections == (try await client.page("/users.json?limit=5")).sections)
    }

    @Test("a refusal says what the server says")
    func refusal() async throws {
        let client = RosterClient(base)
        await #expect(
            throws: RosterError.refused(
                status: 400,
                detail: "A parameter was not understood; nothing was read."
            )
        ) { try await client.page("/users.json?sort=nothing") }
    }

    @Test("asking may be given up at any moment")
    func givingUp() async {
        await #expect(processExitsWith: .success) {
            let client = RosterClient(try FollowingTests().base)
            for _ in 0..<300 {
                let asking = Task { try await client.page("/users.json") }
                asking.cancel()
                _ = try? await asking.value
            }
        }
    }

    /// Writes through the server; the result is the id of a row made.
    private func write(_ method: String, _ path: String, _ content: String?) async throws -> String
    {
        var request = URLRequest(url: base.appending(path: path))
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = content.map { Data($0.utf8) }
        let (answer, _) = try await URLSession.shared.data(for: request)
        guard method == "POST" else { return "" }
        return try JSONDecoder().decode(Made.self, from: answer).row.id
    }

    private struct Made: Decodable {
        struct Row: Decodable { let id: String }
        let row: Row
    }
}
