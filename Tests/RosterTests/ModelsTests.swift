import Foundation
import Roster
import Testing

@Suite("Models that a program and its clients change together")
struct ModelsTests {
    private struct Counter: Identifiable, Sendable {
        let id: Int
        var value = 0
    }

    private struct Counters: ListApp {
        static let count = 50
        let counters = Models((1...count).map { Counter(id: $0) })

        var lists: some Lists {
            List("counters", live: counters) { Column(\.value).editable() }
                .movable()
                .action("raise") { counter, _ in
                    await Task.yield()
                    return .updated(Counter(id: counter.id, value: counter.value + 1))
                }
                .action("drop") { _, _ in .removed() }
                .onCreate { draft in Counter(id: 1_000 + (try draft[\.value])) }
                .onUpdate { _ in await Task.yield() }
                .onDelete { _ in }
        }
    }

    private func whileChanging(
        _ counters: Models<Counter>,
        _ body: () async throws -> Void
    ) async throws {
        let program = Task.detached {
            var number = 10_000
            while !Task.isCancelled {
                number += 1
                let inserted = Counter(id: number)
                counters.update { $0.insert(inserted, at: 0) }
                await Task.yield()
                counters.update { $0.removeAll { $0.id == inserted.id } }
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        program.cancel()
        await program.value
        try result.get()
    }

    /// Sends requests of 8 clients, each its numbers one after the other.
    private func clients(
        _ numbers: Int,
        _ send: @escaping @Sendable (_ client: Int, _ number: Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask { for number in 0..<numbers { try await send(client, number) } }
            }
            try await group.waitForAll()
        }
    }

    @Test("every acknowledged action of 8 clients is there while the program changes other rows")
    func actions() async throws {
        let app = Counters()
        try await app.test { client in
            try await whileChanging(app.counters) {
                try await clients(25) { number, round in
                    let row = (number * 7 + round) % Counters.count + 1
                    let answer = try await client.post("/counters/\(row)/-/raise")
                    #expect(answer.status == 200, "\(answer.body)")
                }
            }
            #expect(app.counters.all.map(\.id) == Array(1...Counters.count))
            #expect(app.counters.all.reduce(0) { $0 + $1.value } == 200)
            #expect(try await client.get("/counters/8").rows[0].cells["value"] == "5")
        }
    }

    @Test("every row that 8 clients create, change, move and delete is there or gone")
    func edits() async throws {
        let app = Counters()
        try await app.test { client in
            try await whileChanging(app.counters) {
                try await clients(8) { number, round in
                    let id = number * 100 + round
                    let made = try await client.post("/counters", json: #"{"value":\#(id)}"#)
                    #expect(made.status == 201, "\(made.body)")
                    let row = "/counters/\(1_000 + id)"
                    let moved = try await client.post("\(row)/-/move", json: #"{"step":"up"}"#)
                    #expect(moved.status == 200, "\(moved.body)")
                    let fields = ["Content-Type": "application/merge-patch+json"]
                    let json = #"{"value":7}"#
                    let changed = try await client.send("PATCH", row, fields: fields, json: json)
                    #expect(changed.status == 200, "\(changed.body)")
                    guard round % 2 == 0 else { return }
                    let gone =
                        round % 4 == 0
                        ? try await client.send("DELETE", row)
                        : try await client.post("\(row)/-/drop")
                    #expect([200, 204].contains(gone.status), "\(gone.body)")
                }
            }
        }
        let made = app.counters.all.filter { $0.id > Counters.count }
        let expected = (0..<8).flatMap { client in
            (0..<8).filter { $0 % 2 == 1 }.map { 1_000 + client * 100 + $0 }
        }
        #expect(made.map(\.id).sorted() == expected)
        #expect(made.allSatisfy { $0.value == 7 })
        #expect(app.counters.all.count == Counters.count + made.count)
    }

    private actor Store {
        var count = 0
        func set(_ count: Int) { self.count = count }
    }

    private struct Stored: ListApp {
        let store = Store()

        var lists: some Lists {
            List("counters") {
                [Counter(id: 1, value: await store.count)]
            } columns: {
                Column(\.value).editable()
            }
            .onUpdate { counter in
                await Task.yield()
                await store.set(counter.value)
            }
            .action(
                "raise",
                when: { $0.value < 40 },
                perform: { counter, _ in
                    await Task.yield()
                    await store.set(counter.value + 1)
                    return .done()
                }
            )
        }
    }

    @Test("actions of a row run one after the other, each with what the one before has stored")
    func stored() async throws {
        let app = Stored()
        try await app.test { client in
            #expect(try await client.get("/counters").rows.count == 1)
            try await clients(5) { _, _ in
                let answer = try await client.post("/counters/1/-/raise")
                #expect(answer.status == 200, "\(answer.body)")
            }
            #expect(await app.store.count == 40)
            #expect(try await client.post("/counters/1/-/raise").status == 404)
        }
    }

    @Test("an update returns a value, throws, and reads the models as they were")
    func updates() throws {
        struct Full: Error {}
        let models = Models([1, 2])
        let last = models.update { all in
            all.append(3)
            #expect(models.all == [1, 2])
            return all.count
        }
        #expect(last == 3)
        #expect(throws: Full.self) {
            try models.update { all in
                all = []
                throw Full()
            }
        }
        #expect(models.all == [1, 2, 3])
    }

    @Test("an update inside an update of the same models stops the program, and does not hang")
    func nested() async {
        await #expect(processExitsWith: .failure) {
            let models = Models([1])
            models.update { _ in models.update { $0.append(2) } }
        }
    }

    private struct Loaded: ListApp {
        let live = Models([Counter(id: 1)])

        var lists: some Lists {
            List("live", live: live) { Column(\.value) }.action("raise") { _, _ in .done() }
            List("loaded") {
                live.all
            } columns: {
                Column(\.value)
            }
        }
    }

    @Test("two models of one id make their list unavailable until one of them is gone")
    func duplicates() async throws {
        let app = Loaded()
        try await app.test { client in
            for _ in 1...2 {
                app.live.update { $0.insert(Counter(id: 1, value: 9), at: 0) }
                for list in ["/live", "/live/1", "/loaded", "/loaded?sort=value"] {
                    #expect(try await client.get(list).status == 503, "\(list)")
                }
                #expect(try await client.post("/live/1/-/raise").status == 503)
                app.live.update { $0.removeFirst() }
                for list in ["/live", "/loaded"] {
                    #expect(try await client.get(list).rows.map(\.id) == ["1"], "\(list)")
                }
            }
            let raised = try await client.post("/live/1/-/raise")
            #expect(raised.status == 200)
        }
    }

    private struct Registry: ListApp {
        let counters = Models([Counter(id: 1)])

        var lists: some Lists {
            List("counters", live: counters) { Column(\.value).editable() }
                .onCreate { draft in
                    let counter = Counter(id: try draft[\.value])
                    if counter.id % 2 == 0 { counters.update { $0.append(counter) } }
                    return counter
                }
        }
    }

    @Test("a model that its closure has added is there once, and a taken id is refused")
    func creations() async throws {
        let app = Registry()
        try await app.test { client in
            for id in 2...5 {
                let made = try await client.post("/counters", json: #"{"value":\#(id)}"#)
                #expect(made.status == 201)
                #expect(made.rows.first?.id == "\(id)")
            }
            let taken = try await client.post("/counters", json: #"{"value":3}"#)
            #expect(taken.status == 409)
            #expect(taken.body.contains("The id '3' is taken."), "\(taken.body)")
            #expect(app.counters.all.map(\.id) == [1, 2, 3, 4, 5])
        }
    }

    private struct Named: Identifiable, Sendable {
        var id: String
    }

    @Test("a client that gives a row the id of another is refused, and the list stays")
    func changedIDs() async throws {
        struct App: ListApp {
            let names = Models([Named(id: "a"), Named(id: "b")])

            var lists: some Lists {
                List("names", live: names) { Column("name", \.id).editable() }.onUpdate { _ in }
            }
        }
        let app = App()
        try await app.test { client in
            let fields = ["Content-Type": "application/merge-patch+json"]
            func rename(_ name: String) async throws -> TestResponse {
                let json = #"{"name":"\#(name)"}"#
                return try await client.send("PATCH", "/names/a", fields: fields, json: json)
            }
            #expect(try await rename("b").status == 409)
            let renamed = try await rename("c")
            #expect(renamed.status == 200 && renamed.rows.first?.id == "c", "\(renamed.body)")
            #expect(app.names.all.map(\.id) == ["c", "b"])
        }
    }

    private struct Picture: Identifiable, Sendable {
        struct Code: Codable {
            let text: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
            init(text: String) { self.text = text }
            init(from decoder: any Decoder) throws {
                text = try decoder.singleValueContainer().decode(String.self)
            }
        }

        let id: Int
        var data: Data
        var code: Code
        var size: [Int]?
    }

    @Test("values that encode as one text are JSON, and are written as they are read")
    func texts() async throws {
        struct App: ListApp {
            let pictures = Models([
                Picture(id: 1, data: Data([1, 2, 3]), code: .init(text: "a/\"b"), size: nil)
            ])

            var lists: some Lists {
                List("pictures", live: pictures) {
                    Column(\.data).editable()
                    Column(\.code).editable()
                    Column(\.size)
                }
                .onUpdate { _ in }
            }
        }
        let app = App()
        try await app.test { client in
            let body = try await client.get("/pictures/1").body
            #expect(
                body.contains(#""cells":{"data":"AQID","code":"a/\"b","size":null}"#),
                "\(body)"
            )
            #expect(try await client.get("/pictures", accept: "text/html").body.contains("AQID"))
            let changed = try await client.send(
                "PATCH",
                "/pictures/1",
                fields: ["Content-Type": "application/merge-patch+json"],
                json: #"{"data":"BAU=","code":"c"}"#
            )
            #expect(changed.status == 200, "\(changed.body)")
            #expect(app.pictures.all[0].data == Data([4, 5]))
            #expect(app.pictures.all[0].code.text == "c")
        }
    }
}
