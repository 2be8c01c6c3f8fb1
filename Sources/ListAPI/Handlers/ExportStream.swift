package import Bytes
package import HTTP
package import Listings
import Locks
package import Rendering

/// Every page starts at the last one's cursor, so that writes make it skip or repeat no rows.
package final class ExportStream: HTTPBodyStream {
    private static let rowsAtOnce = 200
    /// The source finds and sorts all matching rows for every piece, so pieces grow to this size.
    private static let maximumRowsAtOnce = 2_000
    private static let longestWait = Duration.seconds(30)

    private struct Piece: Sendable {
        let bytes: [UInt8]
        let next: Cursor?
        let renderer: any RowRenderer
    }

    /// The list of the thread that reads the next piece; nil once workers read the pieces.
    private var endpoint: ServedList?
    private let origin: ListOrigin?
    private var renderer: any RowRenderer
    private var query: ScopedQuery
    private let workers: ServiceWorkers?
    private var waker: HTTPStreamWaker?
    private var pending: Mailbox<Result<Piece, any Error>>?
    private var prepared: [UInt8] = []
    private var isFinished = false

    /// The workers read all pieces but the first; nil stands for the calling thread.
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
            guard let result = pending.take() else { return .waiting(atMost: Self.longestWait) }
            self.pending = nil
            let piece = try result.get()
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
