import Database
import Listings
import Locks

/// All sessions of a list share it.
///
/// Checks take a tenth of the time while another program writes.
package final class DescriptionCheck: Sendable {
    private struct State {
        var list: ForeignCatalog.List?
        /// The last version that the description fits, and the time of the next check.
        var version: ListVersion?
        var next = ContinuousClock.now
    }

    private let entry: TableEntry
    private let key: [String]?
    private let steps: Int
    private let state = Locked(State())

    init(_ entry: TableEntry, key: [String]?, steps: Int) {
        (self.entry, self.key, self.steps) = (entry, key, steps)
    }

    func describe(
        _ name: String,
        _ connection: DatabaseConnection
    ) throws(ForeignCatalog.Reason) -> (list: ForeignCatalog.List, table: ExternalTable) {
        let table = try ExternalTable(entry, connection, key: key, steps: steps)
        let list = try table.list(named: name)
        state.withLock { $0.list = $0.list ?? list }
        return (list, table)
    }

    /// Nil if it is too early to check that.
    ///
    /// A caller that never waits is refused as if by a lock.
    func fits(
        _ version: ListVersion,
        _ connection: DatabaseConnection,
        neverWaits: Bool
    ) throws(ReadingError) -> Bool? {
        let known = state.withLock { $0 }
        guard known.version != version, let list = known.list else { return true }
        guard known.next <= .now else { return nil }
        guard !neverWaits else { throw .engine(.locked) }
        let start = ContinuousClock.now
        // A table that cannot be described does not fit.
        let found = try? describe(list.name, connection).list
        let fits = found.map { "\($0.table) \($0.columns)" } == "\(list.table) \(list.columns)"
        let next = ContinuousClock.now + start.duration(to: .now) * 9
        state.withLock { $0 = State(list: list, version: fits ? version : nil, next: next) }
        return fits
    }
}
