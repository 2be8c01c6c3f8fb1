import Listings
import Locks
import Synchronization

/// Who may do what at the moment; read anew when the program is told to.
package final class AccessBoard: Sendable {
    /// The rules of the file, and the lists they are for.
    private struct State: Sendable {
        var lists: [ListDefinition]
        var generation = 0
        var entries: [AccessEntry]
        var table: AccessTable
    }

    private let path: String
    private let openness: AccessTable.Openness
    private let state: Locked<State>
    private let count = Atomic(0)

    /// Reads the file of tokens, of lists that nobody writes to.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - lists: The lists.
    ///   - isOpen: Whether those without a token may read.
    /// - Throws: ``Failure`` when it cannot be read or is not understood.
    package convenience init(
        _ path: String,
        _ lists: [ListDefinition],
        isOpen: Bool
    ) throws(Failure) {
        try self.init(path, lists, AccessTable.Openness(reading: isOpen))
    }

    /// Reads the file of tokens.
    ///
    /// - Throws: ``Failure`` when it cannot be read or is not understood.
    init(
        _ path: String,
        _ lists: [ListDefinition],
        _ openness: AccessTable.Openness
    ) throws(Failure) {
        self.path = path
        self.openness = openness
        let entries = try Self.read(path)
        let table = try AccessTable(entries, lists, openness)
        state = Locked(State(lists: lists, entries: entries, table: table))
    }

    /// Reads the file again; what was there stays when it cannot be.
    func reload() {
        do throws(Failure) {
            let entries = try Self.read(path)
            try state.withLock { (state) throws(Failure) in
                let (lists, generation) = (state.lists, state.generation)
                state.table = try AccessTable(entries, lists, openness, generation: generation)
                state.entries = entries
            }
            count.add(1, ordering: .releasing)
            Diagnostics.write("--tokens: \(path) was read again")
        } catch {
            Diagnostics.write("--tokens: \(error.text); the old ones are kept", .error)
        }
    }

    /// Understands what was read for other lists.
    ///
    /// A scope that names a column which is gone shows nothing of its list, and the operator is told.
    func understand(_ lists: [ListDefinition], generation: Int) {
        state.withLock { state in
            (state.lists, state.generation) = (lists, generation)
            state.table = AccessTable(
                understanding: state.entries,
                lists,
                openness,
                generation: generation
            ) { Diagnostics.write("--tokens: \($0.text)") }
        }
        count.add(1, ordering: .releasing)
    }

    /// Whether those who do not say who they are may read.
    var isOpen: Bool { openness.reading }

    /// How often the file was read again.
    var generation: Int { count.load(ordering: .acquiring) }

    /// What the file says.
    var current: AccessTable { state.withLock { $0.table } }

    private static func read(_ path: String) throws(Failure) -> [AccessEntry] {
        try AccessEntry.read(try SettingsFile.text(of: path), of: path)
    }
}
