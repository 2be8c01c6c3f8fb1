/// The result of an incremental parser that has not refused its input.
enum ParseResult<Value> {
    /// The bytes so far are the beginning of a value.
    case needsMoreBytes
    /// The value, and the number of bytes that belong to it.
    case complete(Value, consumed: Int)
}

extension ParseResult: Sendable where Value: Sendable {}
extension ParseResult: Equatable where Value: Equatable {}

/// The progress of an incremental parser that delivers its value piece by piece.
struct ParseProgress: Sendable, Equatable {
    /// The number of bytes consumed.
    var consumed: Int
    /// Whether the value is complete.
    var isComplete: Bool
}
