extension Span where Element == UInt8 {
    /// Whether another span has the same bytes.
    ///
    /// - Complexity: O(bytes), eight at a time.
    package func equals(_ other: borrowing Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for index in indices where self[index] != other[index] { return false }
            return true
        }
        // The last word may overlap the one before it.
        let last = count - 8
        var index = 0
        while index < last {
            guard word(at: index) == other.word(at: index) else { return false }
            index += 8
        }
        return word(at: last) == other.word(at: last)
    }

    /// Whether the bytes are those of a literal.
    package func equals(_ literal: StaticString) -> Bool {
        precondition(literal.hasPointerRepresentation)
        // SAFETY: a literal's bytes are immortal.
        let other = unsafe Span(
            _unsafeStart: literal.utf8Start,
            count: literal.utf8CodeUnitCount
        )
        return equals(other)
    }

    /// Whether the bytes are those of a text.
    package func equals(_ text: String) -> Bool { equals(text.utf8Span.span) }
}
