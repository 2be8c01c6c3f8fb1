/// The rows that were chosen from a list, by their ids, in the order they were chosen in.
///
/// It belongs to whoever chooses, not to the list: it goes on when the rows move, and
/// ``keep(where:)`` forgets those that are gone.
public struct Selection: Hashable, Sendable {
    /// How many rows may be chosen.
    public enum Mode: Hashable, Sendable {
        /// At most one: choosing another one gives up the first.
        case single
        /// Any number.
        case multiple
    }

    /// How many rows may be chosen.
    public let mode: Mode
    /// The ids of the chosen rows, in the order they were chosen in.
    public private(set) var ids: [String] = []

    /// Creates an empty selection.
    public init(_ mode: Mode) { self.mode = mode }

    /// Whether a row is chosen. O(chosen rows), as all below.
    public func contains(_ id: String) -> Bool { ids.contains(id) }

    /// Chooses a row; choosing it again changes nothing.
    public mutating func select(_ id: String) {
        guard !contains(id) else { return }
        if mode == .single { ids = [] }
        ids.append(id)
    }

    /// Gives a row up; one that is not chosen changes nothing.
    public mutating func deselect(_ id: String) { ids.removeAll { $0 == id } }

    /// Chooses a row, or gives it up when it is chosen.
    public mutating func toggle(_ id: String) {
        if contains(id) { deselect(id) } else { select(id) }
    }

    /// Gives all rows up.
    public mutating func removeAll() { ids = [] }

    /// Gives up the rows for which a condition does not hold, for example that they still exist.
    public mutating func keep(where holds: (String) throws -> Bool) rethrows {
        ids = try ids.filter(holds)
    }
}
