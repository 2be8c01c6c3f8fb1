/// A set of bytes, for grammars.
///
/// It has one bit for each ASCII byte. Loops copy the set first: the static sets are lazy, and
/// checking for initialization costs more than the test.
@frozen
@usableFromInline
package struct ByteClass: Sendable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0
    @usableFromInline let hasNonASCII: Bool

    /// The given bytes are ASCII.
    ///
    /// `nonASCII` adds 0x80...0xFF.
    package init(_ bytes: some Sequence<UInt8>, nonASCII: Bool = false) {
        hasNonASCII = nonASCII
        for byte in bytes {
            precondition(byte < 0x80, "\(byte) is not ASCII")
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    @inlinable
    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return hasNonASCII }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
    }
}

extension ByteClass {
    package static let alphanumeric =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// `unreserved` of RFC 3986 §2.3: the bytes that are never percent-encoded.
    package static let unreserved = ByteClass((alphanumeric + "-._~").utf8)

    /// `pchar` less `%`: the bytes that a path segment may hold unencoded (RFC 3986 §3.3).
    package static let pathSegment = ByteClass((alphanumeric + "-._~!$&'()*+,;=:@").utf8)

    /// The bytes that `encodeURIComponent` of ECMAScript leaves.
    static let scriptComponent = ByteClass((alphanumeric + "-_.!~*'()").utf8)
}
