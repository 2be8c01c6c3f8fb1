import Foundation
import Listings
import Locks
import TableFiles
import Testing

@testable import SQLite

@Suite("Edits are written to the file of their list")
struct FileSaverTests {
    private let folder = TemporaryFolder()

    @Test("a file that changes while it is imported again is imported once more")
    func changedWhileImported() throws {
        let location = folder.file("w.db")
        let path = folder.path + "/people.csv"
        @Sendable func put(_ names: String...) throws {
            let rows = names.enumerated().map { "\($0.offset + 1),\($0.element)\n" }
            try ("id,name\n" + rows.joined()).write(toFile: path, atomically: true, encoding: .utf8)
        }
        try put("Ada")
        let table = try SourceContents(.path(path), options: ImportOptions()).onlyTable()
        let importFile = { @Sendable () throws(ImportError) in
            let connection = try ImportError.ofDatabase { () throws(SQLiteError) in
                try DatabaseConnection(location, access: .readWrite)
            }
            return try ListImporter(connection).importTable(table, as: "people").changesColumns
        }
        _ = try importFile()
        let imports = Locked(0)
        let saver = FileSaver(table, as: "people", maximumBytes: 1 << 20) {
            () throws(ImportError) in
            let isOther = try importFile()
            let count = imports.withLock { count in
                count += 1
                return count
            }
            // Another program is faster than the reading of the form of the file.
            if count == 1 {
                do { try put("Ada", "Bob", "Cleo") } catch { Issue.record(error) }
            }
            return isOther
        }
        try saver.prepare()
        let fixture = try WritingFixture(opening: location, saver: saver)
        try put("Ada", "Bob")
        _ = try fixture.write(.merge, "1", ["name": .text("Ann")])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "id,name\n1,Ann\n2,Bob\n3,Cleo\n")
        #expect(imports.withLock { $0 } == 2)
    }
}
