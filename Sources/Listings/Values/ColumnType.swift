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

    /// The form of a column's own values, in which they are stored, compared and searched.
    package enum Form: Hashable, Sendable {
        case text
        case integer
        case real
        case boolean
        case date
        case timestamp
        case json
        case bytes
    }

    package var form: Form {
        switch self {
        case .text, .email, .link: .text
        case .integer: .integer
        case .real: .real
        case .boolean: .boolean
        case .date: .date
        case .timestamp: .timestamp
        case .json: .json
        case .bytes: .bytes
        }
    }

    /// Whether values are texts and compared by the list's collation.
    public var isText: Bool { form == .text }

    /// Whether values are numbers, which are aligned at their last digit.
    public var isNumber: Bool { kind == .number }

    /// Whether values are points or periods of time.
    public var isTime: Bool { kind == .time }

    /// Whether values are texts of a certain syntax.
    package var isAddress: Bool { isText && self != .text }

    /// The kind of the column's own values.
    public var kind: CellValue.Kind {
        switch form {
        case .text: .text
        case .integer, .real: .number
        case .boolean: .boolean
        case .date, .timestamp: .time
        case .json: .json
        case .bytes: .bytes
        }
    }

    /// Whether a text has the syntax of the type.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .email: AddressSyntax.isEmail(text.utf8.span)
        case .link: AddressSyntax.isLink(text.utf8.span)
        default: !text.utf8.contains(0)
        }
    }
}
