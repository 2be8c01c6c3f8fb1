import Bytes

extension Span where Element == UInt8 {
    /// The first index of a byte at or after `start`; nil if there is none.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index <= count - 8 {
            let found = WordSearch.bytes(equalTo: byte, in: word(at: index))
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// Whether every byte belongs to a set.
    func isMadeOf(_ allowed: ByteClass) -> Bool {
        for index in indices where !allowed.contains(self[index]) { return false }
        return true
    }

    /// The first byte outside a set; nil if all belong to it.
    func firstByte(outside allowed: ByteClass) -> UInt8? {
        for index in indices where !allowed.contains(self[index]) { return self[index] }
        return nil
    }

    /// Whether the bytes equal a lowercase text, ignoring case.
    func equalsIgnoringCase(_ lowercased: String) -> Bool {
        let other = lowercased.utf8Span.span
        guard count == other.count else { return false }
        for index in indices where self[index].lowercasedASCII != other[index] { return false }
        return true
    }
}

extension ArraySlice where Element == UInt8 {
    /// The first byte outside a set; nil if all belong to it.
    func firstByte(outside allowed: ByteClass) -> UInt8? {
        for index in indices where !allowed.contains(self[index]) { return self[index] }
        return nil
    }

    /// Whether the bytes equal a lowercase text, ignoring case.
    func equalsIgnoringCase(_ lowercased: String) -> Bool {
        span.equalsIgnoringCase(lowercased)
    }

    /// The slice without SP and HTAB at its ends.
    func trimmingBlanks() -> ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }),
            let last = lastIndex(where: { !$0.isBlank })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

/// The members of a list in a field value, split at commas and trimmed of blanks.
///
/// Empty members are included (RFC 9110 §5.6.1). A comma in a quoted string separates too, so the
/// members must be tokens.
struct ListMembers: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>?

    init(_ value: ArraySlice<UInt8>) {
        rest = value
    }

    mutating func next() -> ArraySlice<UInt8>? {
        guard let value = rest else { return nil }
        let comma = value.firstIndex(of: UInt8(ascii: ","))
        rest = comma.map { value[($0 + 1)...] }
        return value[..<(comma ?? value.endIndex)].trimmingBlanks()
    }
}
