import Listings
import SQLite
import TestSupport
import Testing

@testable import Postgres

struct ConcurrentWriter: Sendable {
    enum Location: Sendable {
        case sqlite(DatabaseLocation)
        case postgres(PostgresAddress)
    }

    /// The greatest number of changes, for a reader that never ends.
    private static let maximumChanges = 1_000_000

    let location: Location
    let idType: ColumnType

    /// Changes rows until that is over; none of those that the list began with.
    func writeAtRandom(
        using random: inout SeededGenerator,
        until isOver: () -> Bool
    ) throws -> Int {
        let write = try writer()
        var there: Set<Int64> = []
        var changes = 0
        repeat {
            // Ids before, between and behind those of the others.
            let number = Int64.random(in: 0..<40, using: &random) * 251 - 2500
            let id: CellValue =
                idType == .integer ? .integer(number * 3 + 20_001) : .text("q\(number)")
            if there.contains(number), random.chance(50) {
                there.remove(number)
                try write("DELETE FROM people WHERE id = ?1", [id])
            } else if there.contains(number) {
                try write(
                    """
                    UPDATE people SET name = ?2, city = ?3, age = ?4, score = ?5, active = ?6,
                    born = ?7 WHERE id = ?1
                    """,
                    [id] + ListFixture.values(using: &random)
                )
            } else {
                there.insert(number)
                try write(
                    "\(ListFixture.insertion) VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    [id] + ListFixture.values(using: &random)
                )
            }
            changes += 1
        } while !isOver() && changes < Self.maximumChanges
        return changes
    }

    private func writer() throws -> (String, [CellValue]) throws -> Void {
        switch location {
        case .sqlite(let location):
            let connection = try DatabaseConnection(
                location,
                access: .readWrite,
                busyTimeout: .seconds(60)
            )
            try connection.execute("PRAGMA synchronous = OFF")
            return { sql, values in
                try connection.transaction(.writing) { () throws(SQLiteError) in
                    let statement = try connection.statement(sql)
                    for (index, value) in values.enumerated() {
                        try statement.bind(index + 1, value)
                    }
                    try statement.run()
                    try connection.execute("UPDATE roster_lists SET counter = counter + 1")
                }
            }
        case .postgres(let address):
            let connection = try PostgresConnection(address, timeout: .seconds(60))
            let end = ContinuousClock.now + .seconds(600)
            return { sql, values in
                _ = try connection.run(
                    sql.replacing("?", with: "$"),
                    try values.map { try $0.parameter() },
                    until: end
                )
            }
        }
    }
}
