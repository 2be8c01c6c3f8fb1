/// A parsed decimal number, as positions in its bytes.
///
/// The value is 0.d₁d₂… × 10^exponent, where d₁ is the first digit that is not zero.
package struct DecimalForm {
    package let isNegative: Bool
    private let first: Int
    private let end: Int
    /// The exponent of ten for the fraction of the significant digits.
    package let exponent: Int

    package var isZero: Bool { first == end }

    /// Parses a number: a sign, digits with at most one point, and an exponent.
    ///
    /// Returns nil for other bytes and for exponents beyond ±9,999. Zero may have any exponent.
    package init?(_ utf8: borrowing Span<UInt8>) {
        var index = 0
        var isBelow = false
        if utf8.count > 0, utf8[0] == UInt8(ascii: "-") || utf8[0] == UInt8(ascii: "+") {
            isBelow = utf8[0] == UInt8(ascii: "-")
            index = 1
        }
        var (first, last) = (-1, -1)
        // The number of digits before the point, counted from the first that is not zero.
        var scale = 0
        var (hasPoint, hasDigit) = (false, false)
        while index < utf8.count {
            let byte = utf8[index]
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 {
                hasDigit = true
                if digit != 0 {
                    if first < 0 { first = index }
                    last = index
                }
                if first >= 0, !hasPoint { scale += 1 }
                if first < 0, hasPoint { scale -= 1 }
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                break
            }
            index += 1
        }
        guard hasDigit, let power = Self.power(utf8, from: index) else { return nil }
        guard first >= 0 else {
            (isNegative, self.first, end, exponent) = (false, 0, 0, 0)
            return
        }
        guard power.magnitude <= Self.maximumPower else { return nil }
        (isNegative, self.first, end, exponent) = (isBelow, first, last + 1, scale + power)
    }

    /// For a number that is not zero.
    private static let maximumPower = 9_999

    /// Parses `e±digits` up to the end.
    ///
    /// Returns 0 without an exponent. An exponent beyond the maximum is clamped to one more.
    private static func power(_ utf8: borrowing Span<UInt8>, from start: Int) -> Int? {
        guard start < utf8.count else { return 0 }
        guard utf8[start] | 0x20 == UInt8(ascii: "e") else { return nil }
        var index = start + 1
        var isBelow = false
        if index < utf8.count, utf8[index] == UInt8(ascii: "-") || utf8[index] == UInt8(ascii: "+")
        {
            isBelow = utf8[index] == UInt8(ascii: "-")
            index += 1
        }
        guard index < utf8.count else { return nil }
        var power = 0
        for location in index..<utf8.count {
            let digit = utf8[location] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            power = min(power * 10 + Int(digit), maximumPower + 1)
        }
        return isBelow ? -power : power
    }

    /// From the first to the last digit that is not zero.
    package func forEachDigit(_ utf8: borrowing Span<UInt8>, _ body: (UInt8) -> Void) {
        for index in first..<end where utf8[index] != UInt8(ascii: ".") {
            body(utf8[index] &- UInt8(ascii: "0"))
        }
    }

    /// Less than, equal to or greater than 0.
    package static func compare(
        _ left: DecimalForm,
        _ leftUTF8: borrowing Span<UInt8>,
        _ right: DecimalForm,
        _ rightUTF8: borrowing Span<UInt8>
    ) -> Int {
        let (leftSign, rightSign) = (left.sign, right.sign)
        guard leftSign == rightSign, leftSign != 0 else { return leftSign - rightSign }
        guard left.exponent == right.exponent else {
            return left.exponent < right.exponent ? -leftSign : leftSign
        }
        var (leftIndex, rightIndex) = (left.first, right.first)
        while leftIndex < left.end || rightIndex < right.end {
            let leftDigit = digit(leftUTF8, &leftIndex, left.end)
            let rightDigit = digit(rightUTF8, &rightIndex, right.end)
            if leftDigit != rightDigit { return leftDigit < rightDigit ? -leftSign : leftSign }
        }
        return 0
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    /// 0 after the last digit.
    private static func digit(
        _ utf8: borrowing Span<UInt8>,
        _ index: inout Int,
        _ end: Int
    ) -> UInt8 {
        if index < end, utf8[index] == UInt8(ascii: ".") { index += 1 }
        guard index < end else { return 0 }
        defer { index += 1 }
        return utf8[index] &- UInt8(ascii: "0")
    }

    /// Without plus sign, leading zeros and trailing zeros.
    func canonicalText(_ utf8: borrowing Span<UInt8>) -> String {
        guard !isZero else { return "0" }
        var digits: [UInt8] = []
        forEachDigit(utf8) { digits.append($0 + UInt8(ascii: "0")) }
        // Larger exponents would produce a text that is mostly zeros.
        guard (-400...400).contains(exponent) else {
            return (isNegative ? "-" : "") + "0." + String(decoding: digits, as: UTF8.self)
                + "e\(exponent)"
        }
        var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
        if exponent <= 0 {
            text += Array("0.".utf8) + Array(repeating: UInt8(ascii: "0"), count: -exponent)
            text += digits
        } else if digits.count <= exponent {
            text += digits
            text += Array(repeating: UInt8(ascii: "0"), count: exponent - digits.count)
        } else {
            text += digits[..<exponent] + [UInt8(ascii: ".")] + digits[exponent...]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
