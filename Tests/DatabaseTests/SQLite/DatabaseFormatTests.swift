import Database
import Listings
import SQLite
import TableFiles
import TestSupport
import Testing

@Suite("The format of Roster's own database files")
struct DatabaseFormatTests {
    private let folder = TemporaryFolder()

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

    @Test("a file of another format is refused, also for reading", arguments: [-1, 1] as [Int64])
    func otherFormats(distance: Int64) throws {
        let connection = try makeFile("other.db")
        let other = DatabaseFormat.current + distance
        try connection.execute("PRAGMA user_version = \(other)")
        for access in [DatabaseAccess.readOnly, .readWrite] {
            #expect(throws: SQLiteError.unknownFormat(other)) {
                _ = try DatabaseConnection(folder.file("other.db"), access: access)
            }
        }
        // Another program counts its own versions.
        try connection.execute("PRAGMA application_id = 0")
        #expect(try ForeignCatalog(folder.file("other.db")).stored.map(\.name) == ["people"])
    }

    @Test("a catalog of another format is refused among tables of other programs")
    func otherCatalogs() throws {
        let connection = try makeFile("theirs.db", besides: "CREATE TABLE theirs (a)")
        try connection.execute("UPDATE roster_lists SET format = 2")
        #expect(throws: SQLiteError.unknownFormat(2)) { try ListCatalog.lists(in: connection) }
        try connection.execute("ALTER TABLE roster_lists DROP COLUMN format")
        #expect(throws: SQLiteError.unknownFormat(0)) { try ListCatalog.lists(in: connection) }
    }
}
