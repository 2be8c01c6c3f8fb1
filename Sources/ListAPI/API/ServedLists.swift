package import Listings
import Locks
import Synchronization

/// A loop compares one number for each request, and adopts the lists after a change.
package final class ServedLists: Sendable {
    struct State: Sendable {
        var generation = 0
        var lists: [ListDefinition]
        /// The generation in which each list was defined, by its name.
        var numbers: [String: Int] = [:]
    }

    private static let period = Duration.seconds(1)

    private let count = Atomic(0)
    private let state: Locked<State>
    private let databases: Locked<[any ChangingLists]>
    private let check = Locked((last: ContinuousClock.now, isRunning: false))
    private let fixed: [ListDefinition]
    private let order: [String: Int]
    private let access = Locked<AccessPolicyStore?>(nil)
    private let follower = Locked<(@Sendable ([ListDefinition]) -> Void)?>(nil)

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

    package var names: [String] { state.withLock { $0.lists.map(\.name) } }

    var current: State { state.withLock { $0 } }

    /// Calls an action with all lists whenever they change.
    package func follow(_ action: @escaping @Sendable ([ListDefinition]) -> Void) {
        follower.replace(with: action)
    }

    /// Makes the access rules be resolved again whenever the lists change.
    package func follow(with access: AccessPolicyStore) { self.access.replace(with: access) }

    var mayCheck: Bool {
        check.withLock { !$0.isRunning && $0.last.duration(to: .now) >= Self.period }
    }

    func beginCheck() -> Bool {
        guard mayCheck else { return false }
        check.withLock { $0 = (.now, true) }
        return true
    }

    /// It blocks on databases, so that an event loop must not call it.
    package func refresh(isForced: Bool = false) {
        // One search at a time, so that a locked database blocks one thread instead of many.
        defer { check.withLock { $0 = (.now, false) } }
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
            follower.withLock { $0 }?(lists)
            access.withLock { $0 }?.understand(lists, generation: state.generation)
            count.store(state.generation, ordering: .releasing)
        }
    }
}

package protocol ChangingLists: Sendable {
    var definitions: [ListDefinition] { get }

    /// The lists may not have the `taken` names; where describing them fails, the former ones stay.
    mutating func refresh(besides taken: Set<String>, isForced: Bool) throws(Failure) -> ListChanges
}

package struct ListChanges: Sendable {
    package var others: Set<String>
    package var gone: Set<String>
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
