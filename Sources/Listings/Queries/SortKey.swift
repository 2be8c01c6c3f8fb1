/// One key of an order.
public struct SortKey: Hashable, Sendable {
    /// The compared field.
    public enum Field: Hashable, Sendable {
        /// The row's id.
        case id
        /// The column at a position of the schema.
        case column(Int)
    }
    /// The direction of the values.
    public enum Direction: Hashable, Sendable {
        /// Smallest first.
        case ascending
        /// Largest first.
        case descending
    }
    /// The position of rows without a value, whatever the direction.
    public enum Nulls: Hashable, Sendable {
        /// Before all values.
        case first
        /// After all values; the default.
        case last
    }

    /// The compared field.
    public let field: Field
    /// The direction of the values.
    public let direction: Direction
    /// The position of rows without a value.
    public let nulls: Nulls

    /// Creates a key of an order.
    public init(_ field: Field, _ direction: Direction = .ascending, nulls: Nulls = .last) {
        self.field = field
        self.direction = direction
        self.nulls = nulls
    }
}
