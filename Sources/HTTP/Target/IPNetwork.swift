/// A range of addresses that share their first bits (RFC 4632 §3.1, RFC 4291 §2.3), or one address.
package struct IPNetwork: Hashable, Sendable {
    package enum Fault: Error, Hashable {
        /// The part before the `/`, or the whole text, is not an address.
        case noAddress
        /// The part after the `/` is not a number of bits.
        case noLength(maximum: Int)
        /// Bits after the length are set, so another range may be meant.
        case bitsBehindLength(Int)
    }

    private let first: IPAddress
    /// The number of shared bits of the mapped form.
    private let length: Int

    /// Reads an address, or a range such as `10.0.0.0/8` or `2001:db8::/32`.
    ///
    /// Zones are not allowed, because no address is compared by its zone.
    package init(_ text: some StringProtocol) throws(Fault) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.contains("%"), let first = parts.first.flatMap({ IPAddress($0) }) else {
            throw .noAddress
        }
        self.first = first
        // A mapped address counts its bits like an IPv6 address.
        let isPlainIPv4 = first.isIPv4 && !parts[0].contains(":")
        let maximum = isPlainIPv4 ? 32 : 128
        guard parts.count == 2 else {
            length = 128
            return
        }
        let digits = parts[1].utf8
        guard (1...3).contains(digits.count), digits.allSatisfy(\.isDigit),
            let number = Int(parts[1]), number <= maximum
        else { throw .noLength(maximum: maximum) }
        length = number + 128 - maximum
        guard first.bits & (UInt128.max >> length) == 0 else { throw .bitsBehindLength(number) }
    }

    /// No IPv4 address is in an IPv6 range.
    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == (first.isIPv4 && length >= 96)
            && (address.bits ^ first.bits) >> (128 - length) == 0
    }
}
