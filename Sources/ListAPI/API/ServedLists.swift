package import Listings
import Locks
import Synchronization

/// A loop compares one number for each request, and adopts the lists after a change.
package final class ServedLists: Sendable {
    struct State: Sendable {
        var generation = 0
        var lists: [ListDefinition]
        var failures: [FailedSource] = []
        /// The generation in which each list was defined, by its name.
        var numbers: [String: Int] = [:]
    }

    private static let period = Duration.seconds(1)

    private let count = Atomic(0)
    private let state: Locked<State>
    private let databases: Locked<[any ChangingLists]>
    private let check = Locked((last: ContinuousClock.now, isRunning: false))
    private let fixed: [ListDefinition]
    private let fixedFailures: [FailedSource]
    private let order: [String: Int]
    private let access = Locked<AccessPolicyStore?>(nil)
    private let follower = Locked<(@Sendable ([ListDefinition]) -> Void)?>(nil)

    /// `order` names lists in the order to show them; others follow.
    package init(
        _ fixed: [ListDefinition],
        _ databases: [any ChangingLists],
        order: [String] = [],
        failures: [FailedSource] = []
    ) {
        self.fixed = fixed
        fixedFailures = failures
        let positions = order.enumerated().map { ($0.element, $0.offset) }
        self.order = Dictionary(positions) { first, _ in first }
        state = Locked(
            State(
                lists: Self.all(fixed, databases, self.order),
                failures: failures + databases.flatMap { $0.failures }
            )
        )
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
            let failures = fixedFailures + databases.flatMap { $0.failures }
            if !change.others.isEmpty || !change.gone.isEmpty || failures != current.failures {
                publish(Self.all(fixed, databases, order), failures, change.others)
            }
            for message in change.messages { Diagnostics.write(message) }
        }
    }

    private func publish(
        _ lists: [ListDefinition],
        _ failures: [FailedSource],
        _ others: Set<String>
    ) {
        state.withLock { state in
            state.generation += 1
            for name in others { state.numbers[name] = state.generation }
            (state.lists, state.failures) = (lists, failures)
            // Lists and access rules change together, because scopes refer to columns by position.
            follower.withLock { $0 }?(lists)
            access.withLock { $0 }?.understand(lists, generation: state.generation)
            count.store(state.generation, ordering: .releasing)
        }
    }
}

package protocol ChangingLists: Sendable {
    var definitions: [ListDefinition] { get }
    var failures: [FailedSource] { get }

    /// The lists may not have the `taken` names; where describing them fails, the former ones stay.
    mutating func refresh(besides taken: Set<String>, isForced: Bool) throws(Failure) -> ListChanges
}

/// A source whose lists are missing or stale, because it cannot be read.
package struct FailedSource: Hashable, Sendable {
    package let name: String
    package let reason: String

    /// The reason begins after the path, which clients may not see.
    package init(at path: String, _ failure: Failure) {
        let line = failure.text.split(separator: "\n").first ?? ""
        name = path.split { $0 == "/" || $0.isNewline }.last.map(String.init) ?? path
        reason =
            line.hasPrefix(path)
            ? String(line.dropFirst(path.count).drop { $0 == ":" || $0 == " " })
            : "cannot be read; the log has the reason"
    }
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
