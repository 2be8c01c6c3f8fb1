import Foundation
import HTTP
import Roster
import RosterClient
import RosterProgram
import TestSupport
import Testing

@testable import ListAPI

@Suite("A client reads, writes and follows the lists of a program")
struct ProgramTests {
    private struct Book: Identifiable, Codable, Sendable, Equatable {
        let id: Int
        var title: String
        var tags: [String] = []
        var size = Size(width: 1, pages: [2, 3])
        var isbn: Int?
        var added: Date?
    }

    private struct Size: Codable, Sendable, Equatable {
        var width: Double
        var pages: [Int]
    }

    private struct Reminder: ActionInput {
        var days: Int
    }

    private struct Shelf: ListApp {
        let books = Models<Book>()
        var hasSizes = true

        var lists: some Lists {
            List("books", live: books) {
                Column(\.title).editable()
                Column(\.tags)
                Column(\.isbn)
                Column(\.added)
                if hasSizes { Column(\.size) }
            }
            .onCreate { draft in Book(id: 9, title: try draft[\.title]) }
            .onUpdate { _ in }
            .onDelete { _ in }
            .action("remind", input: Reminder.self) { book, input, _ in
                .done(message: "\(book.title) in \(input.days) days")
            }
        }

        /// Serves until the body has ended.
        func serving(
            port: UInt16 = 0,
            _ body: @escaping @Sendable (UInt16) async throws -> Void
        ) async throws {
            try await run(host: "127.0.0.1", port: port, handlesSignals: false) { running in
                Task {
                    defer { running.stop() }
                    do { try await body(UInt16(running.port)) } catch { Issue.record(error) }
                }
            }
        }
    }

    private static func client(_ port: UInt16, _ path: String = "") throws -> RosterClient {
        RosterClient(try #require(URL(string: "http://127.0.0.1:\(port)\(path)")), patience: 1)
    }

    private static let books = [
        Book(
            id: 1,
            title: "A",
            tags: ["x", "y"],
            isbn: 9_080_306_406_157_000_001,
            added: Date(timeIntervalSince1970: 1_000)
        ), Book(id: 2, title: "B"), Book(id: 3, title: "C"),
    ]

    @Test("values of arrays and objects are read, and rows are models again")
    func models() async throws {
        let shelf = Shelf()
        shelf.books.update { $0 = Self.books }
        try await shelf.serving { port in
            let page = try await Self.client(port).page("/books.json")
            let row = try #require(page.rows.first)
            #expect(row.cells["tags"] == .array([.text("x"), .text("y")]))
            #expect(row.text("size") == #"{"pages":[2,3],"width":1}"#)
            #expect(try page.rows.map { try $0.decode() } == Self.books)
            #expect(throws: DecodingError.self) { try row.decode(as: [String: Int].self) }
        }
    }

    @Test("pages follow each other to the last one, also after a change")
    func pages() async throws {
        let shelf = Shelf()
        shelf.books.update { $0 = Self.books }
        try await shelf.serving { port in
            let client = try Self.client(port)
            var page = try await client.page("/books.json?limit=2")
            let next = try #require(try await client.page(after: page))
            #expect(next.rows.map(\.id) == ["3"])
            #expect(try await client.page(after: next) == nil)
            var events = client.events(following: page).makeAsyncIterator()
            shelf.books.update { $0.swapAt(1, 2) }
            let version = page.version
            while page.version == version {
                guard case .stage(_, let new) = try #require(await events.next()) else { continue }
                page = new
            }
            #expect(try await client.page(after: page)?.rows.map(\.id) == ["2"])
        }
    }

    @Test("rows are created, changed and deleted, unless another client was first")
    func writes() async throws {
        let shelf = Shelf()
        try await shelf.serving { port in
            let client = try Self.client(port)
            let made = try await client.create(["title": "New"], in: "/books")
            #expect(made.id == "9")
            let changed = try await client.update(made, with: ["title": RosterValue.text("Old")])
            #expect(changed.text("title") == "Old")
            func isOutdated(_ error: any Error) -> Bool {
                guard case RosterError.refused(412, _) = error else { return false }
                return true
            }
            await #expect {
                _ = try await client.update(made, with: ["title": "Late"])
            } throws: { isOutdated($0) }
            await #expect { try await client.delete(made) } throws: { isOutdated($0) }
            let outcome = try await client.perform("remind", on: changed, with: ["days": 3])
            #expect(outcome.message == "Old in 3 days")
            try await client.delete(changed)
            #expect(shelf.books.all.isEmpty)
        }
    }

    @Test("following goes on after a restart, also with other columns", arguments: [true, false])
    func restart(hasSizes: Bool) async throws {
        let first = Shelf()
        first.books.update { $0 = Self.books }
        let (pages, continuation) = AsyncStream.makeStream(of: (UInt16, RosterPage).self)
        try await first.serving { port in
            continuation.yield((port, try await Self.client(port).page("/books.json")))
        }
        let (port, old) = try #require(await pages.first { _ in true })
        let events = try Self.client(port).events(following: old)
        var second = Shelf()
        second.hasSizes = hasSizes
        second.books.update { $0 = [Book(id: 1, title: "A")] + Self.books.dropFirst() }
        try await second.serving(port: port) { port in
            let new = try await Self.client(port).page("/books.json")
            var isReloaded = false
            var page = old
            for try await event in events {
                switch event {
                case .stage(_, let next): page = next
                case .reloaded(let next): (page, isReloaded) = (next, true)
                case .interrupted: break
                }
                if page.sections == new.sections { break }
            }
            #expect(isReloaded == !hasSizes)
        }
    }

    @Test("a base with a path precedes addresses, but not links, which have it")
    func basePath() async throws {
        var settings = Middleware.Settings()
        settings.basePath = try #require(BasePath("/lists"))
        let lists = try ListRegistry(Configuration()).lists
        let server = try TestServer { [settings] _ in
            Middleware(try APIHandler(lists, isDraining: { false }), settings)
        }
        let client = try Self.client(server.port, "/lists/")
        let page = try await client.page("/users.json?limit=5")
        #expect(page.address.hasPrefix("/lists/users.json"))
        #expect(try await client.page(page.address) == page)
        let next = try #require(try await client.page(after: page))
        #expect(next.rows.count == 5)
        #expect(Set(next.rows.map(\.id)).isDisjoint(with: page.rows.map(\.id)))
        let change = try #require(page.changesAddress)
        #expect(change.hasPrefix("/lists/users/"))
        await #expect(throws: RosterError.self) { try await client.page(change) }
    }
}
