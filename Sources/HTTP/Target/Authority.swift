import Bytes

/// The grammar of a host with an optional port, as in the Host field (RFC 9110 §7.2).
enum Authority {
    /// Whether the bytes are a name, an IPv4 address or an IPv6 address in brackets.
    ///
    /// A colon and a port may follow. Stricter than RFC 3986 §3.2: never empty, no user
    /// information, no comma in a name, ports up to 65535, no address of a future version.
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        guard bytes[0] == UInt8(ascii: "[") else {
            guard let end = endOfName(bytes), end > 0 else { return false }
            return isValidPort(bytes, from: end)
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), from: 1) else { return false }
        return IPAddress.readIPv6(bytes.extracting(1..<end)) != nil
            && isValidPort(bytes, from: end + 1)
    }

    /// Returns the end of a name, at a colon or the end; nil if a byte is invalid in names.
    private static func endOfName(_ bytes: borrowing Span<UInt8>) -> Int? {
        let allowed = ByteClass.host
        var index = 0
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            if bytes[index] == UInt8(ascii: "%") {
                guard PercentEncoding.byte(in: bytes, at: index) != nil else { return nil }
                index += 3
            } else {
                guard allowed.contains(bytes[index]) else { return nil }
                index += 1
            }
        }
        return index
    }

    private static func isValidPort(_ bytes: borrowing Span<UInt8>, from start: Int) -> Bool {
        guard start < bytes.count else { return true }
        guard bytes[start] == UInt8(ascii: ":"), bytes.count - start <= 6 else { return false }
        var port = 0
        for index in (start + 1)..<bytes.count {
            guard bytes[index].isDigit else { return false }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return port <= 65535
    }
}
