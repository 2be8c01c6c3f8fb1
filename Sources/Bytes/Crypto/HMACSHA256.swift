/// HMAC with SHA-256 (RFC 2104, RFC 6234), a code of bytes that only an owner of the key can make.
package struct HMACSHA256: Sendable {
    /// The hash states that begin with the key, for the inner and the outer hash.
    private let inner: SHA256
    private let outer: SHA256

    /// At full strength if the key is as long as a digest.
    package init(key: [UInt8]) {
        var short = key
        if key.count > SHA256.blockByteCount {
            var hash = SHA256()
            hash.add(key.span)
            short = hash.digest()
        }
        short += [UInt8](repeating: 0, count: SHA256.blockByteCount - short.count)
        var inner = SHA256()
        var outer = SHA256()
        for byte in short {
            inner.add(byte ^ 0x36)
            outer.add(byte ^ 0x5C)
        }
        self.inner = inner
        self.outer = outer
    }

    /// Returns the code of bytes: ``SHA256/byteCount`` bytes, of which callers may use fewer.
    package func code(of bytes: borrowing Span<UInt8>) -> [UInt8] {
        var inner = inner
        inner.add(bytes)
        var outer = outer
        outer.add(inner.digest().span)
        return outer.digest()
    }

    /// The time does not depend on the place of a difference.
    package static func areEqual(
        _ first: some Collection<UInt8>,
        _ second: some Collection<UInt8>
    ) -> Bool {
        guard first.count == second.count else { return false }
        var difference: UInt8 = 0
        for (one, other) in zip(first, second) { difference |= one ^ other }
        return difference == 0
    }
}
