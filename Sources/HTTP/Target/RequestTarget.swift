import Bytes

/// The path of a request target, percent-decoded once, with dot segments resolved (RFC 3986
/// §5.2.4).
///
/// `/` has one empty segment, `/users` has one, `/users/` has two, of which the last is empty. A
/// path is split before it is decoded: a `/` sent as `%2F` belongs to its segment. The target `*`
/// has no segment at all.
public struct RequestPath: Sendable, Hashable {
    /// As it was sent.
    private var raw: [UInt8] = [UInt8(ascii: "/")]

    /// The decoded segments, one after the other.
    private var decoded: [UInt8] = []

    private var ends: [Int] = [0]

    /// Whether the path is within the limits for segments and bytes; otherwise no route matches
    /// (404).
    package private(set) var isWithinLimits = true

    package init() {}

    /// The path as it was sent, without the query.
    public var rawPath: String { String(decoding: raw, as: UTF8.self) }

    /// The decoded segments.
    ///
    /// - Complexity: O(bytes of the path). It makes a string for each segment.
    public var segments: [String] { ends.indices.map { segment($0) } }

    package var count: Int { ends.count }

    /// The server as a whole.
    package var isAsterisk: Bool { ends.isEmpty }

    /// Whether it is `/`, whose only segment is empty.
    package var isRoot: Bool { count == 1 && isSegmentEmpty(0) }

    package func segment(_ index: Int) -> String {
        String(decoding: decoded[bounds(of: index)], as: UTF8.self)
    }

    package func segment(_ index: Int, equals bytes: [UInt8]) -> Bool {
        decoded.span.extracting(bounds(of: index)).equals(bytes.span)
    }

    package func isSegmentEmpty(_ index: Int) -> Bool { bounds(of: index).isEmpty }

    private func bounds(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}

extension RequestPath {
    mutating func readAsterisk() {
        clear()
        raw.append(UInt8(ascii: "*"))
    }

    /// The path is as it was sent: empty, or with a `/` first.
    ///
    /// Throws the rule that the path breaks.
    mutating func read(
        _ path: borrowing Span<UInt8>,
        limits: HTTPLimits
    ) throws(ParseError) {
        clear()
        raw.append(path)
        if raw.isEmpty { raw.append(UInt8(ascii: "/")) }
        var index = 1
        repeat {
            index = try readSegment(from: index)
        } while index <= raw.count
        isWithinLimits =
            ends.count <= limits.maximumPathSegments && decoded.count <= limits.maximumPathBytes
    }

    /// Keeps ``rawPath``, and leaves `/` if no segment remains.
    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        let length = ends[count - 1]
        decoded.removeFirst(length)
        ends.removeFirst(count)
        for index in ends.indices { ends[index] -= length }
        if ends.isEmpty { ends.append(0) }
    }

    private mutating func clear() {
        raw.removeAll(keepingCapacity: true)
        decoded.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        isWithinLimits = true
    }

    /// Returns the index of the next segment; past the end after the last one.
    private mutating func readSegment(from start: Int) throws(ParseError) -> Int {
        let segmentStart = decoded.count
        var index = start
        var isASCII = true
        while index < raw.count, raw[index] != UInt8(ascii: "/") {
            let byte: UInt8
            if raw[index] == UInt8(ascii: "%") {
                guard let value = PercentEncoding.byte(in: raw.span, at: index) else {
                    throw .malformedPercentEncoding
                }
                byte = value
                index += 3
            } else {
                byte = raw[index]
                index += 1
            }
            guard byte != 0 else { throw .nulInPath }
            isASCII = isASCII && byte < 0x80
            decoded.append(byte)
        }
        if !isASCII, !decoded.span.extracting(segmentStart...).isUTF8 { throw .invalidUTF8InPath }
        try resolveDots(from: segmentStart, isLast: index == raw.count)
        return index + 1
    }

    /// Appends the segment decoded last to the path, unless it is `.` or `..`.
    private mutating func resolveDots(from start: Int, isLast: Bool) throws(ParseError) {
        let dot = UInt8(ascii: ".")
        switch decoded[start...] {
        case [dot]:
            decoded.removeLast()
        case [dot, dot]:
            guard ends.popLast() != nil else { throw .pathAboveRoot }
            decoded.removeSubrange((ends.last ?? 0)...)
        default:
            ends.append(decoded.count)
            return
        }
        // A path that ends in a dot segment names the directory: `/a/.` is `/a/`.
        if isLast { ends.append(decoded.count) }
    }
}

extension Span where Element == UInt8 {
    var isUTF8: Bool {
        do {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }
}

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

    /// The end is at a colon or at the end of the bytes.
    ///
    /// Nil if a byte is invalid in names.
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

/// The reason why a query cannot be decoded, with the parameter's name as far as possible.
public enum QueryError: Error, Hashable, Sendable {
    /// A `%` is not followed by two hexadecimal digits.
    case malformedPercentEncoding(name: String)
    /// The decoded bytes are not UTF-8.
    case invalidUTF8(name: String)
}

/// The names and values of a query in order, decoded like a form: `+` is a space (WHATWG URL,
/// application/x-www-form-urlencoded).
///
/// Empty parts, as in `a=1&&b=2`, are skipped. A name without `=` has no value. A name before a
/// final `=` has an empty one.
public struct QueryItems: Sendable {
    /// One name and its value; nil when there is no `=`.
    public struct Item: Sendable, Hashable {
        /// The decoded name.
        public let name: String
        /// The decoded value; nil if the name stands alone.
        public let value: String?

        /// Creates an item.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    private let items: [Item]

    /// Decodes a query.
    ///
    /// - Parameter rawQuery: The query as it was sent, without `?`; nil is an empty query.
    /// - Throws: The first name or value that cannot be decoded.
    public init(rawQuery: String?) throws(QueryError) {
        var items: [Item] = []
        for part in Self.parts(of: rawQuery) { items.append(try part.get()) }
        self.items = items
    }

    /// Decodes as much of a query as possible.
    ///
    /// - Parameter rawQuery: The query as it was sent, without `?`; nil is an empty query.
    /// - Returns: The items in order, each decoded or with its error.
    public static func parts(of rawQuery: String?) -> [Result<Item, QueryError>] {
        Array((rawQuery ?? "").utf8).split(separator: UInt8(ascii: "&")).map { part in
            do throws(QueryError) {
                return .success(try item(part))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func item(_ part: ArraySlice<UInt8>) throws(QueryError) -> Item {
        let equals = part.firstIndex(of: UInt8(ascii: "="))
        let rawName = part[..<(equals ?? part.endIndex)]
        // An undecodable name can only be shown as it was sent.
        let name = try decode(rawName, of: String(decoding: rawName, as: UTF8.self))
        let value: String? =
            if let equals { try decode(part[(equals + 1)...], of: name) } else { nil }
        return Item(name: name, value: value)
    }

    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        of name: String
    ) throws(QueryError) -> String {
        guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: true) else {
            throw .malformedPercentEncoding(name: name)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw .invalidUTF8(name: name)
        }
        return text
    }
}

extension QueryItems: RandomAccessCollection {
    /// The position of the first item.
    public var startIndex: Int { items.startIndex }
    /// The position after the last item.
    public var endIndex: Int { items.endIndex }
    /// The item at a position.
    public subscript(position: Int) -> Item { items[position] }
}
