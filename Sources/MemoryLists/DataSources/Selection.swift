/// The ids of the rows selected in a list, in the order of selection.
///
/// A selection belongs to the client, not to the list. It survives moves of rows, and
/// ``keep(where:)`` removes rows that no longer exist.
public struct Selection: Hashable, Sendable {
    /// The number of rows that may be selected.
    public enum Mode: Hashable, Sendable {
        /// At most one: selecting another row deselects the first.
        case single
        /// Any number.
        case multiple
    }

    /// The number of rows that may be selected.
    public let mode: Mode
    /// The ids of the selected rows, in the order of selection.
    public private(set) var ids: [String] = []

    /// Creates an empty selection.
    public init(_ mode: Mode) { self.mode = mode }

    /// Whether a row is selected.
    ///
    /// - Complexity: O(selected rows), like all methods below.
    public func contains(_ id: String) -> Bool { ids.contains(id) }

    /// Selects a row, unless it is selected.
    public mutating func select(_ id: String) {
        guard !contains(id) else { return }
        if mode == .single { ids = [] }
        ids.append(id)
    }

    /// Deselects a row, if it is selected.
    public mutating func deselect(_ id: String) { ids.removeAll { $0 == id } }

    /// Selects a row, or deselects it if it is selected.
    public mutating func toggle(_ id: String) {
        if contains(id) { deselect(id) } else { select(id) }
    }

    /// Deselects all rows.
    public mutating func removeAll() { ids = [] }

    /// Deselects the rows that do not meet a condition, such as still existing.
    public mutating func keep(where holds: (String) throws -> Bool) rethrows {
        ids = try ids.filter(holds)
    }
}
