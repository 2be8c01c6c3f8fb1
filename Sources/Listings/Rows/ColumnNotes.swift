/// The explanation and the room of a column on pages.
public struct ColumnNotes: Hashable, Sendable {
    /// The room of a column in tables.
    public enum Width: String, Hashable, Sendable, CaseIterable {
        /// Half the usual room at most.
        case narrow
        /// Twice the usual room, in several lines.
        case wide
    }

    /// The meaning of the values, in a sentence.
    public var description: String?
    /// The room in tables; nil for the usual one.
    public var width: Width?

    /// Creates notes.
    public init(description: String? = nil, width: Width? = nil) {
        self.description = description
        self.width = width
    }
}
