import ListDiff
import Listings
import MemoryLists
import Testing

@Suite("Data sources shared by tasks")
struct ConcurrencyTests {
    @Test("readers, writers, snapshots and streams at once lose no update and see no half of one")
    func everythingAtOnce() async throws {
        let registered = try Registrations()
        let dataSource = try DataSource(sections: [
            Section("a", registered.run(1...100)), Section("b", registered.run(101...200)),
        ])
        let recorder = RecordingObserver()
        let observation = dataSource.observe(recorder)
        let stream = dataSource.changes(bufferedBatches: 8)
        let schema = try ListSchema(columns: ItemController().columns, idType: .integer)
        let list = DataSourceList(dataSource, schema: schema)
        let (writers, updates) = (4, 50)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for step in 0..<updates {
                        let id = 1_000 * (writer + 1) + step
                        // One comes and one moves, so a half of it would show in the counts.
                        try dataSource.update { snapshot in
                            try snapshot.append(registered.run([id]), to: "a")
                            try snapshot.move("\(id)", toEndOf: "b")
                            try snapshot.append(registered.run([id + 500]), to: "a")
                        }
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    let reader = try list.makeReader()
                    var page = Page(list: "items", schema: list.schema)
                    var last: UInt64 = 0
                    for _ in 0..<100 {
                        let snapshot = dataSource.snapshot
                        #expect(snapshot.version >= last)
                        last = snapshot.version
                        let counts = try (0...1).map { try snapshot.rowCount(inSection: $0) }
                        #expect(counts[0] == counts[1])
                        #expect(counts[0] == 100 + Int(snapshot.version))
                        try reader.read(ListQuery(shape: .flow(limit: 5)), into: &page)
                        let total = page.total
                        #expect(total?.value == 200 + 2 * Int(page.version.counter))
                    }
                }
            }
            group.addTask {
                var version: UInt64 = 0
                for await batch in stream {
                    #expect(batch.from == version)
                    version = batch.to
                    if version == writers * updates { break }
                }
            }
            try await group.waitForAll()
        }
        #expect(dataSource.version == UInt64(writers * updates))
        let batches = recorder.log.filter { $0.contains("-") }
        #expect(batches == (0..<writers * updates).map { "\($0)-\($0 + 1)" })
        observation.cancel()
    }
}
