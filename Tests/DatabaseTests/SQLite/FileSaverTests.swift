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
}
