import Listings
import Locks
import Synchronization

/// Who may do what at the moment; read anew when the program is told to.
package final class AccessBoard: Sendable {
    private let path: String
    private let lists: [ListDefinition]
    private let openness: AccessTable.Openness
    private let table: Locked<AccessTable>
    private let count = Atomic(0)

    /// Reads the file of tokens.
    ///
    /// - Throws: ``Failure`` when it cannot be read or is not understood.
    init(
        _ path: String,
        _ lists: [ListDefinition],
        _ openness: AccessTable.Openness
    ) throws(Failure) {
        self.path = path
        self.lists = lists
        self.openness = openness
        table = Locked(try Self.read(path, lists, openness))
    }

    /// Reads the file again; what was there stays when it cannot be.
    func reload() {
        do throws(Failure) {
            let new = try Self.read(path, lists, openness)
            table.replace(with: new)
            count.add(1, ordering: .releasing)
            Diagnostics.write("--tokens: \(path) was read again")
        } catch {
            Diagnostics.write("--tokens: \(error.text); the old ones are kept")
        }
    }

    /// Whether those who do not say who they are may read.
    var isOpen: Bool { openness.reading }

    /// How often the file was read again.
    var generation: Int { count.load(ordering: .acquiring) }

    /// What the file says.
    var current: AccessTable { table.withLock { $0 } }

    private static func read(
        _ path: String,
        _ lists: [ListDefinition],
        _ openness: AccessTable.Openness
    ) throws(Failure) -> AccessTable {
        let text = try SettingsFile.text(of: path)
        return try AccessTable(try AccessEntry.read(text, of: path), lists, openness)
    }
}
