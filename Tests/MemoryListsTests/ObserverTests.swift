import ListDiff
import Listings
import Locks
import MemoryLists
import Testing

@Suite("Observers and streams of changes")
struct ObserverTests {
    let registered: Registrations
    let dataSource: DataSource

    init() throws {
        registered = try Registrations()
        dataSource = try DataSource(sections: [
            Section("a", registered.run(1...3)), Section("b", registered.run(4...5)),
        ])
    }

    @Test("observers are told the batch and how far it reaches")
    func granularities() throws {
        let recorder = RecordingObserver()
        let observation = dataSource.observe(recorder)
        try dataSource.update { try $0.reload(["1", "5"]) }
        #expect(recorder.take() == ["0-1", "rows [[0, 0], [1, 1]]"])
        try dataSource.update { try $0.remove(["4"]) }
        #expect(recorder.take() == ["1-2", "section 1"])
        try dataSource.update { try $0.describeSection(SectionInfo("a", header: "H")) }
        #expect(recorder.take() == ["2-3", "section 0"])
        try dataSource.update { try $0.move("1", toEndOf: "b") }
        #expect(recorder.take() == ["3-4", "whole"])
        try dataSource.update { try $0.append(Section("c")) }
        #expect(recorder.take() == ["4-5", "whole"])
        try dataSource.apply(Snapshot())
        #expect(recorder.take() == ["5-6", "whole"])
        observation.cancel()
    }

    @Test("an observation ends when it is dropped, and an observer is not kept alive")
    func lifetimes() throws {
        let kept = RecordingObserver()
        var observation: Observation? = dataSource.observe(kept)
        var dropped: RecordingObserver? = RecordingObserver()
        let ofDropped = dataSource.observe(try #require(dropped))
        weak let reference = dropped
        dropped = nil
        #expect(reference == nil)
        try dataSource.update { try $0.remove(["1"]) }
        #expect(kept.take().first == "0-1")
        #expect(observation != nil)
        observation = nil
        try dataSource.update { try $0.remove(["2"]) }
        #expect(kept.log == [])
        ofDropped.cancel()
    }

    @Test("an observation does not keep the data source, and outlives it")
    func dataSourceGoes() throws {
        var other: DataSource? = DataSource()
        weak let reference = other
        let observation = try #require(other).observe(RecordingObserver())
        other = nil
        #expect(reference == nil)
        observation.cancel()
    }

    @Test("an observer may leave, and make others leave, while it is told")
    func removalWhileNotifying() throws {
        let observations = Locked<[Observation]>([])
        let told = Locked<[String]>([])
        for name in ["first", "second", "third"] {
            let recorder = RecordingObserver { _, _ in
                told.withLock { $0.append(name) }
                // Both this observer and those behind it.
                for observation in observations.withLock({ $0 }) { observation.cancel() }
            }
            kept.withLock { $0.append(recorder) }
            observations.withLock { $0.append(dataSource.observe(recorder)) }
        }
        try dataSource.update { try $0.remove(["1"]) }
        try dataSource.update { try $0.remove(["2"]) }
        #expect(told.withLock { $0 } == ["first"])
    }

    private let kept = Locked<[RecordingObserver]>([])

    @Test("an observer may update what it observes; all are told in the order of the versions")
    func updateWhileNotifying() throws {
        let eager = RecordingObserver { dataSource, batch in
            guard batch.to < 3 else { return }
            do {
                try dataSource.update { try $0.append(Section(SectionID("s\(batch.to)"))) }
            } catch { Issue.record("\(error)") }
        }
        let late = RecordingObserver()
        let observations = [dataSource.observe(eager), dataSource.observe(late)]
        try dataSource.update { try $0.append(Section("s")) }
        #expect(late.log == ["0-1", "whole", "1-2", "whole", "2-3", "whole"])
        #expect(eager.log == late.log)
        #expect(observations.count == 2)
    }

    // MARK: - Streams

    @Test("a stream gives every batch from now on, in order")
    func stream() async throws {
        let stream = dataSource.changes()
        for id in ["1", "2", "3"] { try dataSource.update { try $0.remove([id]) } }
        var versions: [UInt64] = []
        for await batch in stream {
            versions.append(batch.to)
            if batch.to == 3 { break }
        }
        #expect(versions == [1, 2, 3])
    }

    @Test("a stream that waits is woken by the next batch")
    func waitingStream() async throws {
        let stream = dataSource.changes()
        async let first = stream.first { _ in true }
        try dataSource.update { try $0.remove(["1"]) }
        #expect(await first?.to == 1)
    }

    @Test("a slow reader gets one reload in place of all it missed, and then goes on")
    func slowReader() async throws {
        var stream = dataSource.changes(bufferedBatches: 3).makeAsyncIterator()
        for step in 0..<10 {
            try dataSource.update { try $0.append(Section(SectionID("s\(step)"))) }
        }
        var batches: [ChangeBatch] = []
        while batches.last?.to != 10, let batch = await stream.next() { batches.append(batch) }
        #expect(batches.first?.kind == .reload)
        #expect(batches.first?.from == 0)
        #expect(batches.count <= 3)
        for (left, right) in zip(batches, batches.dropFirst()) { #expect(left.to == right.from) }
        #expect(batches.last?.countsAfter.count == 12)
    }

    @Test("what came since a version comes first, as long as it is known; else a reload")
    func since() async throws {
        for step in 0..<70 {
            try dataSource.update { try $0.append(Section(SectionID("s\(step)"))) }
        }
        func first(since version: UInt64) async -> ChangeBatch? {
            await dataSource.changes(since: version).first { _ in true }
        }
        let recent = await first(since: 68)
        #expect(recent?.from == 68)
        #expect(recent?.to == 69)
        #expect(recent?.kind != .reload)
        for unknown: UInt64 in [2, 99] {
            let reload = await first(since: unknown)
            #expect(reload?.kind == .reload)
            #expect(reload?.from == unknown)
            #expect(reload?.to == 70)
        }
        var current = dataSource.changes(since: 70).makeAsyncIterator()
        try dataSource.update { try $0.remove(["1"]) }
        #expect(await current.next()?.from == 70)
    }

    @Test("a stream ends with its data source, behind what was sent")
    func end() async throws {
        var other: DataSource? = DataSource()
        let stream = try #require(other).changes()
        try other?.update { try $0.append(Section("a")) }
        other = nil
        var versions: [UInt64] = []
        for await batch in stream { versions.append(batch.to) }
        #expect(versions == [1])
    }

    @Test("a cancelled reader stops waiting")
    func cancellation() async {
        let stream = dataSource.changes()
        let reader = Task { await stream.first { _ in true } }
        reader.cancel()
        #expect(await reader.value == nil)
    }
}
