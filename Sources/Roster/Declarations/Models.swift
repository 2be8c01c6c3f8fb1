import Locks

/// Models that a program changes while their lists are served.
///
/// ```swift
/// let tasks = Models([Task(id: 1, title: "Write")])
///
/// var lists: some Lists {
///     List("tasks", live: tasks) { Column(\.title) }
/// }
///
/// tasks.update { $0.append(Task(id: 2, title: "Read")) }
/// ```
///
/// Clients that follow a list learn of each change.
public final class Models<Model: Sendable>: Sendable {
    private struct State: Sendable {
        var models: [Model]
        var observers: [@Sendable () -> Void] = []
    }

    private let state: Locked<State>

    /// Creates models in their order.
    public init(_ models: [Model] = []) { state = Locked(State(models: models)) }

    /// The current models.
    public var all: [Model] { state.withLock { $0.models } }

    /// Changes the models, and then the lists that show them.
    public func update(_ change: (inout [Model]) -> Void) {
        state.withLock { change(&$0.models) }
        for observer in state.withLock({ $0.observers }) { observer() }
    }

    /// Calls a closure after each update.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observer) }
    }
}
