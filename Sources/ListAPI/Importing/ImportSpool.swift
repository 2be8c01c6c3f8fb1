import HTTP
import Locks
import Rendering
import System

final class ImportSpool: HTTPBodySink {
    private struct State {
        var bytes = 0
        var failure: SystemError?
        var envelope: FileEnvelope?
    }

    let file: TemporaryFile
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

    var count: Int { state.withLock { $0.bytes } }

    var envelope: FileEnvelope? { state.withLock { $0.envelope } }

    /// The name of the file in a form.
    func fileName() throws(Problem) -> String {
        let envelope = envelope
        do throws(FileEnvelope.Failure) { try envelope?.finish() } catch {
            let detail: Text = "The form has no file, or more than one; nothing was imported."
            throw Problem(.malformedContent, detail)
        }
        return envelope?.fileName ?? ""
    }

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
