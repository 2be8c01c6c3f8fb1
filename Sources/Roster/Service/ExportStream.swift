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
    /// The time after which it is looked for a piece that nobody has told of.
    private static let longestWait = Duration.seconds(30)

    /// Rows as they were drawn, and where the next ones begin.
    private struct Piece: Sendable {
        let bytes: [UInt8]
        let next: Cursor?
    }

    /// The list, on the thread that asks for the pieces.
    private(set) var endpoint: ListEndpoint
    private let renderer: any RowRenderer
    private var query: ListQuery
    /// Reads what takes longer than a turn; nil where the loop takes its time.
    private var workers: ServiceWorkers?
    private var waker: HTTPStreamWaker?
    /// The piece that is made elsewhere.
    private var asked: Handback<Result<Piece, any Error>>?
    /// Whether a piece took longer than a turn: so will the others.
    private var isSlow = false
    /// What was drawn before the first piece was asked for.
    private var prepared: [UInt8] = []
    private var isFinished = false

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - query: What to export, from where it starts to the end.
    ///   - endpoint: The list, on the loop that will ask for the pieces.
    ///   - renderer: Draws the rows.
    ///   - workers: Read what takes longer than a turn; nil where there is none.
    init(
        _ query: ListQuery,
        of endpoint: ListEndpoint,
        with renderer: any RowRenderer,
        _ workers: ServiceWorkers?
    ) {
        self.query = query
        self.query.shape = .flow(limit: Self.rowsAtOnce)
        self.endpoint = endpoint
        self.renderer = renderer
        self.workers = workers
    }

    deinit { asked?.cancel() }

    /// Draws the first piece ahead, so that rows which cannot be read are noticed in time.
    ///
    /// - Throws: ``SourceError`` when they cannot.
    func prepare() throws(SourceError) {
        var buffer = ByteBuffer(minimumCapacity: 32 * 1024)
        try endpoint.read(query)
        renderer.renderStart(of: endpoint.page, to: &buffer)
        renderer.renderRows(of: endpoint.page, to: &buffer)
        goOn(at: endpoint.page.next)
        prepared = buffer.array()
    }

    /// Goes on at another thread, whose list it is from now on.
    func move(to endpoint: ListEndpoint, _ workers: ServiceWorkers?) {
        self.endpoint = endpoint
        self.workers = workers
        isSlow = true
    }

    func begin(waker: HTTPStreamWaker) { self.waker = waker }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        if !prepared.isEmpty {
            buffer.append(prepared)
            prepared = []
        } else if let asked {
            guard let piece = asked.take() else { return .waiting(atMost: Self.longestWait) }
            self.asked = nil
            buffer.append(try piece.get().bytes)
            goOn(at: try piece.get().next)
        } else if !isFinished {
            guard try readInTurn() else { return ask() }
            renderer.renderRows(of: endpoint.page, to: &buffer)
            goOn(at: endpoint.page.next)
        }
        return isFinished ? .finished : .more
    }

    /// Reads the next rows; false where that takes longer than a turn.
    private func readInTurn() throws -> Bool {
        guard workers == nil || !isSlow else { return false }
        let isRead: Void? = try endpoint.inTurn { () throws(SourceError) in
            try endpoint.read(query)
        }
        isSlow = isRead == nil
        return !isSlow
    }

    /// Has the next rows be read by somebody who may wait.
    private func ask() -> HTTPStreamState {
        asked = workers?.ask(.exporting, of: endpoint, waking: waker) {
            [query, renderer] _, endpoint in
            var buffer = ByteBuffer(minimumCapacity: 32 * 1024)
            try endpoint.read(query)
            renderer.renderRows(of: endpoint.page, to: &buffer)
            return Piece(bytes: buffer.array(), next: endpoint.page.next)
        }
        // Where there is no room it is asked for again.
        return .waiting(atMost: asked == nil ? .milliseconds(100) : Self.longestWait)
    }

    private func goOn(at next: Cursor?) {
        if let next { query.start = .after(next) } else { isFinished = true }
        // Whoever has begun to receive it waits rather than receive a part.
        query.isPatient = true
        guard query.isNarrowed else { return }
        query.shape = .flow(limit: min(2 * query.shape.limit, Self.maximumRowsAtOnce))
    }
}
