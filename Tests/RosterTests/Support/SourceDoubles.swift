import Listings
import Synchronization

/// How often a source was asked.
final class ReadCounts: Sendable {
    let versions = Atomic(0)
    let pages = Atomic(0)
    let rows = Atomic(0)

    /// The reads of the version.
    var versionReads: Int { versions.load(ordering: .sequentiallyConsistent) }

    /// The reads of any row.
    var reads: Int {
        pages.load(ordering: .sequentiallyConsistent) + rows.load(ordering: .sequentiallyConsistent)
    }
}

/// A source that counts what it is asked, and refuses when it is told to.
struct WatchedSource: ListSource {
    let base: any ListSource
    let counts = ReadCounts()
    /// The error in place of an answer; told how many pages were read before this one.
    var failure: @Sendable (_ pages: Int) -> SourceError? = { _ in nil }
    /// Whether every page but the first takes longer than an answer may.
    var isSlow = false

    var schema: ListSchema { base.schema }

    func makeReader() throws(SourceError) -> any ListReader {
        WatchedReader(source: self, base: try base.makeReader())
    }
}

private final class WatchedReader: ListReader {
    private let source: WatchedSource
    private let base: any ListReader

    init(source: WatchedSource, base: any ListReader) {
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
        if source.isSlow, count > 0, !query.isPatient { throw .outOfTime }
        try base.read(query, into: &page)
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
