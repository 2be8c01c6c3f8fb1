import Bytes

/// One typed value of a row, as machines read it.
///
/// Values of one column have one type, or are null. Two texts are equal when their bytes are, as in
/// databases; `String` would also call `é` equal to `e` with a combining accent.
public enum CellValue: Sendable {
    /// Nothing known.
    case null
    /// Any text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A finite number with a fraction.
    case real(Double)
    /// Yes or no.
    case boolean(Bool)
    /// A day of the calendar.
    case date(CalendarDate)
}

extension CellValue: Hashable {
    /// Whether two values are the same, byte for byte.
    public static func == (left: CellValue, right: CellValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.text(let left), .text(let right)): left.utf8.span.equals(right.utf8.span)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real)
        case .boolean(let boolean): hasher.combine(boolean)
        case .date(let date): hasher.combine(date)
        }
    }
}

extension CellValue {
    /// Whether there is no value.
    public var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The value as a person types it into a file: ISO 8601 dates, `true` and `false`, empty for
    /// null.
    public var plainText: String {
        switch self {
        case .null: ""
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .boolean(let boolean): boolean ? "true" : "false"
        case .date(let date): date.description
        }
    }

    /// Reads back what `plainText` wrote.
    ///
    /// - Parameters:
    ///   - text: The text of the value.
    ///   - type: The type of its column.
    /// - Returns: The value, or nil when the text is not one of the type.
    public static func parse(_ text: String, as type: ColumnType) -> CellValue? {
        switch type {
        case .text, .email, .link: .text(text)
        case .integer: parseInteger(text).map(CellValue.integer)
        case .real: parseReal(text).map(CellValue.real)
        case .boolean:
            switch text {
            case "true": .boolean(true)
            case "false": .boolean(false)
            default: nil
            }
        case .date: CalendarDate(text).map(CellValue.date)
        }
    }

    /// An optional minus sign and digits, nothing else: `+5` and `-0` are not integers here.
    private static func parseInteger(_ text: String) -> Int64? {
        guard let value = Int64(text), "\(value)" == text else { return nil }
        return value
    }

    /// Digits with an optional minus sign, point and exponent: `Double` reads `0x1p3`, `+5` and
    /// `infinity` as well.
    private static func parseReal(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, !text.hasPrefix("+"), let value = Double(text), value.isFinite else {
            return nil
        }
        return value
    }
}
