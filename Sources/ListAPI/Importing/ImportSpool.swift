import HTTP
import Locks
import System

/// A sink that stores the content of an import in an unnamed file.
final class ImportSpool: HTTPBodySink {
    private struct State {
        var bytes = 0
        var failure: SystemError?
        var envelope: FileEnvelope?
    }

    let file: TemporaryFile
    /// The reservation of the list during the import.
    let hold: ImportQueue.Hold
    private let state: Locked<State>

    init(
        _ hold: ImportQueue.Hold,
        in folder: String,
        envelope: FileEnvelope?
    ) throws(SystemError) {
        file = try TemporaryFile(in: folder)
        self.hold = hold
        state = Locked(State(envelope: envelope))
    }

    init(_ hold: ImportQueue.Hold, sharing other: ImportSpool) {
        file = other.file
        self.hold = hold
        state = Locked(State(bytes: other.count))
    }

    /// The number of bytes received.
    var count: Int { state.withLock { $0.bytes } }

    /// The envelope of the content, if a form has sent it.
    var envelope: FileEnvelope? { state.withLock { $0.envelope } }

    var failure: SystemError? { state.withLock { $0.failure } }

    func take(_ bytes: borrowing Span<UInt8>) {
        guard failure == nil else { return }
        do throws(SystemError) {
            var count = bytes.count
            if var envelope {
                let content = envelope.take(bytes)
                try file.append(content.span)
                count = content.count
                state.withLock { [envelope] in $0.envelope = envelope }
            } else {
                try file.append(bytes)
            }
            state.withLock { [count] in $0.bytes += count }
        } catch {
            state.withLock { $0.failure = error }
        }
    }
}
