import Bytes
import HTTP
import Listings
import Rendering

/// Writes all rows of a question, page after page, as the socket takes them.
///
/// Every page follows the last one's cursor, so rows written or deleted meanwhile never make it
/// skip or repeat another.
final class ExportStream: HTTPBodyStream {
    /// Rows a piece: some tens of kilobytes.
    private static let rowsAtOnce = 200
    /// The most rows of a piece where there are conditions.
    ///
    /// All rows that meet a rare one are found and sorted for every piece, so pieces grow to this, and
    /// there are few.
    private static let maximumRowsAtOnce = 2_000

    /// The list, on the thread that asks for the pieces.
    var endpoint: ListEndpoint
    private let renderer: any RowRenderer
    private var query: ListQuery
    /// What was drawn before the first piece was asked for.
    private var prepared: [UInt8] = []
    private var isFinished = false

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - query: What to export, from where it starts to the end.
    ///   - endpoint: The list, on the loop that will ask for the pieces.
    ///   - renderer: Draws the rows.
    init(_ query: ListQuery, of endpoint: ListEndpoint, with renderer: any RowRenderer) {
        self.query = query
        self.query.shape = .flow(limit: Self.rowsAtOnce)
        self.endpoint = endpoint
        self.renderer = renderer
    }

    /// Draws the first piece ahead, so that rows which cannot be read are noticed in time.
    ///
    /// - Throws: ``SourceError`` when they cannot.
    func prepare() throws(SourceError) {
        var buffer = ByteBuffer(minimumCapacity: 32 * 1024)
        try read()
        renderer.renderStart(of: endpoint.page, to: &buffer)
        renderer.renderRows(of: endpoint.page, to: &buffer)
        prepared = buffer.array()
    }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        if !prepared.isEmpty {
            buffer.append(prepared)
            prepared = []
        } else if !isFinished {
            try read()
            renderer.renderRows(of: endpoint.page, to: &buffer)
        }
        return isFinished ? .finished : .more
    }

    private func read() throws(SourceError) {
        try endpoint.read(query)
        if let next = endpoint.page.next { query.start = .after(next) } else { isFinished = true }
        guard query.isNarrowed else { return }
        query.shape = .flow(limit: min(2 * query.shape.limit, Self.maximumRowsAtOnce))
    }
}
