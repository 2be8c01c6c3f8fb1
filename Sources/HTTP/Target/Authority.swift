/// The grammar of a host with an optional port, as in the Host field (RFC 9110 §7.2).
enum Authority {
    /// Whether the bytes are a name, an IPv4 address or an IPv6 address in brackets, optionally
    /// followed by a colon and a port.
    ///
    /// Stricter than RFC 3986 §3.2: never empty, no user information, no comma in a name, ports up
    /// to 65535, no address of a future version.
    static func isValid(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        guard bytes[0] == UInt8(ascii: "[") else {
            guard let end = endOfName(bytes), end > 0 else { return false }
            return isValidPort(bytes, from: end)
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), from: 1) else { return false }
        return isIPv6(bytes.extracting(1..<end)) && isValidPort(bytes, from: end + 1)
    }

    /// Where a name ends: at a colon or the end; nil when it has a byte no name has.
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

    /// Whether the bytes are an IPv6 address (RFC 3986 §3.2.2): eight groups of one to four
    /// hexadecimal digits, one `::` standing for one or more of them, the last two groups
    /// optionally as an IPv4 address.
    private static func isIPv6(_ bytes: borrowing Span<UInt8>) -> Bool {
        var groups = 0
        var hasGap = false
        var index = 0
        if bytes.count >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
            hasGap = true
            index = 2
        }
        while index < bytes.count {
            let start = index
            while index < bytes.count, bytes[index].hexadecimalValue != nil { index += 1 }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard isIPv4(bytes.extracting(start...)) else { return false }
                groups += 2
                index = bytes.count
                break
            }
            guard index > start, index - start <= 4 else { return false }
            groups += 1
            guard index < bytes.count else { break }
            guard bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count else { return false }
            index += 1
            if bytes[index] == UInt8(ascii: ":") {
                guard !hasGap else { return false }
                hasGap = true
                index += 1
            }
        }
        return hasGap ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ bytes: borrowing Span<UInt8>) -> Bool {
        var parts = 0
        var index = 0
        while true {
            var value = 0
            let start = index
            while index < bytes.count, bytes[index].isDigit, index - start < 3 {
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            let hasLeadingZero = index - start > 1 && bytes[start] == UInt8(ascii: "0")
            guard index > start, value <= 255, !hasLeadingZero else { return false }
            parts += 1
            guard index < bytes.count else { return parts == 4 }
            guard parts < 4, bytes[index] == UInt8(ascii: ".") else { return false }
            index += 1
        }
    }
}
