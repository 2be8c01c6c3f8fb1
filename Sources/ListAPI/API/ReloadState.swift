import Locks
import Synchronization

/// A loop compares one number for each request, and adopts the parts after a change.
package final class ReloadState: Sendable {
    package struct State: Sendable {
        package var generation = 0
        package var options = ServiceOptions()
        package var assets: AssetLibrary
        package var middleware = Middleware.Settings()
    }

    private let count = Atomic(0)
    private let state: Locked<State>

    package init(assets: AssetLibrary) { state = Locked(State(assets: assets)) }

    package var generation: Int { count.load(ordering: .acquiring) }

    package var current: State { state.withLock { $0 } }

    package func prepare(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    package func publish(_ new: State) {
        state.withLock { state in
            let generation = state.generation + 1
            state = new
            state.generation = generation
            count.store(generation, ordering: .releasing)
        }
    }
}
