import Database
import Foundation
import HTTPServer
import ListAPI
import Listings
import Postgres
import SQLite
import Synchronization
import TestSupport

/// A table of many rows in which one has to be looked for; whoever has found it is held until the
/// test lets them go.
///
/// Looking takes more than a turn: 20,000 texts.
final class BlockingTable: Sendable {
    static let question = "/people.json?name__contains=needle"

    let found: Gate
    let mayGoOn: Gate
    let shown = Atomic(0)
    private let folder: ScratchFolder
    private let location: DatabaseLocation

    init() throws {
        found = try Gate()
        mayGoOn = try Gate()
        folder = try ScratchFolder()
        location = .file(Array("\(folder.path)/people.db".utf8))
        try write(
            """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO people WITH RECURSIVE n(x) AS
                (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
            SELECT x, 'p' || x FROM n;
            INSERT INTO people VALUES (20001, 'needle')
            """
        )
    }

    /// Changes the table, an hour ago: what was written just now may be written again unnoticed, and
    /// is kept by nobody.
    func write(_ sql: String) throws {
        try DatabaseConnection(location, access: .readWrite).execute(sql)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: "\(folder.path)/people.db"
        )
    }

    func list() throws -> ListDefinition {
        let table = try ForeignCatalog(location).lists[0]
        var registry = ControllerRegistry()
        let records = RecordController(list: "people", columns: table.columns)
        let source = TableSource(
            location: location,
            table: table.table,
            schema: try ListSchema(columns: table.columns, idType: table.table.idType),
            registration: try registry.register(BlockingController(records: records, table: self)),
            budgets: ReadingBudgets(rows: .seconds(60), counts: .seconds(60))
        )
        return ListDefinition("people", source: source)
    }

    private struct BlockingController: RowController {
        let records: RecordController
        let table: BlockingTable

        var kind: String { records.kind }
        var columns: [Column] { records.columns }

        func write(_ context: Context<Record>, to cells: inout CellBuffer) {
            table.shown.add(1, ordering: .sequentiallyConsistent)
            if context.model.text(1) == "needle" {
                table.found.open()
                // Where that takes too long the test fails by what it receives.
                _ = try? table.mayGoOn.wait()
            }
            records.write(context, to: &cells)
        }

        func revision(of model: Record) -> Int64? { records.revision(of: model) }
    }

    var shownCount: Int { shown.load(ordering: .sequentiallyConsistent) }
}

/// A table whose rows have no end, so that only a deadline or a cancellation ends a search.
final class EndlessTable: Sendable {
    private let folder: ScratchFolder
    private let location: DatabaseLocation

    init() throws {
        folder = try ScratchFolder()
        location = .file(Array("\(folder.path)/numbers.db".utf8))
    }

    /// The list `numbers`, which is described before its rows have no end.
    func list() throws -> ListDefinition {
        let connection = try DatabaseConnection(location, access: .readWrite)
        try connection.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, name TEXT)")
        let table = try ForeignCatalog(location).lists[0]
        try connection.execute(
            """
            DROP TABLE numbers;
            CREATE VIEW numbers AS WITH RECURSIVE n(x) AS
                (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, 'p' || x AS name FROM n
            """
        )
        var registry = ControllerRegistry()
        let source = TableSource(
            location: location,
            table: table.table,
            schema: try ListSchema(columns: table.columns, idType: table.table.idType),
            registration: try registry.register(
                RecordController(list: "numbers", columns: table.columns)
            ),
            budgets: ReadingBudgets(rows: .seconds(3_000), attempt: .seconds(3_000))
        )
        return ListDefinition("numbers", source: source)
    }
}

/// A server of one loop, whose workers read tables.
func turnServer(
    _ lists: [ListDefinition],
    readers: WorkerPool = WorkerPool(threads: 8),
    longestReadWait: Duration = .seconds(60),
    writers: WorkerPool = WorkerPool(threads: 2),
    maximumWritingBytes: Int = 1 << 20,
    _ change: (inout ServiceOptions) -> Void = { _ in },
    configure: (inout HTTPServer.Configuration) -> Void = { _ in }
) throws -> TestServer {
    let state = HTTPServerState()
    var options = ServiceOptions()
    options.pageCacheBytes = 1 << 20
    change(&options)
    let shared = options
    let workers = ServiceWorkers(
        readers,
        longestReadWait: longestReadWait,
        writers: writers,
        maximumWritingBytes: maximumWritingBytes
    )
    return try TestServer {
        $0.state = state
        configure(&$0)
    } makeHandler: { _ in
        Middleware(
            try APIHandler(lists, options: shared, isDraining: { state.isDraining }),
            workers: workers
        )
    }
}
