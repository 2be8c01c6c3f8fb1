import Bytes
import JSON

/// A value of a cell, with its own type.
///
/// The type of a column is for presentation. Values of other types are not converted. Numbers are
/// equal by value: `1`, `1.0` and `1.00` are equal. Texts are equal if their bytes are, as in
/// databases. `String` would also treat `é` as equal to `e` with a combining accent.
public enum CellValue: Sendable {
    /// No value.
    case null
    /// Any text.
    case text(String)
    /// A 64-bit integer.
    case integer(Int64)
    /// A double. Infinities and NaN only come from databases.
    case real(Double)
    /// A Boolean value.
    case boolean(Bool)
    /// A calendar date.
    case date(CalendarDate)
    /// An exact number, with its spelling.
    case decimal(ExactDecimal)
    /// A date and time of day, with its spelling.
    case timestamp(Timestamp)
    /// An array or object as compact JSON text.
    case json(String)
    /// A binary value.
    case bytes(ByteValue)
}

extension CellValue {
    /// The groups of types whose values are compared with each other, in list order.
    public enum Kind: Int, Hashable, Sendable, Comparable, CaseIterable {
        /// No value. The sort key determines its position.
        case null
        /// Boolean values.
        case boolean
        /// Integers, decimals and doubles.
        case number
        /// Dates and timestamps.
        case time
        /// Texts.
        case text
        /// Arrays and objects.
        case json
        /// Binary values.
        case bytes

        /// Whether a kind precedes another one.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The kind of the value.
    public var kind: Kind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer, .decimal, .real: .number
        case .date, .timestamp: .time
        case .text: .text
        case .json: .json
        case .bytes: .bytes
        }
    }
}

extension CellValue: Hashable {
    /// Whether two values are equal: numbers and times by value, all others by bytes.
    public static func == (left: CellValue, right: CellValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.text(let left), .text(let right)), (.json(let left), .json(let right)):
            left.utf8.span.equals(right.utf8.span)
        case (.integer(let left), .integer(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        default:
            left.kind == .number && right.kind == .number
                && NumberOrder.compare(left, right) == 0
        }
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .text(let text), .json(let text): for byte in text.utf8 { hasher.combine(byte) }
        // Equal numbers have the same nearest double, and negative zero equals zero.
        case .integer(let integer): hasher.combine(Double(integer))
        case .real(let real): hasher.combine(real.isNaN ? .nan : real + 0)
        case .decimal(let decimal): hasher.combine(decimal)
        case .boolean(let boolean): hasher.combine(boolean)
        case .date(let date): hasher.combine(date)
        case .timestamp(let timestamp): hasher.combine(timestamp)
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }

    /// Whether another value is equal and has the same spelling.
    public func isIdentical(to other: CellValue) -> Bool {
        switch (self, other) {
        case (.decimal(let left), .decimal(let right)): left.text == right.text
        case (.timestamp(let left), .timestamp(let right)): left.text == right.text
        case (.decimal, _), (_, .decimal): false
        default: self == other
        }
    }
}

extension CellValue {
    /// Whether there is no value.
    public var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The value as text, as in files and in its original spelling.
    ///
    /// ISO 8601 dates, `true` and `false`, JSON for arrays and objects, hexadecimal digits for
    /// bytes, empty for null.
    public var plainText: String {
        switch self {
        case .null: ""
        case .text(let text), .json(let text): text
        case .integer(let integer): "\(integer)"
        case .decimal(let decimal): decimal.text
        case .real(let real): Self.text(of: real)
        case .boolean(let boolean): boolean ? "true" : "false"
        case .date(let date): date.description
        case .timestamp(let timestamp): timestamp.text
        case .bytes(let bytes): bytes.hexadecimal
        }
    }

    /// The value in the unique spelling that all equal values share.
    public var canonicalText: String {
        switch self {
        case .decimal(let decimal): decimal.canonicalText
        case .real(let real) where real.isFinite: ExactDecimal(real).canonicalText
        case .timestamp(let timestamp) where timestamp.precision == .instant:
            timestamp.canonicalText
        default: plainText
        }
    }

