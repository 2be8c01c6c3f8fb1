/// A set of bytes from a grammar of RFC 9110, RFC 9112 or RFC 3986.
///
/// It has one bit for each ASCII byte. Loops copy the set first: the static sets are lazy, and
/// checking for initialization costs more than the test.
struct ByteClass: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private let hasNonASCII: Bool

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - bytes: ASCII only.
    ///   - nonASCII: Whether 0x80...0xFF belong to the set.
    init(_ bytes: some Sequence<UInt8>, nonASCII: Bool = false) {
        hasNonASCII = nonASCII
        for byte in bytes {
            precondition(byte < 0x80, "\(byte) is not ASCII")
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
    }

    /// Whether a byte belongs to the set.
    func contains(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return hasNonASCII }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
    }
}

extension ByteClass {
    private static let alphanumeric =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// `tchar`: the bytes of names, methods and tokens (RFC 9110 §5.6.2).
    static let token = ByteClass((alphanumeric + "!#$%&'*+-.^_`|~").utf8)

    /// The bytes of a field value: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    static let fieldValue = ByteClass([0x09] + (0x20...0x7E), nonASCII: true)

    /// The bytes of a path: those of RFC 3986 §2 less `#` and `?`, and the bytes of UTF-8.
    static let path = ByteClass(
        (alphanumeric + "-._~:/[]@!$&'()*+,;=%").utf8,
        nonASCII: true
    )

    /// The bytes of a query: those of a path, `?`, and characters that browsers send unencoded
    /// (WHATWG URL, query percent-encode set).
    static let query = ByteClass(
        (alphanumeric + "-._~:/[]@!$&'()*+,;=%^`{|}?\\").utf8,
        nonASCII: true
    )

    /// `unreserved` of RFC 3986 §2.3: the bytes that are never percent-encoded.
    static let unreserved = ByteClass((alphanumeric + "-._~").utf8)

    /// `pchar` less `%`: the bytes that a path segment may hold unencoded (RFC 3986 §3.3).
    static let pathSegment = ByteClass((alphanumeric + "-._~!$&'()*+,;=:@").utf8)

    /// The bytes that a registered name may hold unencoded: unreserved and sub-delims less the
    /// comma.
    static let host = ByteClass((alphanumeric + "-._~!$&'()*+;=").utf8)
}
