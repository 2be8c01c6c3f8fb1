package import Bytes
package import HTTP
package import Listings
import Locks
package import Rendering

/// A response body of all rows of a query, rendered page by page as the socket takes them.
///
/// Every page starts at the last one's cursor. Concurrent writes therefore never make it skip or
/// repeat other rows.
package final class ExportStream: HTTPBodyStream {
    private static let rowsAtOnce = 200
    /// The maximum number of rows of a piece of a filtered query.
    ///
    /// The source finds and sorts all matching rows for every piece, so pieces grow to this size.
    private static let maximumRowsAtOnce = 2_000
    /// The maximum wait for a piece of a worker before the stream checks for it.
    private static let longestWait = Duration.seconds(30)

    /// Rendered rows, and the cursor of the next ones.
    private struct Piece: Sendable {
        let bytes: [UInt8]
        let next: Cursor?
        /// The renderer of the next rows.
        let renderer: any RowRenderer
    }

    /// The list of the thread that reads the next piece; nil once workers read the pieces.
    private var endpoint: ServedList?
    private let origin: ListOrigin?
    private var renderer: any RowRenderer
    private var query: ScopedQuery
    /// The workers for reads that may wait; nil where the loop reads everything.
    private let workers: ServiceWorkers?
    private var waker: HTTPStreamWaker?
    private var pending: Mailbox<Result<Piece, any Error>>?
    /// The bytes rendered before the first piece is requested.
    private var prepared: [UInt8] = []
    private var isFinished = false

    /// The workers read all pieces but the first; nil stands for the calling thread.
    ///
    /// The query covers its rows from the start to the last one.
    package init(
        _ query: ScopedQuery,
        of endpoint: ServedList,
        with renderer: any RowRenderer,
        _ workers: ServiceWorkers?
    ) {
        self.query = query
        self.query.shape = .flow(limit: Self.rowsAtOnce)
        self.endpoint = endpoint
        origin = endpoint.origin
        self.renderer = renderer
        self.workers = workers
    }

    deinit { pending?.cancel() }

    /// Renders the first piece, so that an unreadable list is a problem instead of a broken export.
    package func prepare() throws(SourceError) {
        var buffer = ByteBuffer(minimumCapacity: 32 * 1024)
        guard let endpoint else { throw .redefined }
        try endpoint.read(query)
        renderer.renderStart(of: endpoint.page, to: &buffer)
        Self.render(endpoint.page, with: &renderer, to: &buffer)
        goOn(at: endpoint.page.next)
        prepared = buffer.array()
        // The thread gives the list back.
        if workers != nil { self.endpoint = nil }
    }

    package func begin(waker: HTTPStreamWaker) { self.waker = waker }

    package func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        if !prepared.isEmpty {
            buffer.append(prepared)
            prepared = []
        } else if let pending {
            guard let answer = pending.take() else { return .waiting(atMost: Self.longestWait) }
            self.pending = nil
            let piece = try answer.get()
            buffer.append(piece.bytes)
            renderer = piece.renderer
            goOn(at: piece.next)
        } else if !isFinished {
            if workers != nil { return ask() }
            guard let endpoint else { throw SourceError.redefined }
            try endpoint.read(query)
            Self.render(endpoint.page, with: &renderer, to: &buffer)
            goOn(at: endpoint.page.next)
        }
        return isFinished ? .finished : .more
    }

    /// Offloads the next rows to a worker.
    private func ask() -> HTTPStreamState {
        guard let origin else { preconditionFailure("workers read the lists of a service") }
        pending = workers?.ask(.exporting, of: origin, waking: waker) {
            [query, renderer] _, endpoint in
            var buffer = ByteBuffer(minimumCapacity: 32 * 1024)
            var renderer = renderer
            try endpoint.read(query)
            Self.render(endpoint.page, with: &renderer, to: &buffer)
            return Piece(bytes: buffer.array(), next: endpoint.page.next, renderer: renderer)
        }
        // Without a free worker the stream tries again soon.
        return .waiting(atMost: pending == nil ? .milliseconds(100) : Self.longestWait)
    }

    /// Appends the rows of a page, and the end of the document after the last page.
    private static func render(
        _ page: borrowing Page,
        with renderer: inout any RowRenderer,
        to buffer: inout ByteBuffer
    ) {
        renderer.renderRows(of: page, to: &buffer)
        if page.next == nil { renderer.renderEnd(to: &buffer) }
    }

    private func goOn(at next: Cursor?) {
        if let next { query.start = .after(next) } else { isFinished = true }
        guard query.isNarrowed else { return }
        query.shape = .flow(limit: min(2 * query.shape.limit, Self.maximumRowsAtOnce))
    }
}
