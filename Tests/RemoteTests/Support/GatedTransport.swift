import Locks
import RemoteLists
import System

/// Lets nobody through before it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Asks as another transport does, once a gate is open.
struct GatedTransport: RemoteTransport {
    private let gate: Gate
    private let transport: any RemoteTransport

    init(_ gate: Gate, _ transport: any RemoteTransport) {
        self.gate = gate
        self.transport = transport
    }

    func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        await gate.pass()
        return try await transport.send(request)
    }

    func refreshEnded() { transport.refreshEnded() }
}
