import JSON
import Listings

enum FormatGuess {
    private static let units = [
        "km": "km", "kg": "kg", "cm": "cm", "mm": "mm", "kwh": "kWh", "kw": "kW", "mw": "MW",
    ]
    private static let currencies: Set = ["eur", "usd", "gbp", "chf", "jpy"]
    private static let phones: Set = ["phone", "telephone", "telefon", "mobile", "fax"]
    private static let states: Set = ["status", "priority", "severity", "stage"]

    /// Returns a format; nil if the values are best shown by their type.
    static func format(of column: Column, _ values: [CellValue]) -> ColumnFormat? {
        guard column.id != ListSchema.idName else { return nil }
        let words = Column.words(of: column.id).map { $0.lowercased() }
        let values = values.filter { !$0.isNull }
        guard let last = words.last, !values.isEmpty else { return nil }
        if column.type.isNumber { return number(last, column.type) }
        guard column.type.isText else { return nil }
        let texts = values.map(\.plainText).filter { !$0.isEmpty }
        guard !texts.isEmpty else { return nil }
        return text(words, last, texts).flatMap { $0.suits(column) ? $0 : nil }
    }

    private static func number(_ last: String, _ type: ColumnType) -> ColumnFormat? {
        if currencies.contains(last) { return .currency(last.uppercased()) }
        if let unit = units[last] { return .unit(unit) }
        return switch last {
        case "bytes" where type == .integer: .bytes
        case "milliseconds", "ms", "millis": .duration(.milliseconds)
        case "seconds", "secs": .duration(.seconds)
        case "minutes": .duration(.minutes)
        case "percent", "pct": .unit("%")
        default: nil
        }
    }

    private static func text(
        _ words: [String],
        _ last: String,
        _ texts: [String]
    ) -> ColumnFormat? {
        if texts.allSatisfy(isImage) { return words.contains("avatar") ? .avatar : .image }
        if texts.allSatisfy(isColor) { return .color }
        if texts.allSatisfy({ JSONText.compact($0) != nil }) { return .json }
        if phones.contains(last), texts.allSatisfy(isPhone) { return .phone }
        if states.contains(last), Set(texts).count <= 12 { return .badge }
        let isLong = texts.contains { $0.contains("\n") || $0.utf8.count > 400 }
        return isLong ? .longText : nil
    }

    private static func isImage(_ text: String) -> Bool {
        let address = text.lowercased().prefix { $0 != "?" && $0 != "#" }
        let isWeb = address.hasPrefix("https://") || address.hasPrefix("http://")
        let endings = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"]
        return isWeb && endings.contains { address.hasSuffix($0) }
    }

    private static func isColor(_ text: String) -> Bool {
        text.hasPrefix("#") && [4, 7, 9].contains(text.utf8.count)
            && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func isPhone(_ text: String) -> Bool {
        text.utf8.count { (0x30...0x39).contains($0) } >= 3
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+ ()-./".utf8.contains($0) }
    }
}
