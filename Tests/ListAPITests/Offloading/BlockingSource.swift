import Listings
import Synchronization
import TestSupport

/// A list whose writes are held until the test lets them go.
struct BlockingSource: ListSource {
    let base: any ListSource
    let begun: Gate
    let mayGoOn: Gate

    init(_ base: any ListSource) throws {
        self.base = base
        begun = try Gate()
        mayGoOn = try Gate()
    }

    var schema: ListSchema { base.schema }

    var rules: RowRules? { base.rules }

    func makeReader() throws(SourceError) -> any ListReader { try base.makeReader() }

    func makeWriter() throws(SourceError) -> (any ListWriter)? {
        try base.makeWriter().map { BlockingWriter($0, self) }
    }
}

private final class BlockingWriter: ListWriter {
    private let base: any ListWriter
    private let source: BlockingSource

    init(_ base: any ListWriter, _ source: BlockingSource) {
        self.base = base
        self.source = source
    }

    var rules: RowRules { base.rules }

    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        source.begun.open()
        // Where that takes too long the test fails by what it receives.
        _ = try? source.mayGoOn.wait()
        return try base.write(batch, into: &page, response: response)
    }
}
