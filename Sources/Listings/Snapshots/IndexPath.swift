/// The place of a row: its section, and where in the section it stands.
///
/// Both count from 0. Any number can be written down; what is no place in a list is refused by
/// whoever is asked for it.
public struct IndexPath: Hashable, Sendable {
    /// The position of the section.
    public var section: Int
    /// The position of the row in its section.
    public var row: Int

    /// Creates a place.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension IndexPath: Comparable {
    /// Whether a place stands before another one.
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

extension IndexPath: CustomStringConvertible {
    /// `[section, row]`, as changes are written.
    public var description: String { "[\(section), \(row)]" }
}
