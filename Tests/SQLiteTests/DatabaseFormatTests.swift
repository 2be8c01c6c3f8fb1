import Database
import Listings
import SQLite
import TableFiles
import TestSupport
import Testing

@Suite("The format of Roster's own database files")
struct DatabaseFormatTests {
    private let folder = TemporaryFolder()

    /// A file with a list of two people.
    private func makeFile(_ name: String, besides sql: String = "") throws -> DatabaseConnection {
        let connection = try DatabaseConnection(folder.file(name), access: .readWrite)
        try connection.execute(sql)
        try ListImporter(connection).importText("id,name\n1,Ada\n2,Åsa\n", .csv, as: "people")
        return connection
    }

    private func numbers(_ connection: DatabaseConnection) throws -> [Int64] {
        try ["application_id", "user_version"].map { name in
            let statement = try connection.prepare("PRAGMA \(name)")
            #expect(try statement.step())
            return statement.integer(0)
        }
    }

    @Test("an import marks a file of Roster alone, and keeps the numbers of other programs")
    func marks() throws {
        let own: [Int64] = [DatabaseFormat.applicationID, DatabaseFormat.current]
        #expect(try numbers(makeFile("own.db")) == own)
        #expect(DatabaseFormat.applicationID == 1_383_298_162)
        for (number, sql) in ["CREATE TABLE theirs (a)", "CREATE VIEW theirs AS SELECT 1"]
            .enumerated()
        {
            #expect(try numbers(makeFile("theirs\(number).db", besides: sql)) == [0, 0])
        }
        let version = try makeFile("version.db", besides: "PRAGMA user_version = 7")
        #expect(try numbers(version) == [0, 7])
        let other = try makeFile("other.db", besides: "PRAGMA application_id = 5")
        #expect(try numbers(other) == [5, 0])
    }

    @Test(
        "a file of Roster 0.1.0 is brought to the current format",
        arguments: ["", "ALTER TABLE roster_columns DROP COLUMN storage;"]
    )
    func migration(further: String) throws {
        let connection = try makeFile("old.db")
        try connection.execute("PRAGMA application_id = 0; PRAGMA user_version = 0; \(further)")
        let before = try ListCatalog.lists(in: connection)
        try DatabaseFormat.migrate(connection)
        #expect(
            try numbers(connection) == [DatabaseFormat.applicationID, DatabaseFormat.current]
        )
        #expect(try ListCatalog.lists(in: connection) == before)
        // A second start changes nothing.
        try DatabaseFormat.migrate(connection)
        let empty = try DatabaseConnection(folder.file("empty.db"), access: .readWrite)
        try DatabaseFormat.migrate(empty)
        #expect(try numbers(empty) == [0, 0])
    }

    @Test("a file of a newer format is refused, also for reading, until its number is known")
    func newerFormat() throws {
        let connection = try makeFile("new.db")
        let newer = DatabaseFormat.current + 1
        try connection.execute("PRAGMA user_version = \(newer)")
        for access in [DatabaseAccess.readOnly, .readWrite] {
            #expect(throws: SQLiteError.newerFormat(newer)) {
                _ = try DatabaseConnection(folder.file("new.db"), access: access)
            }
        }
        // Another program counts its own versions.
        try connection.execute("PRAGMA application_id = 0")
        #expect(try ForeignCatalog(folder.file("new.db")).stored.map(\.name) == ["people"])
    }
}
