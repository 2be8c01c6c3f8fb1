import HTTP
import Locks
import Sockets

/// The content of an import on its way in, kept in a file without a name.
final class ImportSpool: HTTPBodySink {
    private struct State {
        var bytes = 0
        var failure: SystemError?
    }

    /// Where the content is.
    let file: TemporaryFile
    /// Keeps others from importing meanwhile.
    let hold: ImportBoard.Hold
    private let state = Locked(State())

    /// Makes room for content.
    ///
    /// - Throws: ``SystemError`` when nothing can be kept in the folder.
    init(_ hold: ImportBoard.Hold, in folder: String) throws(SystemError) {
        file = try TemporaryFile(in: folder)
        self.hold = hold
    }

    /// The bytes that came.
    var count: Int { state.withLock { $0.bytes } }

    /// Why not all of it is there.
    var failure: SystemError? { state.withLock { $0.failure } }

    func take(_ bytes: borrowing Span<UInt8>) {
        guard failure == nil else { return }
        do throws(SystemError) {
            try file.append(bytes)
            let count = bytes.count
            state.withLock { $0.bytes += count }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
