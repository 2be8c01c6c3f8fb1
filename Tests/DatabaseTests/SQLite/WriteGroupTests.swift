import Database
import Foundation
import Listings
import SQLite
import TestSupport
import Testing

@Suite("Writes of several requests share a transaction")
struct WriteGroupTests {
    private let folder = TemporaryFolder()

    private enum Outcome: Equatable {
        case row(ChangedRow.Effect)
        case error(WriteError)
    }

    /// Performs a batch; answers with what became of it.
    private func outcome(
        _ changes: [RowChange],
        _ writer: any ListWriter,
        _ fixture: WritingFixture
    ) -> Outcome {
        do {
            return .row(try writer.write(changes, of: fixture)[0].get().effect)
        } catch let error as WriteError {
            return .error(error)
        } catch {
            return .error(.unavailable(reason: "\(error)"))
        }
    }

    private func perform(
        _ batches: [[RowChange]],
        _ fixture: WritingFixture,
        meanwhile: (Int) throws -> Void = { _ in }
    ) throws -> (outcomes: [Outcome], repeated: [Int]) {
        let writer = try fixture.makeWriter()
        let grouping = try #require(writer.abilities.grouping)
        var outcomes: [Outcome] = []
        var failure: (any Error)?
        let repeated = grouping.perform { number in
            guard number < batches.count else { return false }
            outcomes.append(outcome(batches[number], writer, fixture))
            do { try meanwhile(number) } catch { failure = error }
            return true
        }
        if let failure { throw failure }
        for number in repeated { outcomes[number] = outcome(batches[number], writer, fixture) }
        return (outcomes, repeated)
    }

    private func insert(_ id: Int, _ name: String = "new") -> RowChange {
        RowChange(.insert, id: "\(id)", values: [0: .text(name)])
    }

    @Test("readers see none of them before the commit, and all of them afterwards")
    func isolation() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let (before, version) = (try fixture.rows(), try fixture.version())
        let batches = (10..<20).map { [insert($0)] }
        let (outcomes, repeated) = try perform(batches, fixture) { _ throws in
            #expect(try fixture.rows() == before)
            #expect(try fixture.version() == version)
        }
        #expect(repeated == [])
        #expect(outcomes == Array(repeating: .row(.created), count: 10))
        #expect(try fixture.rows().count == before.count + 10)
    }

    @Test("a refused member is performed again after the commit, and undone alone")
    func refused() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let batches = [
            // Refused by what is committed: no need to ask again.
            [insert(1)],
            [insert(10)],
            // Refused by a row that is not committed yet.
            [insert(10)],
            // The first two are undone.
            [insert(11), insert(12), insert(1)],
            [insert(11, "kept")],
            [RowChange(.merge, id: "10", values: [0: .text("Ten")])],
            [RowChange(.merge, id: "10", values: [0: .text("X")], conditions: [.isAt([1])])],
        ]
        let (outcomes, repeated) = try perform(batches, fixture)
        #expect(repeated == [2, 3, 6])
        #expect(
            outcomes == [
                .error(.refused([0: .existingRow("1")])), .row(.created),
                .error(.refused([0: .existingRow("10")])),
                .error(.refused([0: .existingRow("11"), 2: .existingRow("1")])), .row(.created),
                .row(.changed), .error(.refused([0: .failedCondition("10")])),
            ]
        )
        #expect(
            try fixture.rows().map { $0[0...1].joined(separator: " ") } == [
                "1 Ada", "2 Bob", "10 Ten", "11 kept",
            ]
        )
    }

    @Test("a key that is used twice in a group is performed once")
    func keys() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let writer = try fixture.makeWriter()
        let grouping = try #require(writer.abilities.grouping)
        var responses: [WriteResponse?] = []
        let repeated = grouping.perform { number in
            guard number < 3 else { return false }
            var page = Page(list: "people", schema: fixture.source.schema)
            let batch = WriteBatch(
                [RowChange(.insert, id: nil, values: [0: .text("Cy")])],
                receipt: WriteReceipt(key: "k", fingerprint: number == 2 ? "other" : "same")
            )
            responses.append(try? writer.write(batch, into: &page) { _, _ in [UInt8(number)] })
            return true
        }
        #expect(responses == [.performed([0]), .repeated([0]), nil])
        #expect(repeated == [2])
        #expect(try fixture.rows().count == 3)
    }

    @Test("a commit that fails is acknowledged to nobody, and everybody is performed again")
    func lostCommit() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        // A deferred constraint fails at the commit, whose transaction stays open.
        try other.execute(
            """
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (
                parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER child AFTER INSERT ON people WHEN new.name = 'orphan'
                BEGIN INSERT INTO children VALUES (7); END;
            """
        )
        let (outcomes, repeated) = try perform(
            [[insert(10)], [insert(11, "orphan")], [insert(12)]],
            fixture
        )
        #expect(repeated == [0, 1, 2])
        #expect(outcomes[0] == .row(.created) && outcomes[2] == .row(.created))
        guard case .error(.refused) = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
        #expect(try fixture.rows().map { $0[0] } == ["1", "2", "10", "12"])
    }

    @Test("a failure that ends the transaction fails its member alone")
    func lostTransaction() throws {
        let fixture = try WritingFixture(at: folder.file("w.db"))
        let other = try DatabaseConnection(fixture.location, access: .readWrite)
        try other.execute(
            """
            CREATE TRIGGER refuse AFTER INSERT ON people WHEN new.name = 'bad'
                BEGIN SELECT RAISE(ROLLBACK, 'not this one'); END;
            """
        )
        let (outcomes, repeated) = try perform(
            [[insert(10)], [insert(11, "bad")], [insert(12)]],
            fixture
        )
        // The third was not begun, as the group had ended.
        #expect(repeated == [0, 1])
        #expect(outcomes.count == 2)
        #expect(outcomes[0] == .row(.created))
        guard case .error(.unavailable) = outcomes[1] else {
            Issue.record("\(outcomes[1])")
            return
        }
        #expect(try fixture.rows().map { $0[0] } == ["1", "2", "10"])
    }

    @Test("random groups leave the same rows as the same writes one after the other")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<8 {
            let together = try WritingFixture(at: folder.file("a\(round).db"))
            let alone = try WritingFixture(at: folder.file("b\(round).db"))
            let writer = try alone.makeWriter()
            for _ in 0..<6 {
                let batches = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Self.change(&random)
                    }
                }
                let (outcomes, repeated) = try perform(batches, together)
                // Those performed again come last.
                var order = batches.indices.filter { !repeated.contains($0) }
                order += repeated
                var expected = outcomes
                for number in order { expected[number] = outcome(batches[number], writer, alone) }
                #expect(outcomes == expected, "seed \(seed)")
            }
            #expect(try together.rows() == alone.rows(), "seed \(seed)")
        }
    }

    private static func change(_ random: inout SeededGenerator) -> RowChange {
        let verbs: [RowChange.Verb] = [
            .insert, .insertIfAbsent, .replace, .merge, .mergeOrInsert, .delete,
        ]
        let verb = verbs[Int.random(in: verbs.indices, using: &random)]
        let id = "\(Int.random(in: 1...6, using: &random))"
        guard verb != .delete else { return RowChange(.delete, id: id) }
        let name = CellValue.text("n\(Int.random(in: 0...3, using: &random))")
        return RowChange(verb, id: id, values: [0: name])
    }
}
