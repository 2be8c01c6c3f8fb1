import ListDiff
import Listings
import TestSupport
import Testing

@Suite("Differences of any two states, replayed by the rules of the protocol")
struct DifferenceTests {
    @Test(
        "small crowded lists: legal steps, the fewest moves, and back again",
        arguments: 0..<16
    )
    func dense(part: Int) throws {
        var differ = ListDiffer()
        var stageCounts: [Int: Int] = [:]
        let cases = TestCount.of("ROSTER_TEST_DIFFERENCES", else: 100_800)
        for seed in 0..<cases / 48 {
            var generator = SeededGenerator(seed: UInt64(part * 1_000_000 + seed))
            let first = SampleList.dense(&generator)
            let second = first.edited(&generator)
            let third = SampleList.dense(&generator)
            for (old, new) in [(first, second), (second, third), (third, first)] {
                let difference = try expectRight(&differ, from: old, to: new, seed)
                stageCounts[difference.stages.count, default: 0] += 1
            }
        }
        for count in 0...4 { #expect(stageCounts[count, default: 0] > 5, "\(stageCounts)") }
    }

    @Test("long lists with whole blocks changed", arguments: 0..<8)
    func long(part: Int) throws {
        var differ = ListDiffer()
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(part * 1_000_000 + seed))
            let old = SampleList.long(&generator)
            let new = old.blockEdited(&generator)
            try expectRight(&differ, from: old, to: new, seed)
            try expectRight(&differ, from: new, to: old, seed)
        }
    }

    @Test(
        "ids that stand in a list more than once are paired in order, and named",
        arguments: 0..<4
    )
    func repeats(part: Int) throws {
        var differ = ListDiffer()
        for seed in 0..<1_500 {
            var generator = SeededGenerator(seed: UInt64(part * 1_000_000 + seed))
            let plain = SampleList.dense(&generator)
            let old = plain.repeating(&generator)
            let new = plain.edited(&generator).repeating(&generator)
            let checked = differ.numbered(
                from: old.digest,
                to: new.digest,
                uniqueness: .checked,
                limit: .max
            )
            let trusted = differ.numbered(from: old.digest, to: new.digest, limit: .max)
            #expect(trusted.kind == checked.kind)
            #expect(trusted.repeatedRows.isEmpty && trusted.repeatedSections.isEmpty)
            #expect(checked.repeatedRows == twice(new.shown.flatMap(\.rows)))
            #expect(
                checked.repeatedSections.map(\.rawValue) == twice(new.shown.map(\.id.rawValue))
            )
            var rules = ChangeRules(old.shown, hasRepeats: true)
            do {
                try rules.apply(checked.stages)
            } catch { Issue.record("\(error), seed \(seed): \(checked)") }
            try #require(rules.sections == new.shown, "seed \(seed): \(old) \(new) \(checked)")
            let same = differ.numbered(from: new.digest, to: new.digest, limit: .max)
            #expect(same.stages.isEmpty && same.kind != .reload)
        }
    }

    @Test("more changes than the limit are a reload, and not one fewer")
    func limit() throws {
        var differ = ListDiffer()
        for seed in 0..<300 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let old = SampleList.dense(&generator)
            let new = old.edited(&generator)
            let stages = differ.numbered(from: old.digest, to: new.digest).stages
            let count = stages.reduce(0) { $0 + $1.changeCount }
            let told = differ.numbered(from: old.digest, to: new.digest, limit: count)
            #expect(told.stages == stages, "seed \(seed)")
            guard count > 0 else { continue }
            let refused = differ.numbered(from: old.digest, to: new.digest, limit: count - 1)
            #expect(refused.kind == .reload, "seed \(seed)")
        }
    }

    @Test("more than half of a long list changed is a reload by default, fewer are told")
    func defaultLimit() {
        var differ = ListDiffer()
        func difference(revised count: UInt64) -> ListDifference {
            var old = ListDigest()
            var new = ListDigest()
            for id in 0..<UInt64(4_000) {
                old.appendRow(id)
                new.appendRow(id, revision: id < count ? 1 : 0)
            }
            return differ.numbered(from: old, to: new)
        }
        #expect(difference(revised: 2_000).stages.first?.reloadedRows.count == 2_000)
        #expect(difference(revised: 2_001).kind == .reload)
    }

    @Test("states without names differ in the same places, and no id is told")
    func nameless() throws {
        var differ = ListDiffer()
        for seed in 0..<300 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let old = SampleList.dense(&generator)
            let new = old.edited(&generator)
            let named = differ.numbered(from: old.digest, to: new.digest, limit: .max)
            let nameless = differ.difference(from: old.digest, to: new.digest, limit: .max)
            #expect(nameless.stages.map(\.counts) == named.stages.map(\.counts))
            #expect(nameless.rowsToSend == named.rowsToSend)
            #expect(nameless.sectionsToSend == named.sectionsToSend)
            for (own, other) in zip(nameless.stages, named.stages) {
                #expect(own.deletedRows.map(\.at) == other.deletedRows.map(\.at))
                #expect(own.insertedRows.map(\.at) == other.insertedRows.map(\.at))
                #expect(own.movedRows.map(\.to) == other.movedRows.map(\.to))
                #expect(own.reloadedRows.map(\.at) == other.reloadedRows.map(\.at))
                #expect(own.insertedRows.allSatisfy { $0.id.isEmpty })
                #expect(own.deletedSections.allSatisfy { $0.id.rawValue.isEmpty })
            }
        }
    }

    @Test("the rows and sections to send are those that come or are described anew, in order")
    func toSend() throws {
        var differ = ListDiffer()
        for seed in 0..<1_000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let old = SampleList.dense(&generator)
            let new = old.edited(&generator)
            let difference = differ.numbered(from: old.digest, to: new.digest, limit: .max)
            let stages = difference.stages
            let rows = Set(
                stages.flatMap { stage in
                    stage.insertedRows.map(\.id) + stage.reloadedRows.map(\.id)
                        + stage.insertedSections.flatMap(\.rows)
                }
            )
            let sections = Set(
                stages.flatMap { $0.insertedSections.map(\.id) + $0.changedHeaders.map(\.id) }
            )
            let ids = new.shown.flatMap(\.rows)
            #expect(difference.rowsToSend == ids.indices.filter { rows.contains(ids[$0]) })
            #expect(
                difference.sectionsToSend
                    == new.shown.indices.filter { sections.contains(new.shown[$0].id) }
            )
        }
    }

    @Test("a moved row is one move, however long the list")
    func oneMove() throws {
        var differ = ListDiffer()
        var old = ListDigest()
        old.appendRows(Array(0..<10_000))
        var new = ListDigest()
        new.appendRows(Array(1..<10_000) + [0])
        let stages = differ.numbered(from: old, to: new).stages
        #expect(stages.count == 1)
        #expect(stages.first?.movedRows.map(\.id) == ["0"])
        #expect(stages.first?.changeCount == 1)
    }

    @Test("the example of the protocol is told as it stands there")
    func example() throws {
        var differ = ListDiffer()
        let old = SampleList(sections: [
            SampleList.Section(id: 1, rows: [1, 2, 3].map { SampleList.Row(id: $0) }),
            SampleList.Section(id: 2, rows: [4, 5].map { SampleList.Row(id: $0) }),
            SampleList.Section(id: 9, rows: [SampleList.Row(id: 8)]),
        ])
        let new = SampleList(sections: [
            SampleList.Section(id: 7, rows: [SampleList.Row(id: 10)]),
            SampleList.Section(
                id: 1,
                revision: 1,
                rows: [2, 9, 3, 4].map { SampleList.Row(id: $0) }
            ),
            SampleList.Section(id: 2, rows: [SampleList.Row(id: 5, revision: 1)]),
        ])
        let stages = differ.numbered(from: old.digest, to: new.digest).stages
        try #require(stages.count == 4)
        #expect(stages.map(\.counts) == [[1, 3, 2, 1], [1, 4, 1, 1], [1, 4, 1], [1, 4, 1]])
        #expect(stages[0].insertedSections.map(\.at) == [0])
        #expect(stages[0].insertedSections.map(\.rows) == [["10"]])
        #expect(stages[1].deletedRows.map(\.at) == [IndexPath(section: 1, row: 0)])
        #expect(stages[1].insertedRows.map(\.at) == [IndexPath(section: 1, row: 1)])
        #expect(stages[1].movedRows.map(\.from) == [IndexPath(section: 2, row: 0)])
        #expect(stages[1].movedRows.map(\.to) == [IndexPath(section: 1, row: 3)])
        #expect(stages[2].deletedSections.map(\.at) == [3])
        #expect(stages[3].reloadedRows.map(\.at) == [IndexPath(section: 2, row: 0)])
        #expect(stages[3].changedHeaders.map(\.at) == [1])
    }

    // MARK: -

    @discardableResult
    private func expectRight(
        _ differ: inout ListDiffer,
        from old: SampleList,
        to new: SampleList,
        _ seed: Int
    ) throws -> ListDifference {
        let (oldDigest, newDigest) = (old.digest, new.digest)
        let difference = differ.numbered(from: oldDigest, to: newDigest, limit: .max)
        let (before, after) = (old.shown, new.shown)
        var rules = ChangeRules(before)
        do {
            try rules.apply(difference.stages)
        } catch { Issue.record("\(error), seed \(seed): \(old) \(new) \(difference)") }
        try #require(rules.sections == after, "seed \(seed): \(old) \(new) \(difference)")
        #expect(rules.moveCount == ChangeRules.fewestRowMoves(from: before, to: after))
        #expect(rules.sectionMoveCount == ChangeRules.fewestSectionMoves(from: before, to: after))
        let (oldRevisions, newRevisions) = (old.revisions, new.revisions)
        var changed: Set<String> = []
        for (id, revision) in newRevisions {
            guard let known = oldRevisions[id], known != revision else { continue }
            if !rules.fresh.contains(id) { changed.insert(id) }
        }
        #expect(rules.reloaded == changed, "seed \(seed)")
        let headers = new.sections.filter { section in
            old.sections.contains { $0.id == section.id && $0.revision != section.revision }
        }
        let described = difference.stages.flatMap(\.changedHeaders).map(\.id.rawValue)
        #expect(described == headers.map { "\($0.id)" })
        if seed % 10 == 0 {
            // Another table has another order, which must not show.
            var other = ListDiffer()
            #expect(
                other.numbered(from: oldDigest, to: newDigest, limit: .max) == difference
            )
            #expect(differ.numbered(from: newDigest, to: newDigest).stages.isEmpty)
        }
        return difference
    }

    /// What stands in a list for the second time, in order.
    private func twice(_ ids: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return ids.filter { id in
            counts[id, default: 0] += 1
            return counts[id] == 2
        }
    }
}
