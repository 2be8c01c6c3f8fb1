package import Listings
import Locks
import Synchronization

package final class AccessPolicyStore: Sendable {
    private struct State: Sendable {
        var lists: [ListDefinition]
        var generation = 0
        var entries: [AccessCredential]
        var table: AccessPolicy
    }

    /// The token file; nil if the program identifies callers.
    private let path: String?
    private let openness: AccessPolicy.Openness
    private let state: Locked<State>
    private let count = Atomic(0)
    private let identified = Locked(LRUCache<AccessCredential, Caller>(capacity: 256))

    package init(
        _ path: String,
        _ lists: [ListDefinition],
        _ openness: AccessPolicy.Openness
    ) throws(Failure) {
        self.path = path
        self.openness = openness
        let entries = try Self.read(path)
        let table = try AccessPolicy(entries, lists, openness)
        state = Locked(State(lists: lists, entries: entries, table: table))
        warn(of: entries)
    }

    package init(identifying lists: [ListDefinition]) {
        path = nil
        openness = AccessPolicy.Openness(reading: false)
        let table = AccessPolicy(understanding: [], lists, openness, generation: 0) { _ in }
        state = Locked(State(lists: lists, entries: [], table: table))
    }

    /// Returns the caller of an entry, with a scope of its own, because rows may depend on it.
    func caller(_ entry: AccessCredential) throws(Failure) -> Caller {
        let known = identified.withLock { cache in
            let known = cache.take(entry)
            if let known { cache.insert(known, for: entry) }
            return known
        }
        if let known { return known }
        let (lists, generation) = state.withLock { ($0.lists, $0.generation) }
        let table = try AccessPolicy([entry], lists, openness, generation: generation)
        guard let caller = table.caller(named: entry.name) else {
            preconditionFailure("a policy without its caller")
        }
        identified.withLock { $0.insert(caller, for: entry) }
        return caller
    }

    private func warn(of entries: [AccessCredential]) {
        let names = entries.filter { $0.grants.contains { $0.conditions != nil } }.map(\.name)
        guard openness.reading, let first = names.first else { return }
        let others = names.count > 1 ? " and \(names.count - 1) more" : ""
        Diagnostics.write(
            "--tokens: clients without a token read all rows, also those that '\(first)'\(others) "
                + "may not see; --anonymous none prevents that"
        )
    }

    @discardableResult
    package func reload() -> Bool {
        guard let path else { return true }
        do throws(Failure) {
            let entries = try Self.read(path)
            try state.withLock { (state) throws(Failure) in
                let (lists, generation) = (state.lists, state.generation)
                state.table = try AccessPolicy(entries, lists, openness, generation: generation)
                state.entries = entries
            }
            warn(of: entries)
            count.add(1, ordering: .releasing)
            Diagnostics.write("--tokens: \(path) was read again")
            return true
        } catch {
            Diagnostics.write("--tokens: \(error.text); the old tokens stay in use", .error)
            return false
        }
    }

    /// A scope that names a missing column hides its list, and the error is logged.
    func understand(_ lists: [ListDefinition], generation: Int) {
        state.withLock { state in
            (state.lists, state.generation) = (lists, generation)
            state.table = AccessPolicy(
                understanding: state.entries,
                lists,
                openness,
                generation: generation
            ) { Diagnostics.write("--tokens: \($0.text)") }
        }
        count.add(1, ordering: .releasing)
    }

    var isOpen: Bool { openness.reading }

    var generation: Int { count.load(ordering: .acquiring) }

    var current: AccessPolicy { state.withLock { $0.table } }

    private static func read(_ path: String) throws(Failure) -> [AccessCredential] {
        try AccessCredential.read(try SettingsFile.text(of: path), of: path)
    }
}
