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
    private let models: Locked<[Model]>
    private let observers: Locked<[@Sendable ([Model]) -> Void]> = Locked([])
    private let updates = NonReentrantLock()

    /// Creates models in their order.
    public init(_ models: [Model] = []) { self.models = Locked(models) }

    /// The current models; during an update, those before it.
    public var all: [Model] { models.withLock { $0 } }

    /// Changes the models, and then the lists that show them.
    ///
    /// Updates run one after the other. An update of the same models inside `change` stops the
    /// program, because one of the two would be lost.
    ///
    /// - Parameter change: Changes the models; nothing changes if it throws.
    /// - Returns: The result of `change`.
    /// - Throws: The error of `change`.
    @discardableResult
    public func update<Value, Failure: Error>(
        _ change: (inout [Model]) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard updates.enter() else {
            preconditionFailure("Models.update inside an update of the same models")
        }
        defer { updates.leave() }
        var changed = all
        let value = try change(&changed)
        models.withLock { [changed] in $0 = changed }
        for observer in observers.withLock({ $0 }) { observer(changed) }
        return value
    }

    /// Calls a closure now and after each update, with the models.
    ///
    /// The closure runs inside the update, so that it receives the states in their order.
    func observe(_ observer: @escaping @Sendable ([Model]) -> Void) {
        observers.withLock { $0.append(observer) }
        update { _ in }
    }
}
