/// What the values of a column are, and how a person expects them to look.
public enum ColumnType: String, Hashable, Sendable, CaseIterable {
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

    /// Whether values are held as text and compared by the list's collation.
    public var isText: Bool {
        switch self {
        case .text, .email, .link: true
        case .integer, .real, .boolean, .date: false
        }
    }

    /// Whether values are numbers, which are aligned at their last digit.
    public var isNumber: Bool { self == .integer || self == .real }
}
