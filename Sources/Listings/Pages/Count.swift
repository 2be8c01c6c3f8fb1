/// A number of rows, and how far it is to be trusted.
public struct Count: Hashable, Sendable {
    /// How the number relates to the truth.
    public enum Relation: String, Hashable, Sendable {
        /// It is the number.
        case exact = "eq"
        /// There are at least that many.
        case atLeast = "gte"
    }

    /// The number of rows.
    public let value: Int
    /// How it relates to the truth.
    public let relation: Relation

    /// Creates a count.
    public init(_ value: Int, _ relation: Relation = .exact) {
        self.value = value
        self.relation = relation
    }
}
