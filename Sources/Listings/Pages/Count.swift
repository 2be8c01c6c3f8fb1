/// A number of rows and its precision.
public struct Count: Hashable, Sendable {
    /// The relation of the value to the actual number.
    public enum Relation: String, Hashable, Sendable {
        /// The value is the actual number.
        case exact = "eq"
        /// The actual number is at least the value.
        case atLeast = "gte"
        /// The value comes from the statistics of an engine, and may be wrong.
        case estimate
    }

    /// The number of rows.
    public let value: Int
    /// The relation of the value to the actual number.
    public let relation: Relation

    /// Creates a count.
    public init(_ value: Int, _ relation: Relation = .exact) {
        self.value = value
        self.relation = relation
    }

    package var capped: Count {
        value > ListQuery.countCap ? Count(ListQuery.countCap, .atLeast) : self
    }
}
