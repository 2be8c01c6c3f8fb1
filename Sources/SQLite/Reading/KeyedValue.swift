import Bytes
import Database
import Listings

/// Translates values of all types in one column of an imported list into their stored form.
///
/// A canonical integer is stored as INTEGER. Another value is stored as TEXT if its spelling
/// implies its type (``CellValue/natural(_:)``). Otherwise it is a BLOB of a type letter and its
/// text.
enum KeyedValue {
    private static let textTag = UInt8(ascii: "t")
    private static let numberTag = UInt8(ascii: "n")
    private static let jsonTag = UInt8(ascii: "j")

    /// The stored form of a value: an integer, a text, bytes or null.
    static func stored(_ value: CellValue) -> CellValue {
        switch value {
        case .null, .integer: return value
        case .boolean, .date, .timestamp: return .text(value.plainText)
        case .json(let text): return tagged(jsonTag, text)
        case .bytes: return .null
        case .text(let text):
            return CellValue.natural(text).kind == .text ? value : tagged(textTag, text)
        case .real, .decimal:
            let text = value.plainText
            return CellValue.natural(text).kind == .number
                ? .text(text) : tagged(numberTag, text)
        }
    }

    private static func tagged(_ tag: UInt8, _ text: String) -> CellValue {
        .bytes(ByteValue([tag] + Array(text.utf8)))
    }

    static func value(ofText utf8: borrowing Span<UInt8>) -> CellValue {
        CellValue.natural(utf8.text)
    }

    static func value(ofBlob bytes: borrowing Span<UInt8>) -> CellValue {
        guard bytes.count > 0 else { return .bytes(ByteValue([])) }
        let text = bytes.extracting(1...).text
        switch bytes[0] {
        case textTag: return .text(text)
        case jsonTag: return .json(text)
        case numberTag:
            if let decimal = ExactDecimal(json: text) { return .decimal(decimal) }
            return CellValue.parse(text, as: .real) ?? .text(text)
        default: return .bytes(ByteValue(bytes.indices.map { bytes[$0] }))
        }
    }
}

/// Keys that SQLite compares in the order of lists (``RowOrder``), and that can be converted back.
///
/// A key is a text that is compared byte by byte, or bytes, which sort after all texts. Booleans,
/// numbers, times and the empty text begin with U+0001 and a digit for their kind, so that they sort
/// before the keys of other texts (``TextKey``).
enum OrderingKey {
    private static let mark = "\u{1}"
    private static let jsonTag: UInt8 = 1
    private static let bytesTag: UInt8 = 2
    /// The offset added to a power of ten, so that it has five digits.
    private static let bias = 50_000

    /// Keys of foreign tables compare texts byte by byte.
    static func key(of value: CellValue, comparingBytes: Bool = false) -> CellValue {
        switch value {
        case .null: .null
        case .boolean(let boolean): .text(mark + (boolean ? "11" : "10"))
        case .integer, .decimal, .real: .text(mark + "2" + number(value))
        case .date, .timestamp:
            .text(mark + "3" + time(TimeRank(value)))
        case .text(let text): .text(comparingBytes ? mark + "4" + text : key(of: text))
        case .json(let text): .bytes(ByteValue([jsonTag] + Array(text.utf8)))
        case .bytes(let bytes): .bytes(ByteValue([bytesTag] + (bytes.bytes ?? [])))
        }
    }

    static func least(of kind: CellValue.Kind) -> CellValue {
        switch kind {
        case .null, .boolean: .text(mark + "1")
        case .number: .text(mark + "2")
        case .time: .text(mark + "3")
        case .text: .text(mark + "4")
        case .json: .bytes(ByteValue([jsonTag]))
        case .bytes: .bytes(ByteValue([bytesTag]))
        }
    }

    /// The key of an instant, before or after the keys of all its forms.
    static func key(of instant: TimeSpan.Instant, behind: Bool = false) -> CellValue {
        let text = time(seconds: instant.seconds, nanoseconds: instant.nanoseconds)
        return .text(mark + "3" + text + (behind ? "9" : ""))
    }

    static func value(of key: CellValue) -> CellValue {
        switch key {
        case .bytes(let value):
            guard let bytes = value.bytes, let tag = bytes.first else { return key }
            return tag == jsonTag
                ? .json(String(decoding: bytes.dropFirst(), as: UTF8.self))
                : .bytes(ByteValue(Array(bytes.dropFirst())))
        case .text(let text):
            guard text.utf8.first == 1 else {
                return TextKey.text(of: Array(text.utf8)).map(CellValue.text) ?? key
            }
            let scalars = text.unicodeScalars.dropFirst()
            let rest = String(String.UnicodeScalarView(scalars.dropFirst()))
            switch scalars.first {
            case "1": return .boolean(rest == "1")
            case "2": return number(ofKey: rest)
            case "3": return time(ofKey: rest)
            default: return .text(rest)
            }
        default: return key
        }
    }

