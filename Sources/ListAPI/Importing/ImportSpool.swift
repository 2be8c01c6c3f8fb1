import HTTP
import Locks
import System

/// A sink that stores the content of an import in an unnamed file.
final class ImportSpool: HTTPBodySink {
    private struct State {
        var bytes = 0
        var failure: SystemError?
    }

    /// The file with the content.
    let file: TemporaryFile
    /// The reservation of the list during the import.
    let hold: ImportQueue.Hold
    private let state = Locked(State())

    /// Creates an empty file.
    ///
    /// - Throws: ``SystemError`` when the folder cannot store it.
    init(_ hold: ImportQueue.Hold, in folder: String) throws(SystemError) {
        file = try TemporaryFile(in: folder)
        self.hold = hold
    }

    /// The number of bytes received.
    var count: Int { state.withLock { $0.bytes } }

    /// The error that stopped storing the content.
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
