import Bytes

/// An IPv4 or IPv6 address as a number, independent of its spelling.
///
/// An IPv4 address and its IPv4-mapped form (RFC 4291 §2.5.5.2) are the same address.
package struct IPAddress: Hashable, Sendable {
    package let bits: UInt128

    /// Reads an address without a port, as in `10.0.0.7`, `2001:db8::1` or `fe80::1%eth0`.
    ///
    /// The zone of an IPv6 address (RFC 4007 §11), made of unreserved characters (RFC 6874 §2), is
    /// read and dropped.
    ///
    /// Brackets and white space are not allowed.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard let percent = bytes.firstIndex(of: UInt8(ascii: "%")) else {
            self.init(withoutZone: bytes.span)
            return
        }
        let zone = bytes[(percent + 1)...]
        let unreserved = ByteClass.unreserved
        guard !zone.isEmpty, zone.allSatisfy(unreserved.contains),
            bytes[..<percent].contains(UInt8(ascii: ":"))
        else { return nil }
        self.init(withoutZone: bytes.span.extracting(..<percent))
    }

    private init?(withoutZone bytes: borrowing Span<UInt8>) {
        if let address = Self.readIPv4(bytes) {
            bits = 0xFFFF << 32 | UInt128(address)
        } else if let address = Self.readIPv6(bytes) {
            bits = address
        } else {
            return nil
        }
    }

    /// Reads an address as proxies send it (RFC 7239 §6).
    ///
    /// That is an IPv4 address, or an IPv6 address with or without brackets. A port may follow,
    /// after IPv6 only with brackets.
    ///
    /// Nil for `unknown` and hidden names such as `_gate`.
    package init?(node: some StringProtocol) {
        let port: Substring
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let inner = node[node.index(after: node.startIndex)..<end]
            guard inner.contains(":") else { return nil }
            port = Substring(node[node.index(after: end)...])
            self.init(inner)
        } else if let colon = node.firstIndex(of: ":"), node[..<colon].contains(".") {
            port = Substring(node[colon...])
            self.init(node[..<colon])
        } else {
            port = ""
            self.init(node)
        }
        guard port.isEmpty || Self.isPort(port) else { return nil }
    }

    /// A colon is followed by digits or a hidden port (RFC 7239 §6).
    private static func isPort(_ text: Substring) -> Bool {
        let port = text.utf8.dropFirst()
        guard text.first == ":", let first = port.first else { return false }
        guard first == UInt8(ascii: "_") else {
            return port.count <= 5 && port.allSatisfy(\.isDigit) && UInt16(text.dropFirst()) != nil
        }
        return port.count > 1
            && port.allSatisfy { byte in
                switch byte | 0x20 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): true
                default: byte.isDigit || [0x2D, 0x2E, 0x5F].contains(byte)
                }
            }
    }

    /// Mapped or not.
    package var isIPv4: Bool { bits >> 32 == 0xFFFF }

    /// A number that identifies a client: the IPv4 address, or the first 64 bits of the IPv6
    /// address.
    ///
    /// One client may use all addresses that share these bits.
    package var network: UInt64 {
        UInt64(truncatingIfNeeded: isIPv4 ? bits & 0xFFFF_FFFF : bits >> 64)
    }
}

extension IPAddress {
    /// Reads the number of an IPv4 address: four decimal numbers up to 255, without leading zeros.
    static func readIPv4(_ bytes: borrowing Span<UInt8>) -> UInt32? {
        var address: UInt32 = 0
        var parts = 0
        var index = 0
        while true {
            var value: UInt32 = 0
            let start = index
            while index < bytes.count, bytes[index].isDigit, index - start < 3 {
                value = value * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            let hasLeadingZero = index - start > 1 && bytes[start] == UInt8(ascii: "0")
            guard index > start, value <= 255, !hasLeadingZero else { return nil }
            address = address << 8 | value
            parts += 1
            guard index < bytes.count else { return parts == 4 ? address : nil }
            guard parts < 4, bytes[index] == UInt8(ascii: ".") else { return nil }
            index += 1
        }
    }

    /// Reads the number of an IPv6 address (RFC 4291 §2.2): eight groups of one to four hex digits.
    ///
    /// One `::` replaces one or more zero groups, and the last two groups may be written as IPv4.
    static func readIPv6(_ bytes: borrowing Span<UInt8>) -> UInt128? {
        var address: UInt128 = 0
        var groups = 0
        /// The number of groups before `::`.
        var gap: Int?
        var index = 0
        if bytes.count >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
            gap = 0
            index = 2
        }
        while index < bytes.count {
            let start = index
            var group: UInt128 = 0
            while index < bytes.count, index - start < 4, let digit = bytes[index].hexadecimalValue
            {
                group = group << 4 | UInt128(digit)
                index += 1
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard let last = readIPv4(bytes.extracting(start...)) else { return nil }
                address = address << 32 | UInt128(last)
                groups += 2
                break
            }
            guard index > start else { return nil }
            address = address << 16 | group
            groups += 1
            guard index < bytes.count else { break }
            guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else { return nil }
            index += 1
            if bytes[index] == UInt8(ascii: ":") {
                guard gap == nil else { return nil }
                gap = groups
                index += 1
            }
        }
        guard let gap else { return groups == 8 ? address : nil }
        guard groups < 8 else { return nil }
        // Groups before `::` move to the front. Groups after it are already in place.
        let bitsBehind = 16 * (groups - gap)
        let behind = address & (UInt128.max >> (128 - bitsBehind))
        return (address >> bitsBehind) << (128 - 16 * gap) | behind
    }
}
