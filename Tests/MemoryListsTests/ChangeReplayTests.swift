import ListDiff
import Listings
import MemoryLists
import TestSupport
import Testing

@Suite("Changes replayed by the rules of the protocol")
struct ChangeReplayTests {
    @Test(
        "random edits are told in legal steps, with the fewest moves, that lead to the new state",
        arguments: 0..<8
    )
    func replay(part: Int) throws { try replay(part, isWide: false) }

    @Test(
        "models of several rows are told row by row, as pages show them",
        arguments: 8..<12
    )
    func replayOfParts(part: Int) throws { try replay(part, isWide: true) }

    @Test("a model that comes to yield other rows is read again")
    func otherRows() throws {
        let registered = try Registrations(isWide: true)
        let source = try DataSource(models: [Item(id: 1)], using: registered.items)
        let batch = try source.update {
            try $0.update(Item(id: 1), using: registered.parts)
        }
        #expect(batch.kind == .reload)
        #expect(batch.countsBefore == [1] && batch.countsAfter == [3])
    }

    private func replay(_ part: Int, isWide: Bool) throws {
        var stageCounts: [Int: Int] = [:]
        var moveCount = 0
        for seed in 0..<450 {
            var generator = SeededGenerator(seed: UInt64(part * 100_000 + seed))
            let registered = try Registrations(isWide: isWide)
            var reference = ReferenceList()
            // Checked runs have an index of ids, longer ones have none: both must tell the same.
            let checked = seed.isMultiple(of: 3) ? 2 : 100_000
            var start = Snapshot(checkedRunLength: checked)
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                try reference.append(to: &start, registered, &generator)
            }
            let dataSource = DataSource(start)
            for _ in 0..<3 {
                let old = dataSource.snapshot
                let oldTexts = reference.shownTexts(registered)
                let edits = Int.random(in: 1...12, using: &generator)
                let batch = try dataSource.update { snapshot in
                    for _ in 0..<edits {
                        try reference.edit(&snapshot, registered, &generator)
                        guard seed.isMultiple(of: 5) else { continue }
                        try #require(try snapshot.outline == reference.outline, "seed \(seed)")
                    }
                }
                let new = dataSource.snapshot
                try #require(try new.outline == reference.outline, "seed \(seed)")
                #expect(new.version == old.version + (batch.isEmpty ? 0 : 1))
                if batch.kind == .reload, checked == 2 { continue }
                stageCounts[batch.stages.count, default: 0] += 1
                let context = "part \(part), seed \(seed): \(batch)"
                var rules = ChangeRules(try registered.shown(old))
                do {
                    if !batch.isEmpty { try rules.apply(batch) }
                } catch { Issue.record("\(error) in \(context)") }
                moveCount += rules.moveCount
                let (before, after) = (try registered.shown(old), try registered.shown(new))
                try #require(rules.sections == after, "\(context)")
                #expect(
                    rules.moveCount == ChangeRules.fewestRowMoves(from: before, to: after),
                    "\(context)"
                )
                #expect(
                    rules.sectionMoveCount
                        == ChangeRules.fewestSectionMoves(from: before, to: after),
                    "\(context)"
                )
                let survivors = Set(before.flatMap(\.rows))
                    .intersection(
                        travellers(before, after).symmetricDifference(after.flatMap(\.rows))
                    )
                let newTexts = reference.shownTexts(registered)
                for id in survivors where oldTexts[id] != newTexts[id] {
                    #expect(rules.reloaded.contains(id), "\(id) is stale: \(context)")
                }
            }
        }
        // The edits are varied enough to need every way of telling them.
        for count in 0...4 { #expect(stageCounts[count, default: 0] > 5, "\(stageCounts)") }
        #expect(moveCount > 500)
    }

    private func travellers(
        _ before: [ChangeRules.Section],
        _ after: [ChangeRules.Section]
    ) -> Set<String> {
        let old = before.filter { section in !after.contains { $0.id == section.id } }
        let new = after.filter { section in !before.contains { $0.id == section.id } }
        return Set(old.flatMap(\.rows)).intersection(new.flatMap(\.rows))
    }
}