    private static func key(of text: String) -> String {
        if text.isEmpty { return mark + "4" }
        var key: [UInt8] = []
        TextKey.append(text.utf8.span, to: &key)
        return String(decoding: key, as: UTF8.self)
    }

    // MARK: - Numbers

    private static func number(_ value: CellValue) -> String {
        if case .real(let real) = value, !real.isFinite {
            return real.isNaN ? "5" : real < 0 ? "0" : "4"
        }
        guard let decimal = ExactDecimal(json: value.plainText) ?? ExactDecimal(value.plainText)
        else { return "2" }
        return decimal.withForm { form, utf8 in
            guard !form.isZero else { return "2" }
            var digits: [UInt8] = []
            form.forEachDigit(utf8) { digits.append($0 + UInt8(ascii: "0")) }
            let power = "\(form.exponent + bias)".utf8
            var text = Array(repeating: UInt8(ascii: "0"), count: 5 - power.count) + power + digits
            guard form.isNegative else { return "3" + String(decoding: text, as: UTF8.self) }
            // Larger magnitudes sort first, and a shorter number sorts after a longer one.
            for index in text.indices {
                text[index] = UInt8(ascii: "9") - text[index] + UInt8(ascii: "0")
            }
            return "1" + String(decoding: text + [UInt8(ascii: ":")], as: UTF8.self)
        }
    }

    private static func number(ofKey key: String) -> CellValue {
        let bytes = Array(key.utf8)
        switch bytes.first {
        case UInt8(ascii: "0"): return .real(-.infinity)
        case UInt8(ascii: "4"): return .real(.infinity)
        case UInt8(ascii: "5"): return .real(.nan)
        case UInt8(ascii: "1"), UInt8(ascii: "3"):
            let isNegative = bytes[0] == UInt8(ascii: "1")
            var digits = Array(isNegative ? bytes[1..<bytes.count - 1] : bytes[1...])
            if isNegative {
                for index in digits.indices {
                    digits[index] = UInt8(ascii: "9") - digits[index] + UInt8(ascii: "0")
                }
            }
            let power = (Int(String(decoding: digits.prefix(5), as: UTF8.self)) ?? bias) - bias
            let text =
                (isNegative ? "-" : "") + "0."
                + String(decoding: digits.dropFirst(5), as: UTF8.self)
                + "e\(power)"
            guard let decimal = ExactDecimal(json: text) else { return .integer(0) }
            let canonical = decimal.canonicalText
            return CellValue.number(canonical) ?? .decimal(decimal)
        default: return .integer(0)
        }
    }

    // MARK: - Times

    /// The offset of seconds, before all years, so that they have no sign.
    private static let origin: Int64 = 100_000_000_000

    private static func time(_ rank: TimeRank) -> String {
        time(seconds: rank.seconds, nanoseconds: rank.nanoseconds) + "\(rank.form)"
    }

    private static func time(seconds: Int64, nanoseconds: Int32) -> String {
        String("\(1_000_000_000_000 + origin + seconds)".dropFirst())
            + "\(1_000_000_000 + nanoseconds)".dropFirst()
    }

    private static func time(ofKey key: String) -> CellValue {
        let digits = Array(key.utf8)
        guard digits.count == 22,
            let seconds = Int64(String(decoding: digits[..<12], as: UTF8.self)),
            let nanoseconds = Int32(String(decoding: digits[12..<21], as: UTF8.self))
        else { return .text(key) }
        let form = digits[21] - UInt8(ascii: "0")
        if form == 0, let date = CalendarDate(dayNumber: (seconds - origin) / 86_400) {
            return .date(date)
        }
        return .timestamp(
            Timestamp(seconds: seconds - origin, nanoseconds: nanoseconds, hasOffset: form == 2)
        )
    }
}

/// The text of the elements of an array: a JSON array of their keys, each in a line of its own.
///
/// Line breaks in keys are escaped, so that a line is found whole.
enum ElementList {
    static func text(of elements: [CellValue]) -> CellValue {
        guard !elements.isEmpty else { return .null }
        return .text("[" + elements.map(line).joined(separator: ",") + "]")
    }

    static func line(of element: CellValue) -> String {
        "\n\(CellValue.text(OrderingKey.key(of: element).plainText).document)\n"
    }
}
