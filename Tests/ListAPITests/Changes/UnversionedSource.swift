import ListAPITestSupport
import Listings
import MemoryLists

/// A list whose versions say nothing.
struct UnversionedSource: ListSource {
    final class Reader: ListReader {
        let reader: any ListReader
        init(_ reader: any ListReader) { self.reader = reader }
        var canBeFollowed: Bool { false }
        func version() throws(SourceError) -> ListVersion { try reader.version() }
        func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
            try reader.read(query, into: &page)
        }
        func readRow(
            _ id: String,
            grouping: Grouping?,
            into page: inout Page
        ) throws(SourceError) -> Bool { try reader.readRow(id, grouping: grouping, into: &page) }
    }

    let source: MemorySource<Item>
    var schema: ListSchema { source.schema }
    func makeReader() throws(SourceError) -> any ListReader { Reader(try source.makeReader()) }
}
