/// The position of a row: the index of its section, and its index in the section.
///
/// Both count from 0. Any numbers are allowed. Functions that take a position refuse one that is
/// out of bounds.
public struct IndexPath: Hashable, Sendable {
    /// The position of the section.
    public var section: Int
    /// The position of the row in its section.
    public var row: Int

    /// Creates an index path.
    public init(section: Int, row: Int) {
        self.section = section
        self.row = row
    }
}

extension IndexPath: Comparable {
    /// Whether a position precedes another one.
    public static func < (left: IndexPath, right: IndexPath) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

extension IndexPath: CustomStringConvertible {
    /// `[section, row]`, as in change descriptions.
    public var description: String { "[\(section), \(row)]" }
}
