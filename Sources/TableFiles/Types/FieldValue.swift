import Bytes
package import Listings

package enum FieldValue {
    package enum Shape: Hashable, Sendable {
        case text, integer, whole, fraction, boolean, date, timestamp, json

        var isNumber: Bool { self == .integer || self == .whole || self == .fraction }
    }

    package static func shape(_ utf8: borrowing Span<UInt8>, _ form: FieldForm) -> Shape {
        switch form {
        case .container: return .json
        case .boolean: return .boolean
        case .number, .plain:
            if integer(utf8) != nil { return .integer }
            if form == .number {
                guard ExactDecimal.isJSON(utf8) else { return .text }
                return isWhole(utf8) ? .whole : .fraction
            }
            if ExactDecimal.isPlain(utf8) { return isWhole(utf8) ? .whole : .fraction }
            if boolean(utf8) != nil { return .boolean }
        case .string: break
        }
        guard utf8.count >= 10, utf8[4] == UInt8(ascii: "-") else { return .text }
        if CalendarDate(utf8: utf8) != nil { return .date }
        return Timestamp.isTimestamp(utf8) ? .timestamp : .text
    }

    package static func value(_ utf8: borrowing Span<UInt8>, _ form: FieldForm) -> CellValue {
        let text = utf8.text
        switch shape(utf8, form) {
        case .text: return .text(text)
        case .json: return .json(text)
        case .boolean: return .boolean(boolean(utf8) ?? false)
        case .integer: return integer(utf8).map(CellValue.integer) ?? .text(text)
        case .whole, .fraction:
            return (ExactDecimal(text) ?? ExactDecimal(json: text)).map(CellValue.decimal)
                ?? .text(text)
        case .date: return CalendarDate(text).map(CellValue.date) ?? .text(text)
        case .timestamp: return Timestamp(text).map(CellValue.timestamp) ?? .text(text)
        }
    }

    private static func isWhole(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in utf8.indices
        where utf8[index] == UInt8(ascii: ".") || utf8[index] | 0x20 == UInt8(ascii: "e") {
            return false
        }
        return true
    }

    /// Canonical form: no `+`, no leading zeros, no `-0`.
    package static func integer(_ utf8: borrowing Span<UInt8>) -> Int64? {
        guard utf8.count > 0, utf8.count <= 20 else { return nil }
        let isNegative = utf8[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard first < utf8.count else { return nil }
        if utf8[first] == UInt8(ascii: "0") { return utf8.count == 1 ? 0 : nil }
        var value: Int64 = 0
        for index in first..<utf8.count {
            let digit = utf8[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (shifted, isPast) = value.multipliedReportingOverflow(by: 10)
            // Negative numbers are accumulated because the lowest integer has no positive
            // counterpart.
            let (next, isBelow) = shifted.subtractingReportingOverflow(Int64(digit))
            guard !isPast, !isBelow else { return nil }
            value = next
        }
        guard !isNegative else { return value }
        return value == .min ? nil : -value
    }

    package static func boolean(_ utf8: borrowing Span<UInt8>) -> Bool? {
        utf8.equals("true" as StaticString)
            ? true
            : utf8.equals("false" as StaticString) ? false : nil
    }
}
