/// The answer of an incremental parser that has not refused its input.
enum Parsed<Value> {
    /// The bytes so far are the beginning of a value.
    case needsMoreBytes
    /// The value, and how many bytes belong to it.
    case complete(Value, consumed: Int)
}

extension Parsed: Sendable where Value: Sendable {}
extension Parsed: Equatable where Value: Equatable {}
