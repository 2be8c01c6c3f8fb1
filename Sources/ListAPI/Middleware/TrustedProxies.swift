import HTTP

package struct TrustedProxies: Hashable, Sendable {
    private var networks: [IPNetwork] = []
    package private(set) var containsUnixSockets = false

    package init() {}

    /// Reads addresses, address ranges and `unix:`, separated by commas.
    package init(_ text: String) throws(Fault) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard part != "unix:" else {
                containsUnixSockets = true
                continue
            }
            do {
                networks.append(try IPNetwork(part))
            } catch {
                throw Fault(part: String(part), allowed: Self.allowed(insteadOf: error))
            }
        }
    }

    package struct Fault: Error, Hashable {
        package let part: String
        package let allowed: String
    }

    private static func allowed(insteadOf fault: IPNetwork.Fault) -> String {
        switch fault {
        case .noAddress:
            "an address such as 10.0.0.7 or ::1, a range such as 10.0.0.0/8 or 2001:db8::/32, or "
                + "unix: for the peers of a Unix socket"
        case .noLength(let maximum):
            "a range of addresses: a number of bits from 0 to \(maximum) follows the /"
        case .bitsBehindLength(let length):
            "a range of addresses: all bits after the first \(length) must be 0"
        }
    }

    package var isEmpty: Bool { networks.isEmpty && !containsUnixSockets }

    func contains(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    func contains(_ peer: HTTPPeer) -> Bool {
        peer.address.map(contains) ?? (peer.isUnixSocket && containsUnixSockets)
    }
}
