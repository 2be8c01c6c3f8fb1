import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import MemoryLists
import Synchronization
import TestSupport
import Testing

@Suite("A list in memory that has to be sorted first delays nobody but who asked")
struct MemoryHandoverTests {
    /// Numbers of which somebody is held who reads number 3, until the test lets them go.
    private final class BlockingNumbers: RowController {
        struct Number: Identifiable, Sendable {
            let id: Int
            var half: Int

            init(_ id: Int) {
                self.id = id
                half = id / 2
            }
        }

        let kind = "number"
        let columns = [Column("half", type: .integer)]
        let found: Gate
        let mayGoOn: Gate
        private let isHolding: Atomic<Bool>
        private let written = Atomic(0)

        init(holding: Bool = true) throws {
            found = try Gate()
            mayGoOn = try Gate()
            isHolding = Atomic(holding)
        }

        func hold() { isHolding.store(true, ordering: .sequentiallyConsistent) }

        var writtenCount: Int { written.load(ordering: .sequentiallyConsistent) }

        func write(_ context: Context<Number>, to cells: inout CellBuffer) {
            written.add(1, ordering: .sequentiallyConsistent)
            if context.model.id == 3, isHolding.load(ordering: .sequentiallyConsistent) {
                found.open()
                // Where that takes too long the test fails by what it receives.
                _ = try? mayGoOn.wait()
            }
            cells.append(Int64(context.model.half))
        }

        func revision(of model: Number) -> Int64? { 1 }

        func list(_ name: String, from first: Int, count: Int) throws -> ListDefinition {
            var registry = ControllerRegistry()
            let source = try MemorySource(
                models: (first..<first + count).map { Number($0) },
                using: try registry.register(self),
                schema: try ListSchema(columns: columns, idType: .integer),
                version: ListVersion(epoch: 1, counter: 1)
            )
            return ListDefinition(name, source: source)
        }
    }

    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }

    @Test("a thread sorts it, once for all who ask, and another thread answers the others")
    func sorting() throws {
        let numbers = try BlockingNumbers()
        let lists = [
            try ListDefinition.sampleUsers(), try numbers.list("many", from: 1, count: 5_000),
        ]
        let server = try turnServer(lists, readers: WorkerPool(threads: 12))
        let question = Self.get("/many.json?sort=-half&limit=2")
        let slow = [try server.connect(), try server.connect()]
        for connection in slow { try connection.send(question) }
        #expect(try numbers.found.wait())
        let other = try server.connect()
        for target in ["/-/live", "/users.json?sort=-lastName", "/many/2", "/many/-/schema"] {
            try other.send(Self.get(target))
            #expect(try other.receiveResponse().status == 200, "\(target)")
        }
        numbers.mayGoOn.open()
        for connection in slow {
            let answer = try connection.receiveResponse()
            #expect(answer.status == 200)
            #expect(answer.text.contains(#""cells":{"half":2500}"#), "\(answer.text)")
        }
        // All models once to sort them, one that was asked for, and the rows of two pages.
        #expect(numbers.writtenCount == 5_000 + 1 + 2 * 2)
        try other.send(Self.get("/many.json?sort=-half&limit=1"))
        #expect(try other.receiveResponse().status == 200)
        #expect(numbers.writtenCount == 5_000 + 1 + 2 * 2 + 1)
    }

    @Test("up to 4,096 models are sorted and looked through at once, also with every thread busy")
    func atOnce() throws {
        let numbers = try BlockingNumbers()
        let server = try turnServer(
            [
                numbers.list("held", from: 1, count: 5_000),
                numbers.list("few", from: 4, count: 4_096),
                numbers.list("more", from: 4, count: 4_097),
            ],
            readers: WorkerPool(threads: 1, maximumWaiting: 0)
        )
        let slow = try server.connect()
        try slow.send(Self.get("/held.json?sort=-half"))
        #expect(try numbers.found.wait())
        let other = try server.connect()
        for (question, status) in [
            ("/few.json?sort=-half", 200), ("/more.json?sort=-half", 503), ("/few.csv?half=7", 200),
            ("/more.json?half=7", 503), ("/more/7", 503),
        ] {
            try other.send(Self.get(question))
            #expect(try other.receiveResponse().status == status, "\(question)")
        }
        numbers.mayGoOn.open()
        #expect(try slow.receiveResponse().status == 200)
    }

    @Test("what changes while a followed page is read is told, too")
    func changedMeanwhile() throws {
        let numbers = try BlockingNumbers(holding: false)
        var registry = ControllerRegistry()
        let registration = try registry.register(numbers)
        let models = (1...5_000).map { BlockingNumbers.Number($0) }
        let source = try DataSource(models: models, using: registration)
        let schema = try ListSchema(columns: numbers.columns, idType: .integer)
        let list = DataSourceList(source, schema: schema)
        let server = try turnServer([ListDefinition("many", source: list)])
        func set(_ half: Int) throws {
            var changed = BlockingNumbers.Number(2)
            changed.half = half
            let model = changed
            try source.update { try $0.update(model, using: registration) }
        }
        let client = try Client(of: server)
        let readers = try ["?limit=2", "?sort=-half&limit=1"].map { query in
            let page = try PageReplica(client.get("/many.json\(query)").json())
            let reader = try EventReader(server, page.changes)
            #expect(try reader.next()?.retry == "2000")
            return reader
        }
        numbers.hold()
        try set(10_000)
        #expect(try numbers.found.wait())
        // The other page, which needs no sorting, shows that the loop knows of both changes.
        #expect(try readers[0].nextEvent()?.data.contains("10000") == true)
        try set(20_000)
        #expect(try readers[0].nextEvent()?.data.contains("20000") == true)
        numbers.mayGoOn.open()
        var event = ""
        while !event.contains("20000") { event = try #require(try readers[1].nextEvent()).data }
    }
}
