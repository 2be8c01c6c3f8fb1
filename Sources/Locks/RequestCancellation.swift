package final class RequestCancellation: Sendable {
    /// That of the request which the current thread handles; nil if none can end.
    @TaskLocal package static var current: RequestCancellation?

    private struct State: Sendable {
        var isCancelled = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Calls a closure when nobody waits for the response any longer, or now if that is so.
    package func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.actions.append(action) }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    package func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action() }
    }
}
