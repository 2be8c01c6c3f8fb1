/// The presentation of a column's values on pages, beyond their type.
///
/// Its text, such as `currency:EUR`, is its form in files, schemas and other documents. Values in
/// JSON and exports are those of the source.
public enum ColumnFormat: Hashable, Sendable {
    /// The unit that a duration is counted in.
    public enum Time: String, Hashable, Sendable, CaseIterable {
        /// Thousandths of a second.
        case milliseconds = "ms"
        /// Seconds.
        case seconds = "s"
        /// Minutes.
        case minutes = "min"
        /// Hours.
        case hours = "h"
    }

    /// An amount of money: `currency:EUR`, with a code of ISO 4217.
    case currency(String)
    /// A number of bytes, shown as kB, MB and so on.
    case bytes
    /// A time span, shown as hours, minutes and seconds: `duration:ms`; seconds unless said.
    case duration(Time = .seconds)
    /// A fraction of one: 0.25 is shown as 25 %.
    case percent
    /// A number with a unit behind it: `unit:km`.
    case unit(String)
    /// A point in time, shown as its distance from now.
    case relative
    /// A word of a small set, such as a state.
    case badge
    /// A color in the notation of CSS, shown with a sample.
    case color
    /// The address of an image.
    case image
    /// The address of a small round image.
    case avatar
    /// An address that begins with `http` or `https`.
    case link
    /// An e-mail address.
    case email
    /// A telephone number.
    case phone
    /// A text of several lines.
    case longText
    /// A text with a value of JSON.
    case json

    /// Parses the text of a format; returns nil if no format has it.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count == 2 ? String(parts[1]) : nil
        switch (String(parts[0]), argument) {
        case ("currency", let code?) where Self.isCode(code): self = .currency(code)
        case ("unit", let unit?) where Self.isUnit(unit): self = .unit(unit)
        case ("duration", let unit?):
            guard let unit = Time(rawValue: unit) else { return nil }
            self = .duration(unit)
        case (let name, nil):
            guard let format = Self.plain.first(where: { $0.name == name }) else { return nil }
            self = format
        default: return nil
        }
    }

    /// The text of the format, which ``init(_:)`` parses.
    public var text: String {
        switch self {
        case .currency(let code): "\(name):\(code)"
        case .unit(let unit): "\(name):\(unit)"
        case .duration(let unit): unit == .seconds ? name : "\(name):\(unit.rawValue)"
        case .bytes, .percent, .relative, .badge, .color, .image, .avatar, .link, .email, .phone,
            .longText, .json:
            name
        }
    }

    package static let forms =
        "currency:CODE, unit:TEXT, duration:(\(Time.allCases.map(\.rawValue).joined(separator: "|"))), "
        + plain.map(\.name).joined(separator: ", ")

    /// A mixed column can hold values of every type.
    package func suits(_ column: Column) -> Bool {
        column.isMixed || suits(column.type)
    }

    package func suits(_ type: ColumnType) -> Bool {
        switch self {
        case .currency, .bytes, .duration, .percent, .unit: type.isNumber
        case .relative: type.isTime
        case .badge: type != .bytes && type != .json
        case .color, .image, .avatar, .link, .email, .longText: type.isText
        case .phone: type.isText || type == .integer
        case .json: type == .text || type == .json
        }
    }

    private static let plain: [ColumnFormat] = [
        .bytes, .duration(), .percent, .relative, .badge, .color, .image, .avatar, .link, .email,
        .phone, .longText, .json,
    ]

    private var name: String {
        switch self {
        case .currency: "currency"
        case .bytes: "bytes"
        case .duration: "duration"
        case .percent: "percent"
        case .unit: "unit"
        case .relative: "relative"
        case .badge: "badge"
        case .color: "color"
        case .image: "image"
        case .avatar: "avatar"
        case .link: "link"
        case .email: "email"
        case .phone: "phone"
        case .longText: "long-text"
        case .json: "json"
        }
    }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func isUnit(_ text: String) -> Bool {
        (1...16).contains(text.count) && text.first != " " && text.last != " "
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
