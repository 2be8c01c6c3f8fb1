/// The token of an Authorization field (RFC 6750 §2.1).
enum BearerToken {
    /// Returns the token of a field value: the scheme in any case, spaces, the token.
    ///
    /// The syntax is that of RFC 9110 §11.4.
    ///
    /// - Returns: The token; nil for a value of another form.
    static func find(in value: String) -> Substring? {
        let bytes = value.utf8
        let scheme = "bearer".utf8
        let blank = UInt8(ascii: " ")
        // Setting the bit makes letters lowercase.
        guard bytes.count > scheme.count, bytes.starts(with: scheme, by: { $0 | 0x20 == $1 }) else {
            return nil
        }
        let rest = bytes.dropFirst(scheme.count)
        let token = rest.drop { $0 == blank }
        guard token.count < rest.count, !token.isEmpty, !token.contains(blank) else { return nil }
        return value[token.startIndex...]
    }
}
