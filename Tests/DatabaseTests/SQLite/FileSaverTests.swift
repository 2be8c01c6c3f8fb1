import Foundation
import Listings
import Locks
import SQLite
import Testing

@Suite("Edits are written to the file of their list")
struct FileSaverTests {
    private let folder = TemporaryFolder()

    @Test("a file that changes while it is imported again is imported once more")
    func changedWhileImported() throws {
        let file = try SavedFile(.commas, in: folder)
        @Sendable func put(_ names: String...) throws {
            let rows = names.enumerated().map { "\($0.offset + 1),\($0.element)\n" }
            let text = "id,name\n" + rows.joined()
            try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        }
        try put("Ada")
        let imports = Locked(0)
        let fixture = try WritingFixture(file, at: folder.file("w.db")) {
            let count = imports.withLock { count in
                count += 1
                return count
            }
            // Another program is faster than the reading of the form of the file.
            guard count == 1 else { return }
            do { try put("Ada", "Bob", "Cleo") } catch { Issue.record(error) }
        }
        try put("Ada", "Bob")
        _ = try fixture.write(.merge, "1", ["name": .text("Ann")])
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text == "id,name\n1,Ann\n2,Bob\n3,Cleo\n")
        #expect(imports.withLock { $0 } == 2)
    }

    @Test("values are written in the spelling of their columns, and other rows stay as they are")
    func spelling() throws {
        let file = try SavedFile(.commas, in: folder)
        let header = "id,name,born,pay,share,paid,p,zip\n"
        let second = "2,Bob,02.01.2023,$950, 7 %,FALSE,0.02,10115\n"
        let text = header + "1,Ada,14.03.2024,\"$1,200\",15 %,TRUE,6.1e-05,01067\n" + second
        try text.write(toFile: file.path, atomically: true, encoding: .utf8)
        let fixture = try WritingFixture(file, at: folder.file("w.db"))
        let values: [String: CellValue] = [
            "born": .date(try #require(CalendarDate("2025-12-31"))), "pay": .integer(1_234_567),
            "share": .integer(12), "paid": .boolean(false),
            "p": .decimal(try #require(ExactDecimal("0.5"))), "zip": .text("00999"),
        ]
        _ = try fixture.write(.merge, "1", values)
        func content() throws -> String { try String(contentsOfFile: file.path, encoding: .utf8) }
        let first = "1,Ada,31.12.2025,\"$1,234,567\",12 %,FALSE,0.5,00999\n"
        #expect(try content() == header + first + second)
        _ = try fixture.write(.insert, "3", values.merging(["name": .text("Cy")]) { $1 })
        let third = first.replacing("1,Ada", with: "3,Cy")
        #expect(try content() == header + first + second + third)
        let rows = try fixture.rows()
        #expect(rows[0] == ["1", "Ada", "2025-12-31", "1234567", "12", "false", "0.5", "00999"])
        #expect(try fixture.reopened().rows() == rows)
    }
}
