/// One step of an order.
public struct SortKey: Hashable, Sendable {
    /// What is compared.
    public enum Field: Hashable, Sendable {
        /// The row's id.
        case id
        /// The column at a position of the schema.
        case column(Int)
    }
    /// Which way values grow.
    public enum Direction: Hashable, Sendable {
        /// Smallest first.
        case ascending
        /// Largest first.
        case descending
    }
    /// Where rows without a value stand, whatever the direction.
    public enum Nulls: Hashable, Sendable {
        /// Before all values.
        case first
        /// After all values; the default.
        case last
    }

    /// What is compared.
    public let field: Field
    /// Which way values grow.
    public let direction: Direction
    /// Where rows without a value stand.
    public let nulls: Nulls

    /// Creates a step of an order.
    public init(_ field: Field, _ direction: Direction = .ascending, nulls: Nulls = .last) {
        self.field = field
        self.direction = direction
        self.nulls = nulls
    }
}
