import Locks
import Synchronization

/// The parts of a service that a reload replaces at run time.
///
/// A loop compares one number for each request, and adopts the parts after a change.
package final class ReloadState: Sendable {
    /// The parts of the last reload.
    package struct State: Sendable {
        /// The number of replacements.
        package var generation = 0
        package var options = ServiceOptions()
        /// The public files.
        package var assets: AssetLibrary
        package var middleware = Middleware.Settings()
    }

    private let count = Atomic(0)
    private let state: Locked<State>

    /// Creates a board with the initial public files and default options.
    package init(assets: AssetLibrary) { state = Locked(State(assets: assets)) }

    /// The number of replacements.
    package var generation: Int { count.load(ordering: .acquiring) }

    /// The current parts.
    package var current: State { state.withLock { $0 } }

    /// Completes the parts before any loop serves.
    package func prepare(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Replaces the parts; loops adopt them with their next request.
    package func publish(_ new: State) {
        state.withLock { state in
            let generation = state.generation + 1
            state = new
            state.generation = generation
            count.store(generation, ordering: .releasing)
        }
    }
}
