import Bytes
import HTTP
import System

/// A body stream that compresses another one.
final class GzipStream: HTTPBodyStream {
    private let stream: any HTTPBodyStream
    private let encoder: GzipEncoder
    private var piece = ByteBuffer(minimumCapacity: 16 * 1024)

    /// Compresses a stream with an encoder of its own.
    init(_ stream: any HTTPBodyStream, _ encoder: GzipEncoder) {
        self.stream = stream
        self.encoder = encoder
        encoder.begin()
    }

    func begin(waker: HTTPStreamWaker) { stream.begin(waker: waker) }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        piece.removeAll()
        let before = buffer.count
        let state = try stream.write(into: &piece)
        if piece.count > 0 { piece.withBytes { encoder.write($0, into: &buffer) } }
        if state == .finished { encoder.finish(into: &buffer) }
        // The encoder may take much input before any output, so other connections get a turn.
        return state == .more && buffer.count == before ? .waiting(atMost: .zero) : state
    }
}
