/// A range of addresses that share their first bits, or one address (RFC 4632 §3.1, RFC 4291 §2.3).
package struct IPNetwork: Hashable, Sendable {
    /// Why a text names no range.
    package enum Fault: Error, Hashable {
        /// No address stands before the `/`, or alone.
        case noAddress
        /// No number of bits stands behind the `/`.
        case noLength(maximum: Int)
        /// Bits behind the first ones are set: another range may be meant.
        case bitsBehindLength(Int)
    }

    private let first: IPAddress
    /// The bits of the mapped form that are shared.
    private let length: Int

    /// Reads an address, or a range such as `10.0.0.0/8` or `2001:db8::/32`.
    ///
    /// - Parameter text: The text; zones are not allowed, because no address is compared by its zone.
    /// - Throws: ``Fault``.
    package init(_ text: some StringProtocol) throws(Fault) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.contains("%"), let first = parts.first.flatMap({ IPAddress($0) }) else {
            throw .noAddress
        }
        self.first = first
        // A mapped address counts its bits as an IPv6 address does.
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

    /// Whether an address is in the range; none of IPv4 is in one of IPv6.
    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == (first.isIPv4 && length >= 96)
            && (address.bits ^ first.bits) >> (128 - length) == 0
    }
}
