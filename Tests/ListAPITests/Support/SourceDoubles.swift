import ListAPITestSupport
import Listings
import Synchronization

final class ReadCounts: Sendable {
    let versions = Atomic(0)
    let pages = Atomic(0)
    let rows = Atomic(0)

    var versionReads: Int { versions.load(ordering: .sequentiallyConsistent) }

    var reads: Int {
        pages.load(ordering: .sequentiallyConsistent) + rows.load(ordering: .sequentiallyConsistent)
    }
}

struct CountingSource: ListSource {
    let base: any ListSource
    let counts = ReadCounts()
    /// The error in place of an answer; told how many pages were read before this one.
    var failure: @Sendable (_ pages: Int) -> SourceError? = { _ in nil }
    /// Whether another look at the same state gives the same version.
    var isLasting = true

    var schema: ListSchema { base.schema }

    func makeReader() throws(SourceError) -> any ListReader {
        CountingReader(source: self, base: try base.makeReader())
    }
}

private final class CountingReader: ListReader {
    private let source: CountingSource
    private let base: any ListReader

    init(source: CountingSource, base: any ListReader) {
        self.source = source
        self.base = base
    }

    func version() throws(SourceError) -> ListVersion {
        source.counts.versions.add(1, ordering: .sequentiallyConsistent)
        return try base.version()
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        let count = source.counts.pages.add(1, ordering: .sequentiallyConsistent).oldValue
        if let error = source.failure(count) { throw error }
        try base.read(query, into: &page)
        guard !source.isLasting else { return }
        page.version = ListVersion(
            epoch: page.version.epoch,
            counter: page.version.counter,
            isLasting: false
        )
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        source.counts.rows.add(1, ordering: .sequentiallyConsistent)
        if let error = source.failure(0) { throw error }
        return try base.readRow(id, grouping: grouping, into: &page)
    }
}

/// A source whose rows somebody else has, who is asked for them again.
struct FetchedSource: ListSource {
    let base: any ListSource
    private let refreshes = ReadCounts()

    init(base: any ListSource) { self.base = base }

    var schema: ListSchema { base.schema }

    var refreshCount: Int { refreshes.reads }

    func makeReader() throws(SourceError) -> any ListReader {
        FetchedReader(counts: refreshes, base: try base.makeReader())
    }
}

private final class FetchedReader: ListReader {
    var refreshState: RefreshState? { .loaded }
    private let counts: ReadCounts
    private let base: any ListReader

    init(counts: ReadCounts, base: any ListReader) {
        self.counts = counts
        self.base = base
    }

    func refresh() { counts.pages.add(1, ordering: .sequentiallyConsistent) }

    func version() throws(SourceError) -> ListVersion { try base.version() }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        try base.read(query, into: &page)
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        try base.readRow(id, grouping: grouping, into: &page)
    }
}
