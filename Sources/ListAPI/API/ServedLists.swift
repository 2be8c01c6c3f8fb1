package import Listings
import Locks
import Synchronization

/// The served lists, which change with the schemas of their databases.
///
/// A loop compares one number for each request, and adopts the lists after a change.
package final class ServedLists: Sendable {
    struct State: Sendable {
        var generation = 0
        var lists: [ListDefinition]
        /// The generation in which each list was defined, by its name.
        var numbers: [String: Int] = [:]
    }

    /// The shortest time between two searches for unknown lists.
    private static let period = Duration.seconds(1)

    private let count = Atomic(0)
    private let state: Locked<State>
    private let databases: Locked<[any ChangingLists]>
    private let look = Locked((last: ContinuousClock.now, isRunning: false))
    private let fixed: [ListDefinition]
    /// The position of each list of the start.
    private let order: [String: Int]
    /// The access rules, which refer to columns.
    private let access = Locked<AccessPolicyStore?>(nil)

    /// `order` names lists in the order to show them; others follow.
    package init(
        _ fixed: [ListDefinition],
        _ databases: [any ChangingLists],
        order: [String] = []
    ) {
        self.fixed = fixed
        let positions = order.enumerated().map { ($0.element, $0.offset) }
        self.order = Dictionary(positions) { first, _ in first }
        state = Locked(State(lists: Self.all(fixed, databases, self.order)))
        self.databases = Locked(databases)
    }

    private static func all(
        _ fixed: [ListDefinition],
        _ databases: [any ChangingLists],
        _ order: [String: Int]
    ) -> [ListDefinition] {
        let all = fixed + databases.flatMap { $0.definitions }
        let positions = all.indices.map { (order[all[$0].name] ?? .max, $0) }
        return positions.sorted { $0 < $1 }.map { all[$0.1] }
    }

    var generation: Int { count.load(ordering: .acquiring) }

    var current: State { state.withLock { $0 } }

    /// Makes the access rules be resolved again whenever the lists change.
    package func follow(with access: AccessPolicyStore) { self.access.replace(with: access) }

    /// Whether a search for unknown lists may begin, at most once a second.
    var mayLook: Bool {
        look.withLock { !$0.isRunning && $0.last.duration(to: .now) >= Self.period }
    }

    /// Begins a search for unknown lists, if it may begin.
    func takeLook() -> Bool {
        guard mayLook else { return false }
        look.withLock { $0 = (.now, true) }
        return true
    }

    /// Describes the lists of all databases again whose schemas have changed.
    ///
    /// It blocks on databases, so that an event loop must not call it.
    package func refresh(isForced: Bool = false) {
        // One search at a time, so that a locked database blocks one thread instead of many.
        defer { look.withLock { $0 = (.now, false) } }
        databases.withLock { databases in
            var change = ListChanges()
            for index in databases.indices {
                var taken = Set(fixed.map(\.name))
                for (other, database) in databases.enumerated() where other != index {
                    taken.formUnion(database.definitions.map(\.name))
                }
                do throws(Failure) {
                    let found = try databases[index].refresh(besides: taken, isForced: isForced)
                    change.others.formUnion(found.others)
                    change.gone.formUnion(found.gone)
                    change.messages += found.messages
                } catch {
                    Diagnostics.write("\(error.text); its lists stay as they are", .error)
                }
            }
            if !change.others.isEmpty || !change.gone.isEmpty {
                publish(Self.all(fixed, databases, order), change.others)
            }
            for message in change.messages { Diagnostics.write(message) }
        }
    }

    private func publish(_ lists: [ListDefinition], _ others: Set<String>) {
        state.withLock { state in
            state.generation += 1
            for name in others { state.numbers[name] = state.generation }
            state.lists = lists
            // Lists and access rules change together, because scopes refer to columns by position.
            access.withLock { $0 }?.understand(lists, generation: state.generation)
            count.store(state.generation, ordering: .releasing)
        }
    }
}

/// Lists whose definitions may change, such as those of a database.
package protocol ChangingLists: Sendable {
    var definitions: [ListDefinition] { get }

    /// Describes the lists again if their schema has changed.
    ///
    /// These lists may not have the `taken` names. When they cannot be described, the former
    /// definitions stay.
    mutating func refresh(besides taken: Set<String>, isForced: Bool) throws(Failure) -> ListChanges
}

package struct ListChanges: Sendable {
    /// The names of lists that are new or changed.
    package var others: Set<String>
    package var gone: Set<String>
    /// The messages for the operator.
    package var messages: [String]

    package init(
        others: Set<String> = [],
        gone: Set<String> = [],
        messages: [String] = []
    ) {
        self.others = others
        self.gone = gone
        self.messages = messages
    }
}
