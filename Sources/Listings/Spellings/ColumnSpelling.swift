/// The spelling of the values of a column in files, which is another than that of JSON.
///
/// Values are stored as usual: `1234.5`, `2024-03-14`, `true`. CSV has the spelling of the file.
package enum ColumnSpelling: Hashable, Sendable {
    case number(NumberSpelling)
    case time(TimeSpelling)
    case boolean(BooleanSpelling)

    package enum Kind {
        /// A value in the usual spelling.
        case plain
        /// A number with an exponent.
        case power
        /// A value in the usual spelling that has no part of the spelling, such as its unit.
        case text
    }

    /// The usual spelling of a text, and its kind; nil for a text that has it or is no such value.
    package func usual(_ utf8: borrowing Span<UInt8>) -> (text: [UInt8], kind: Kind)? {
        switch self {
        case .number(let spelling):
            let found = NumberSpelling.find(
                utf8,
                separating: spelling.thousands,
                hasDecimalComma: spelling.hasDecimalComma
            )
            guard let found else { return nil }
            if spelling.covers(found) { return (found.usual, found.hasExponent ? .power : .plain) }
            return spelling.unit == nil ? nil : (utf8.indices.map { utf8[$0] }, .text)
        case .time(let spelling):
            let found = TimeSpelling.find(utf8)?.usual.first { $0.key.isSame(as: spelling) }
            return (found?.value).map { (Array($0.utf8), .plain) }
        case .boolean(let spelling):
            if let value = spelling.value(utf8) { return (Array("\(value)".utf8), .plain) }
            let isOther = !spelling.isUsual && BooleanSpelling(utf8) != nil
            return isOther ? (utf8.indices.map { utf8[$0] }, .text) : nil
        }
    }

    /// The text of a value in the file; nil for a value that the spelling does not have.
    package func text(of value: CellValue) -> String? {
        switch (self, value.kind) {
        case (.number(let spelling), .number):
            spelling.covers(value) ? spelling.text(of: value) : nil
        case (.time(let spelling), .time): spelling.covers(value) ? spelling.text(of: value) : nil
        case (.boolean(let spelling), .boolean):
            value == .boolean(true) ? spelling.yes : spelling.no
        default: nil
        }
    }

    private static let sampleNumber = CellValue.real(-1_234_567.5)
    private static let sampleTime = "2003-02-01 04:00:00"

    /// A kind and a value in the spelling, as in `number -$1,234,567.5`, `power -1234567.5`,
    /// `time 01.02.2003 04:00:00` and `boolean Yes`.
    ///
    /// The thousands of `plain` are read and not written.
    package var sample: String {
        switch self {
        case .number(var spelling):
            let kind =
                spelling.omitsThousands ? "plain" : spelling.allowsPowers ? "power" : "number"
            spelling.omitsThousands = false
            return "\(kind) " + spelling.text(of: Self.sampleNumber)
        case .time(let spelling): return "time " + spelling.text(of: .text(Self.sampleTime))
        case .boolean(let spelling): return "boolean " + spelling.yes
        }
    }

    /// Reads what ``sample`` writes.
    package init?(sample: String) {
        let parts = sample.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let utf8 = parts[1].utf8.span
        switch parts[0] {
        case "number", "power", "plain":
            let isPointed = parts[1].contains("1.234.567")
            guard let found = NumberSpelling.find(utf8, separating: isPointed ? .point : nil) else {
                return nil
            }
            var spelling = found.spelling
            spelling.blank = found.blank ?? spelling.blank
            spelling.hasInnerSign = found.hasInnerSign ?? false
            spelling.allowsPowers = parts[0] == "power"
            spelling.omitsThousands = parts[0] == "plain"
            self = .number(spelling)
        case "time":
            guard let found = TimeSpelling.find(utf8),
                var spelling = found.usual.first(where: { $0.value == Self.sampleTime })?.key
            else { return nil }
            spelling.hasShortHours = found.hasShortHour
            self = .time(spelling)
        case "boolean":
            guard let words = BooleanSpelling(utf8) else { return nil }
            self = .boolean(words)
        default: return nil
        }
    }
}
