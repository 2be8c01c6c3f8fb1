import TestSupport
import Testing

@testable import Postgres

@Suite("Prepared statements of a session", .needsPostgres)
struct PostgresPreparedStatementTests {
    @Test("a name that the server has already stops no later statement")
    func takenNames() throws {
        let cluster = try #require(PostgresCluster.shared)
        let address = try #require(PostgresAddress(cluster.address()))
        let connection = try PostgresConnection(address, timeout: .seconds(60))
        let end = ContinuousClock.now + .seconds(600)
        // As after preparations that took place although they were cancelled.
        let taken = (0..<10).map { "PREPARE roster_\($0) AS SELECT 1" }
        _ = try connection.execute(taken.joined(separator: ";"), until: end)
        var refused = 0
        for number in 0..<20 {
            do throws(PostgresError) {
                let found = try connection.run("SELECT \(number)", until: end)
                #expect(found.text(0, 0) == "\(number)")
            } catch {
                refused += 1
            }
        }
        #expect(refused <= taken.count, "\(refused) statements were refused")
        _ = try connection.run("SELECT 'last'", until: end)
    }
}
