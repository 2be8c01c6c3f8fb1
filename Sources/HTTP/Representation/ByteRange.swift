/// The part of content of a known size that a Range field selects (RFC 9110 §14).
package enum ByteRange: Hashable, Sendable {
    /// All content, also if the field is malformed, of another unit, or selects several parts.
    case whole
    /// One part, never empty: 206.
    case part(Range<Int>)
    /// No byte of the content: 416.
    case unsatisfiable

    /// The maximum number of members, above which the field is ignored.
    private static let maximumSpecifications = 16

    /// Nil if the field was not sent.
    ///
    /// The size is that of the content.
    package init(_ value: String?, size: Int) {
        self = value.flatMap { Self.read(Array($0.utf8)[...], size: size) } ?? .whole
    }

    /// Nil if the field is to be ignored.
    private static func read(_ value: ArraySlice<UInt8>, size: Int) -> ByteRange? {
        guard let equals = value.firstIndex(of: UInt8(ascii: "=")),
            value[..<equals].equalsIgnoringCase("bytes")
        else { return nil }
        var only: ArraySlice<UInt8>?
        var count = 0
        for specification in ListMembers(value[(equals + 1)...]) {
            count += 1
            guard count <= maximumSpecifications else { return nil }
            // Empty members of a list are ignored (RFC 9110 §5.6.1).
            if specification.isEmpty { continue }
            guard only == nil else { return nil }
            only = specification
        }
        return only.flatMap { readSpecification($0, size: size) }
    }

    private static func readSpecification(
        _ specification: ArraySlice<UInt8>,
        size: Int
    ) -> ByteRange? {
        guard let dash = specification.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let before = specification[..<dash]
        let after = specification[(dash + 1)...]
        if before.isEmpty {
            guard let length = number(after) else { return nil }
            guard length > 0 else { return .unsatisfiable }
            // The last bytes of empty content are all of it, and no Content-Range can express that.
            return size == 0 ? .whole : .part(max(0, size - length)..<size)
        }
        guard let first = number(before) else { return nil }
        var last = Int.max
        if !after.isEmpty {
            guard let number = number(after), number >= first else { return nil }
            last = number
        }
        guard first < size else { return .unsatisfiable }
        return .part(first..<min(last, size - 1) + 1)
    }

    /// Nil if the digits are malformed.
    ///
    /// More than 18 digits count as unlimited.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count <= 18 else { return 1_000_000_000_000_000_000 }
        return significant.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
