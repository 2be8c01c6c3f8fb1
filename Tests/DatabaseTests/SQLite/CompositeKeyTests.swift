import Database
import Foundation
import Listings
import SQLite
import TableFiles
import TestSupport
import Testing

@Suite("Keys of several columns of files")
struct CompositeKeyTests {
    private let folder = TemporaryFolder()

    private func write(_ text: String, to name: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a key of several columns joins their texts, as for tables of databases")
    func compositeKey() throws {
        let path = try write("region,n,x\nN,1,a\n\"S,E\",1,b\nN,02,c\n", to: "a.csv")
        let connection = try DatabaseConnection(folder.file("t.db"), access: .readWrite)
        var options = ImportOptions()
        options.key = ["region", "n"]
        let importer = ListImporter(connection, options: options)
        let list = try importer.importFile(at: path, as: "a").list
        #expect(list.columns.map(\.id) == ["region", "n", "x"] && list.idType == .text)
        let rows = try connection.prepare(
            "SELECT group_concat(id, ' ') FROM (SELECT id FROM a ORDER BY rowid)"
        )
        #expect(try rows.step() && rows.text(0) == "N,1 S%2CE,1 N,02")
        let twice = try write("region,n\nN,1\nN,1\n", to: "b.csv")
        let first = FileLocation(line: 2, column: 1)
        let repeated = FileError(
            .duplicateID("N,1", first: first),
            at: FileLocation(line: 3, column: 1)
        )
        #expect(throws: ImportError.refused(path: twice, [repeated])) {
            try importer.importFile(at: twice, as: "b")
        }
        let missing = try write("region,n\nN,\n", to: "c.csv")
        let absent = FileError(.missingID(column: "n"), at: FileLocation(line: 2, column: 3))
        #expect(throws: ImportError.refused(path: missing, [absent])) {
            try importer.importFile(at: missing, as: "c")
        }
    }
}
