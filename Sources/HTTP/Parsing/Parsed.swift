/// The answer of an incremental parser that has not refused its input.
enum Parsed<Value> {
    /// The bytes so far are the beginning of a value.
    case needsMoreBytes
    /// The value, and how many bytes belong to it.
    case complete(Value, consumed: Int)
}

extension Parsed: Sendable where Value: Sendable {}
extension Parsed: Equatable where Value: Equatable {}

/// How far an incremental parser went that hands on its value bit by bit.
struct ParseProgress: Sendable, Equatable {
    /// How many of the bytes are done with.
    var consumed: Int
    /// Whether the value is complete.
    var isComplete: Bool
}
