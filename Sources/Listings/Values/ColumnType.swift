/// The type that a column is presented as: formatting, form fields and default operators.
///
/// Values have types of their own (``CellValue``), so a column may hold others besides.
public enum ColumnType: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Any text.
    case text
    /// Text that is an e-mail address.
    case email
    /// Text that is an absolute `http` or `https` address.
    case link
    /// Whole numbers.
    case integer
    /// Numbers with a fraction.
    case real
    /// Yes or no.
    case boolean
    /// Days of the calendar.
    case date
    /// Dates with a time of day, with or without an offset from UTC.
    case timestamp
    /// Arrays and objects.
    case json
    /// Bytes that are no text.
    case bytes

    /// Whether values are texts and compared by the list's collation.
    public var isText: Bool {
        switch self {
        case .text, .email, .link: true
        case .integer, .real, .boolean, .date, .timestamp, .json, .bytes: false
        }
    }

    /// Whether values are numbers, which are aligned at their last digit.
    public var isNumber: Bool { self == .integer || self == .real }

    /// Whether values are points or periods of time.
    public var isTime: Bool { self == .date || self == .timestamp }

    /// The kind of the column's own values.
    public var kind: CellValue.Kind {
        switch self {
        case .text, .email, .link: .text
        case .integer, .real: .number
        case .boolean: .boolean
        case .date, .timestamp: .time
        case .json: .json
        case .bytes: .bytes
        }
    }
}
