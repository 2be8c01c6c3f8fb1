extension RemoteAddress {
    /// A part of an address, which determines the characters allowed without percent-encoding.
    enum Part {
        case path
        case query
        case queryItem
    }

    static func absolute(_ text: String) -> RemoteAddress? {
        guard let colon = text.firstIndex(of: ":"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased()),
            text[colon...].hasPrefix("://")
        else { return nil }
        return located(scheme, text[text.index(colon, offsetBy: 3)...])
    }

    /// Parses the text after `//`.
    private static func located(_ scheme: Scheme, _ text: Substring) -> RemoteAddress? {
        let end = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let (host, port) = server(text[..<end], scheme) else { return nil }
        guard let (path, query) = pathAndQuery(text[end...]) else { return nil }
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: withoutDots(path.isEmpty ? "/" : path),
            query: query
        )
    }

    func resolved(_ reference: String) -> RemoteAddress? {
        let end = reference.firstIndex { "/?#".contains($0) } ?? reference.endIndex
        if reference[..<end].contains(":") { return Self.absolute(reference) }
        if reference.hasPrefix("//") { return Self.located(scheme, reference.dropFirst(2)) }
        guard let (target, targetQuery) = Self.pathAndQuery(reference[...]) else { return nil }
        let path: String
        if target.isEmpty {
            path = self.path
        } else if target.hasPrefix("/") {
            path = target
        } else {
            let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
            path = folder + target
        }
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: Self.withoutDots(path),
            query: target.isEmpty && targetQuery == nil ? query : targetQuery
        )
    }

    private static func server(_ text: Substring, _ scheme: Scheme) -> (host: String, port: Int)? {
        var host = text[...]
        var port: Substring?
        let bracket = text.lastIndex(of: "]")
        if let colon = text.lastIndex(of: ":"), bracket.map({ $0 < colon }) ?? true {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard isHost(host) else { return nil }
        guard let port, !port.isEmpty else { return (host.lowercased(), scheme.standardPort) }
        guard port.utf8.count <= 5, port.utf8.allSatisfy(\.isDigit), let number = Int(port),
            (1...65535).contains(number)
        else { return nil }
        return (host.lowercased(), number)
    }

    private static func isHost(_ host: Substring) -> Bool {
        guard host.hasPrefix("[") else {
            return !host.isEmpty && host.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0.isMark }
        }
        let inside = host.dropFirst().dropLast()
        return host.hasSuffix("]") && inside.contains(":")
            && inside.utf8.allSatisfy { $0.isHexadecimal || $0 == colon || $0 == dot }
    }

    /// Splits the text after the server.
    ///
    /// Returns nil if it contains a forbidden character.
    private static func pathAndQuery(_ text: Substring) -> (path: String, query: String?)? {
        let whole = text.prefix { $0 != "#" }
        guard let mark = whole.firstIndex(of: "?") else {
            return encoded(String(whole), in: .path).map { ($0, nil) }
        }
        guard let path = encoded(String(whole[..<mark]), in: .path),
            let query = encoded(String(whole[whole.index(after: mark)...]), in: .query)
        else { return nil }
        return (path, query)
    }

    /// Percent-encodes characters where necessary.
    ///
    /// Except in query items, spaces, control characters and a `%` that begins no encoding yield
    /// nil.
    static func encoded(_ text: String, in part: Part) -> String? {
        var encoded = ""
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            if part != .queryItem {
                guard byte > 0x20, byte != 0x7F else { return nil }
                if byte == UInt8(ascii: "%") {
                    let digits = bytes[(index + 1)...].prefix(2)
                    guard digits.count == 2, digits.allSatisfy(\.isHexadecimal) else { return nil }
                    encoded += "%"
                    continue
                }
            }
            if byte.stands(in: part) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += byte < 0x10 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }

    /// Removes the segments `.` and `..` of a path (RFC 3986 §5.2.4).
    static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static let colon = UInt8(ascii: ":")
    private static let dot = UInt8(ascii: ".")
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }
    var isHexadecimal: Bool { isDigit || (isLetter && self | 0x20 <= UInt8(ascii: "f")) }

    /// Whether the byte is `-`, `.`, `_` or `~`, which never need percent-encoding.
    fileprivate var isMark: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    fileprivate func stands(in part: RemoteAddress.Part) -> Bool {
        if isLetter || isDigit || isMark { return true }
        switch self {
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: ";"):
            return true
        case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"): return part != .queryItem
        case UInt8(ascii: "?"): return part == .query
        default: return false
        }
    }
}
