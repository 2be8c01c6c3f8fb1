/// An absolute `http` or `https` address, checked against the grammar (RFC 3986).
///
/// Characters such as `ä` or `[` are percent-encoded, because users and servers write them
/// unencoded. Spaces, control characters, user names and other schemes are rejected.
public struct RemoteAddress: Hashable, Sendable {
    /// The scheme of an address.
    public enum Scheme: String, Hashable, Sendable {
        /// Unencrypted HTTP.
        case http
        /// HTTP over TLS.
        case https

        var standardPort: Int { self == .http ? 80 : 443 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host name in lower case, or the IP address.
    ///
    /// IPv6 addresses are in brackets.
    public let host: String
    /// The port, 1...65535.
    public let port: Int
    /// The percent-encoded path, which begins with `/`.
    public let path: String
    /// The percent-encoded query after the `?`, or nil.
    public let query: String?

    init(scheme: Scheme, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    /// Parses an address.
    ///
    /// A fragment is dropped.
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``.
    public init(_ text: String) throws(RemoteError) {
        guard let address = Self.absolute(text) else { throw .invalidAddress(text) }
        self = address
    }

    /// Resolves a reference that a response from this address contains (RFC 3986 §5.2).
    ///
    /// - Throws: ``RemoteError/invalidAddress(_:)``, also for another scheme.
    public func resolving(_ reference: String) throws(RemoteError) -> RemoteAddress {
        guard let address = resolved(reference) else { throw .invalidAddress(reference) }
        return address
    }

    package var origin: String { "\(scheme.rawValue)://\(host):\(port)" }

    package func isSameOrigin(as other: RemoteAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}

extension RemoteAddress: CustomStringConvertible {
    /// The address as sent, including secrets.
    ///
    /// Logs must use ``masked``.
    public var description: String { text(query: query) }

    func text(query: String?) -> String {
        let port = port == scheme.standardPort ? "" : ":\(port)"
        return "\(scheme.rawValue)://\(host)\(port)\(path)" + (query.map { "?" + $0 } ?? "")
    }
}

extension RemoteAddress {
    /// The tail is appended after one `/`.
    ///
    /// The query items are not encoded yet. Fails if the tail is not valid in a path.
    func extended(
        path tail: String,
        query items: [Endpoint.QueryItem]
    ) throws(RemoteError) -> RemoteAddress {
        var path = path
        if !tail.isEmpty {
            guard let tail = Self.encoded(tail, in: .path) else { throw .invalidAddress(tail) }
            if !path.hasSuffix("/") { path += "/" }
            path += tail.hasPrefix("/") ? String(tail.dropFirst()) : tail
        }
        let parts = (query.map { [$0] } ?? []) + items.map(\.encoded)
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: Self.withoutDots(path),
            query: parts.isEmpty ? nil : parts.joined(separator: "&")
        )
    }

    /// Other items stay.
    func setting(_ items: [Endpoint.QueryItem]) -> RemoteAddress {
        let names = items.map { Endpoint.QueryItem($0.name, "").encoded }
        let kept = (query ?? "").split(separator: "&").map(String.init).filter { part in
            !names.contains { part.hasPrefix($0) }
        }
        return RemoteAddress(
            scheme: scheme,
            host: host,
            port: port,
            path: path,
            query: (kept + items.map(\.encoded)).joined(separator: "&")
        )
    }
}

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

    /// Nil if the text contains a forbidden character.
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
