import Database
import Foundation
import ListAPI
import Roster
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
        try cluster.run(
            """
            CREATE TABLE users (id bigint PRIMARY KEY, "firstName" text, "lastName" text,
                occupation text, email text, city text, joined date, age int, team int)
            """
        )
        try cluster.run("COPY users FROM '\(file.path)' (FORMAT csv, HEADER)")
        try FileManager.default.removeItem(atPath: file.path)
        let columns = [
            #""firstName""#, #""lastName""#, "occupation", "email", "city", "joined", "age", "team",
        ]
        for steps in [#"occupation, "lastName", "firstName""#] + columns {
            try cluster.run("CREATE INDEX ON users (\(steps), id)")
        }
        try cluster.run("VACUUM ANALYZE users")
    }

    var arguments: [String] { [cluster.address()] }

    var summary: String { "PostgreSQL" }

    func makeForgetting() throws -> () throws -> Void {
        // A transaction with a number moves the snapshot.
        { try cluster.run("SELECT txid_current()") }
    }
}
