/// One typed value of a row, as machines read it.
///
/// Values of one column have one type, or are null.
public enum CellValue: Hashable, Sendable {
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

extension CellValue {
    /// Whether there is no value.
    public var isNull: Bool { self == .null }

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

    private static func parseReal(_ text: String) -> Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