    /// The fewest digits; `Infinity`, `-Infinity` or `NaN` if the double is not finite.
    package static func text(of real: Double) -> String {
        if real.isFinite { return "\(real)" }
        return real.isNaN ? "NaN" : real < 0 ? "-Infinity" : "Infinity"
    }
}

extension CellValue {
    /// Parses a text as a value of a type.
    ///
    /// - Parameters:
    ///   - text: The text of the value.
    ///   - type: The type of its column.
    /// - Returns: The value, or nil if the text is not one of the type.
    public static func parse(_ text: String, as type: ColumnType) -> CellValue? {
        switch type.form {
        case .text: .text(text)
        case .integer: number(text).flatMap { $0.isWhole ? $0 : nil }
        case .real: number(text) ?? power(text) ?? special(text)
        case .boolean:
            switch text {
            case "true": .boolean(true)
            case "false": .boolean(false)
            default: nil
            }
        case .date: CalendarDate(text).map(CellValue.date)
        case .timestamp: CalendarDate(text).map(CellValue.date) ?? timestamp(text)
        case .json: JSONText.compact(text).map(CellValue.json)
        case .bytes: ByteValue(hexadecimal: text).map(CellValue.bytes)
        }
    }

    /// Parses the id of a row, or a part of it: an integer in canonical spelling, or a text.
    ///
    /// Nil if the type is integer and the text is not.
    package static func id(_ text: String, as type: ColumnType) -> CellValue? {
        guard type == .integer else { return parse(text, as: type) }
        guard case .integer(let integer)? = number(text) else { return nil }
        return .integer(integer)
    }

    /// Parses a text as the value that it looks like: a plain decimal, a date, a timestamp, `true`
    /// or `false`.
    ///
    /// Any other text is a text.
    public static func natural(_ text: String) -> CellValue {
        guard let first = text.utf8.first else { return .text(text) }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return number(text) ?? CalendarDate(text).map(CellValue.date) ?? timestamp(text)
                ?? .text(text)
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            return number(text) ?? .text(text)
        case UInt8(ascii: "t") where text == "true": return .boolean(true)
        case UInt8(ascii: "f") where text == "false": return .boolean(false)
        default: return .text(text)
        }
    }

    /// Parses a plain decimal: an integer if it is spelled canonically, otherwise an exact decimal.
    package static func number(_ text: String) -> CellValue? {
        if let integer = Int64(text), "\(integer)" == text { return .integer(integer) }
        return ExactDecimal(text).map(CellValue.decimal)
    }

    private static func timestamp(_ text: String) -> CellValue? {
        Timestamp(text).map(CellValue.timestamp)
    }

    /// Parses a number with an exponent, as lists show very large and very small doubles.
    private static func power(_ text: String) -> CellValue? {
        ExactDecimal(json: text).flatMap { $0.nearestDouble.isFinite ? .decimal($0) : nil }
    }

    private static func special(_ text: String) -> CellValue? {
        switch text {
        case "NaN": .real(.nan)
        case "Infinity": .real(.infinity)
        case "-Infinity": .real(-.infinity)
        default: nil
        }
    }

    private var isWhole: Bool {
        switch self {
        case .integer: true
        case .decimal(let decimal): !decimal.text.utf8.contains(UInt8(ascii: "."))
        default: false
        }
    }
}

/// A binary value: its length, and its bytes if they were read.
public struct ByteValue: Hashable, Sendable {
    /// The number of bytes.
    public let count: Int
    /// The bytes; nil on pages, which show only the length.
    public let bytes: [UInt8]?

    /// Creates a value from bytes.
    public init(_ bytes: [UInt8]) {
        count = bytes.count
        self.bytes = bytes
    }

    /// Creates a value whose bytes were not read, from their number.
    public init(count: Int) {
        self.count = count
        bytes = nil
    }

    /// Empty if the bytes were not read.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = (bytes ?? []).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for anything but pairs of hexadecimal digits.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].lowercaseHexadecimalValue,
                let low = digits[index + 1].lowercaseHexadecimalValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes)
    }
}
