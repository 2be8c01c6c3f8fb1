/// HMAC with SHA-256 (RFC 2104, RFC 6234): a code of bytes that only who has the key can make.
package struct HMACSHA256: Sendable {
    /// What the key comes to, before and behind the bytes.
    private let inner: SHA256
    private let outer: SHA256

    /// Takes a key; one of as many bytes as a digest has, or more, is as good as the codes can be.
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

    /// The code of bytes: ``SHA256/byteCount`` bytes, of which one may use fewer.
    package func code(of bytes: borrowing Span<UInt8>) -> [UInt8] {
        var inner = inner
        inner.add(bytes)
        var outer = outer
        outer.add(inner.digest().span)
        return outer.digest()
    }

    /// Whether two codes are the same; takes as long wherever they differ.
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
