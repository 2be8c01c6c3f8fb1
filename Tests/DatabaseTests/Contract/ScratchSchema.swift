import Database
import Postgres
import TestSupport
import Testing

struct ScratchSchema {
    let cluster: PostgresCluster
    let name = "s\(UInt64.random(in: 0...UInt64.max))"
    let database: PostgresDatabase

    init() throws {
        cluster = try #require(PostgresCluster.shared)
        try cluster.run("CREATE SCHEMA \(name)")
        database = try .patient(cluster.address(schema: name))
    }

    @discardableResult
    func run(_ sql: String) throws -> String {
        try cluster.run("SET search_path = \(name); \(sql)")
    }
}
