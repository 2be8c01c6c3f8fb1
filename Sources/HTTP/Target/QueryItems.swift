import Bytes

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
