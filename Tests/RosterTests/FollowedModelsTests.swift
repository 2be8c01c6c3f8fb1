import Foundation
import Roster
import TestSupport
import Testing

@Suite("Clients page and follow the models of a program")
struct FollowedModelsTests {
    private struct Note: Identifiable, Sendable {
        let id: Int
        var text: String
    }

    private struct App: ListApp {
        var all: ListSet

        var lists: some Lists { all }
    }

    private static func set(@ListBuilder _ lists: () -> ListSet) -> ListSet { lists() }

    private struct Page: Decodable {
        struct Links: Decodable { let next: String?, prev: String?, changes: String? }
        let links: Links
    }

    @Test("pages follow each other while the models are loaded again, or change")
    func cursors() async throws {
        let all = (0..<300).map { Note(id: $0, text: "n\($0)") }
        let live = Models(all)
        let lists = Self.set {
            List("loaded") {
                all
            } columns: {
                Column(\.text)
            }
            List("live", live: live) { Column(\.text) }
            List("mixed", mixed: { all }) { Row(Note.self) { Column(\.text) } }
        }
        try await App(all: lists).test { client in
            for list in ["loaded", "mixed", "live"] {
                let table = try await client.get("/\(list).csv").body
                #expect(table.split(whereSeparator: \.isNewline).count == 301, "\(list)")
                var (target, texts): (String?, [String]) = ("/\(list)?limit=70", [])
                while let address = target, texts.count <= 300 {
                    let page = try await client.get(address)
                    texts += page.rows.compactMap { $0.cells["text"] }
                    target = try page.decode(Page.self).links.next
                }
                #expect(texts == all.map(\.text), "\(list)")
            }
            let first = try await client.get("/live?limit=10").decode(Page.self)
            let next = try #require(first.links.next)
            for change in [
                { (notes: inout [Note]) in notes[20].text = "changed" },
                { $0.insert(Note(id: 900, text: "new"), at: 3) },
                { $0.remove(at: 5) },
                { $0.swapAt(200, 210) },
                {
                    $0.shuffle()
                    $0.sort { $0.id < $1.id }
                },
            ] {
                live.update { change(&$0) }
                #expect(try await client.get(next).rows.first?.id == "10")
            }
            // A cursor lies where its row was.
            live.update { $0.removeAll { (5..<12).contains($0.id) } }
            #expect(try await client.get(next).rows.first?.id == "12")
        }
    }

    private struct Named: ListApp {
        let tasks = Models([Note(id: 1, text: "a"), Note(id: 2, text: "b")])

        var authentication: Authentication? {
            Authentication { request in
                request.field("X-User").map { Caller($0, scopes: [.write("tasks")]) }
            }
        }

        var lists: some Lists {
            List("tasks", live: tasks) {
                Column(\.text)
                Column("me") { _ in Caller.currentName ?? "nobody" }
            }
        }
    }

    @Test("a followed page is rendered for its caller")
    func following() async throws {
        let app = Named()
        try await app.serving { port in
            let follower = try RawConnection(port: port)
            func request(_ target: String, _ accept: String) -> String {
                "GET \(target) HTTP/1.1\r\nHost: localhost\r\nX-User: bob\r\n"
                    + "Accept: \(accept)\r\n\r\n"
            }
            try follower.send(request("/tasks", "application/json"))
            let page = try follower.receiveResponse()
            let changes = try JSONDecoder().decode(Page.self, from: Data(page.body)).links.changes
            try follower.send(request(try #require(changes), "text/event-stream"))
            _ = try follower.receive {
                String(decoding: $0, as: UTF8.self).contains("\n\n") ? 1 : nil
            }
            app.tasks.update { $0[0].text = "Changed" }
            let event = try follower.receive { bytes in
                String(decoding: bytes, as: UTF8.self).contains("Changed") ? bytes.count : nil
            }
            let text = String(decoding: event, as: UTF8.self)
            #expect(text.contains("bob") && !text.contains("nobody"), "\(text)")
        }
    }
}
