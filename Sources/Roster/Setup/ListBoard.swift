import Listings
import Locks
import Synchronization

/// The lists that are served, which change with the schemas of the databases they stand in.
///
/// A loop compares one number for each request, and takes the lists over when it has moved on.
package final class ListBoard: Sendable {
    /// The lists at a time.
    struct State: Sendable {
        /// The number of times the lists changed.
        var generation = 0
        var lists: [ListDefinition]
        /// The generation that each list, by its name, was defined in.
        var numbers: [String: Int] = [:]
    }

    /// The shortest time between two looks for lists that no loop knows.
    private static let period = Duration.seconds(1)

    private let count = Atomic(0)
    private let state: Locked<State>
    private let databases: Locked<[DatabaseLists]>
    private let look = Locked((last: ContinuousClock.now, isRunning: false))
    private let fixed: [ListDefinition]
    /// The access rules, which name columns.
    private let access = Locked<AccessBoard?>(nil)

    /// Serves lists.
    ///
    /// - Parameters:
    ///   - fixed: Those that do not change.
    ///   - databases: Those that others define.
    init(_ fixed: [ListDefinition], _ databases: [DatabaseLists]) {
        self.fixed = fixed
        state = Locked(State(lists: Self.all(fixed, databases)))
        self.databases = Locked(databases)
    }

    private static func all(
        _ fixed: [ListDefinition],
        _ databases: [DatabaseLists]
    ) -> [ListDefinition] {
        fixed + databases.flatMap { $0.lists.map(\.definition) }
    }

    /// The number of times the lists changed.
    var generation: Int { count.load(ordering: .acquiring) }

    /// The lists now.
    var current: State { state.withLock { $0 } }

    /// Has who may do what be understood anew whenever there are other lists.
    func follow(with access: AccessBoard) { self.access.replace(with: access) }

    /// Whether lists that no loop knows may be looked for again; at most once a second.
    func takeLook() -> Bool {
        look.withLock { look in
            guard !look.isRunning, look.last.duration(to: .now) >= Self.period else { return false }
            look = (.now, true)
            return true
        }
    }

    /// Allows a look at once: the one taken was left to another thread.
    func allowLook() { look.withLock { $0 = ($0.last - Self.period, false) } }

    /// Describes the lists of databases anew that have another schema than before.
    ///
    /// It waits for databases, and so is nothing for a loop that others wait for.
    ///
    /// - Parameter isForced: Whether all are described anew.
    func refresh(isForced: Bool = false) {
        // One look at a time: a database that is locked keeps one thread, and not one for each request.
        defer { look.withLock { $0 = (.now, false) } }
        databases.withLock { databases in
            var change = DatabaseLists.Change()
            for index in databases.indices {
                var taken = Set(fixed.map(\.name))
                for (other, database) in databases.enumerated() where other != index {
                    taken.formUnion(database.lists.map(\.definition.name))
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
                publish(Self.all(fixed, databases), change.others)
            }
            for message in change.messages { Diagnostics.write(message) }
        }
    }

    private func publish(_ lists: [ListDefinition], _ others: Set<String>) {
        state.withLock { state in
            state.generation += 1
            for name in others { state.numbers[name] = state.generation }
            state.lists = lists
            // Who sees these lists sees what is said of them: scopes name columns by their places.
            access.withLock { $0 }?.understand(lists, generation: state.generation)
            count.store(state.generation, ordering: .releasing)
        }
    }
}
