import Bytes
import Listings

package struct ImageHosts: Hashable, Sendable {
    package static let empty = ImageHosts(hosts: [])

    private let hosts: [String]

    private init(hosts: [String]) { self.hosts = hosts }

    /// Reads names separated by commas, each with or without a port.
    ///
    /// Returns nil when one of them is no name: only letters, digits, `-`, `.` and a port are
    /// allowed, because the names become a part of the content security policy.
    package init?(_ text: String) {
        let hosts = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
        guard hosts.allSatisfy(Self.isHost) else { return nil }
        self.hosts = hosts.map(String.init)
    }

    package func union(_ other: ImageHosts) -> ImageHosts {
        ImageHosts(hosts: hosts + other.hosts.filter { !hosts.contains($0) })
    }

    private static func isHost(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first, !name.isEmpty else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 1 || UInt16(parts[1]).map({ $0 > 0 }) == true else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
                }
        }
    }

    /// The sources of images in a content security policy, each with a space before it.
    package var policy: String { hosts.map { " http://\($0) https://\($0)" }.joined() }

    func contains(_ address: borrowing Span<UInt8>) -> Bool {
        guard !hosts.isEmpty else { return false }
        let start = SafeURL.schemeLength(address)
        var end = start
        while end < address.count, !"/?#".utf8.contains(address[end]) { end += 1 }
        let host = String(decoding: address.extracting(start..<end)).lowercased()
        return hosts.contains(host)
    }
}
