import Listings
import MemoryLists
import TestSupport
import Testing

extension DataSourceListTests {
    @Test("a reader that is kept shows what a new one shows, whatever it was asked before")
    func keptReader() throws {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let dataSource = try DataSource(sections: [
                Section("a", registered.run([5, 1, 3])), Section("b", registered.run([4, 2])),
            ])
            let list = try list(dataSource)
            let kept = try list.makeReader()
            for step in 0..<40 {
                var query = query(Int.random(in: 1...6, using: &generator))
                let keys = [SortKey(.column(0)), SortKey(.column(1)), SortKey(.id)]
                query.sort = Array(keys.shuffled(using: &generator).prefix(step % 3))
                query.grouping = Bool.random(using: &generator) ? Grouping(column: 1) : nil
                query.mergesSections = Bool.random(using: &generator)
                if query.grouping == nil, !query.mergesSections, step.isMultiple(of: 4) {
                    query.collapsed = [.named("b")]
                }
                // Of one order, one selection after the other.
                for _ in 0..<4 {
                    query.facets = [[], [], [1], [0]][Int.random(in: 0..<4, using: &generator)]
                    let least = Int64.random(in: 0...2, using: &generator)
                    query.filters =
                        least == 0 ? [] : [Filter(column: 1, .atLeast, [.integer(least)])]
                    let page = try read(list, query, with: kept)
                    let fresh = try read(list, query)
                    #expect(page.outline == fresh.outline, "seed \(seed), step \(step)")
                    #expect(page.version == fresh.version)
                    #expect(page.total == fresh.total)
                    #expect(page.facets == fresh.facets)
                }
                if step.isMultiple(of: 7) {
                    try dataSource.update {
                        try $0.insert(registered.run([100 + step]), before: "1")
                    }
                }
            }
        }
    }

    @Test("an order that a reader keeps at hand is not sorted again for the orders of others")
    func keptOrder() throws {
        let source = CountingSource(count: 60)
        let dataSource = try DataSource(sections: [
            Section("a", Run(source, using: registered.items))
        ])
        let list = try list(dataSource)
        let (first, second) = (try list.makeReader(), try list.makeReader())
        var hot = query(5)
        hot.sort = [SortKey(.column(0), .descending)]
        _ = try read(list, hot, with: first)
        for number in 0..<20 {
            var other = query(5)
            other.sort = [SortKey(.column(1))]
            other.collapsed = [.named(SectionID("other \(number)"))]
            _ = try read(list, other, with: second)
            _ = source.takeReads()
            _ = try read(list, hot, with: first)
            #expect(source.takeReads() <= 5, "after \(number + 1) other orders")
        }
    }
}
