internal import Listings

/// The values that the text of a field can be read as.
package enum FieldValue {
    /// Reads an integer as it is written canonically: no `+`, no zeros in front, no `-0`.
    ///
    /// - Returns: The integer, or nil when the text is none or it does not fit 64 bits.
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
            // Counted downwards, because the lowest integer has no positive counterpart.
            let (next, isBelow) = shifted.subtractingReportingOverflow(Int64(digit))
            guard !isPast, !isBelow else { return nil }
            value = next
        }
        guard !isNegative else { return value }
        return value == .min ? nil : -value
    }

    /// Reads a number as JSON writes it (RFC 8259 §6).
    ///
    /// - Returns: The nearest number in double precision, or nil when the text is none, when it is
    ///   past what double precision holds, or when it is an integer that would lose digits.
    package static func real(_ utf8: borrowing Span<UInt8>) -> Double? {
        var number = JSONNumber()
        for index in utf8.indices {
            guard number.take(utf8[index]) else { return nil }
        }
        guard number.isComplete else { return nil }
        if number.isInteger {
            if let integer = integer(utf8) { return Double(exactly: integer) }
            // What is left is `-0`, or longer than 64 bits.
            return utf8.count == 2 ? -0.0 : nil
        }
        guard let value = Double(utf8.text), value.isFinite else { return nil }
        return value
    }

    /// Reads `true` or `false`.
    package static func boolean(_ utf8: borrowing Span<UInt8>) -> Bool? {
        if isEqual(utf8, JSONLiteral.true.bytes) { return true }
        if isEqual(utf8, JSONLiteral.false.bytes) { return false }
        return nil
    }

    private static func isEqual(_ utf8: borrowing Span<UInt8>, _ word: [UInt8]) -> Bool {
        guard utf8.count == word.count else { return false }
        for index in word.indices where utf8[index] != word[index] { return false }
        return true
    }

    /// Whether the text is a day of the calendar, `YYYY-MM-DD`.
    package static func isDate(_ utf8: borrowing Span<UInt8>) -> Bool {
        CalendarDate(utf8: utf8) != nil
    }
}
