import Database
import Foundation
import ListAPI
import RosterProgram
import TestSupport

/// The same users in a PostgreSQL of its own, with the indexes that an import into SQLite makes.
///
/// It ends with this process, and its files go.
struct PeopleCluster: People {
    private let cluster: PostgresCluster
    let source: TableSource

    init(rows: Int) throws {
        guard let cluster = PostgresCluster() else { fatalError("PostgreSQL is not installed") }
        self.cluster = cluster
        try PeopleDatabase.timed("\(rows) rows copied and indexed", rows: rows) {
            try Self.fill(cluster, rows: rows)
        }
        var configuration = Configuration()
        configuration.sources = [try SourceArgument(cluster.address())]
        source = try Self.source(of: configuration)
    }

    private static func fill(_ cluster: PostgresCluster, rows: Int) throws {
        let file = PeopleFile(path: cluster.folder + "/users.csv", rows: rows)
        try file.write { tell("writing: \($0 * 100 / rows) %") }
        try cluster.run("CREATE TABLE users (\(columns))")
        try cluster.run("COPY users FROM '\(file.path)' (FORMAT csv, HEADER)")
        try FileManager.default.removeItem(atPath: file.path)
        let indexed = [
            #""firstName""#, #""lastName""#, "occupation", "email", "city", "joined", "age", "team",
        ]
        for steps in [#"occupation, "lastName", "firstName""#] + indexed {
            try cluster.run("CREATE INDEX ON users (\(steps), id)")
        }
        try cluster.run("VACUUM ANALYZE users")
    }

    private static let columns = """
        id bigint PRIMARY KEY, "firstName" text, "lastName" text, occupation text, email text,
        city text, joined date, age int, team int
        """

    /// Loads one file into two tables: by psql's `\copy`, and by an import of the program.
    ///
    /// The result are both times in seconds.
    func load(rows: Int, by program: String) throws -> (copied: Double, imported: Double) {
        let file = PeopleFile(path: cluster.folder + "/load.csv", rows: rows)
        try file.write { tell("writing: \($0 * 100 / rows) %") }
        defer { try? FileManager.default.removeItem(atPath: file.path) }
        try cluster.run(
            "CREATE TABLE copied (\(Self.columns)); CREATE TABLE imported (\(Self.columns))"
        )
        let options = ["--only", "imported", "--allow-anonymous-writes"]
        let running = try RunningProgram(program, arguments + options)
        func seconds(_ body: () throws -> Void) rethrows -> Double {
            let start = ContinuousClock.now
            try body()
            return (ContinuousClock.now - start) / .seconds(1)
        }
        let copied = try seconds {
            _ = try cluster.run(#"\copy copied FROM '\#(file.path)' (FORMAT csv, HEADER)"#)
        }
        return (copied, try seconds { try running.importFile(file.path, into: "imported") })
    }

    var arguments: [String] { [cluster.address()] }

    var summary: String { "PostgreSQL" }

    func makeForgetting() throws -> () throws -> Void {
        // A transaction with a number moves the snapshot.
        { try cluster.run("SELECT txid_current()") }
    }
}
