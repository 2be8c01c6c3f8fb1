/// An exact sum of numbers of any size.
///
/// A double counts as its shortest decimal, so that 0.1 and 0.2 are 0.3.
package struct DecimalSum: Sendable {
    /// The sums of numbers of up to 18 digits, by their number of digits after the point.
    private var scaled = [Int128](repeating: 0, count: 19)
    /// The sums of other numbers, by powers of 10⁹.
    private var limbs: [Int: Int128] = [:]
    /// Infinities and NaN; nil if there are none.
    private var nonFinite: Double?

    /// The number of significant digits of a quotient, which every double has.
    private static let significantDigits = 15
    private static let base: Int128 = 1_000_000_000
    private static let baseDigits = 9

    package init() {}

    package mutating func add(_ value: CellValue, times count: Int) {
        switch value {
        case .integer(let integer): scaled[0] += Int128(integer) * Int128(count)
        case .decimal(let decimal): add(decimal, times: count)
        case .real(let real):
            guard real.isFinite else {
                nonFinite = (nonFinite ?? 0) + real
                return
            }
            if real.magnitude < 0x1p53, real == real.rounded() {
                scaled[0] += Int128(real) * Int128(count)
            } else {
                add(ExactDecimal(real), times: count)
            }
        case .null, .text, .boolean, .date, .timestamp, .json, .bytes: break
        }
    }

    private mutating func add(_ decimal: ExactDecimal, times count: Int) {
        var digits: [UInt8] = []
        let (exponent, isNegative) = decimal.withForm { form, utf8 in
            form.forEachDigit(utf8) { digits.append($0) }
            return (form.exponent, form.isNegative)
        }
        let weight = Int128(isNegative ? -count : count)
        let fraction = digits.count - exponent
        if digits.count <= 18, scaled.indices.contains(fraction) {
            scaled[fraction] += digits.reduce(Int128(0)) { $0 * 10 + Int128($1) } * weight
            return
        }
        for (index, digit) in digits.enumerated() {
            Self.add(digit, at: exponent - 1 - index, times: weight, to: &limbs)
        }
    }

    private static func add(
        _ digit: UInt8,
        at power: Int,
        times weight: Int128,
        to limbs: inout [Int: Int128]
    ) {
        let limb = power >= 0 ? power / baseDigits : -((-power + baseDigits - 1) / baseDigits)
        var value = Int128(digit) * weight
        for _ in 0..<power - limb * baseDigits { value *= 10 }
        limbs[limb, default: 0] += value
    }

    /// An integer if possible, else a decimal.
    package var total: CellValue {
        if let nonFinite { return .real(nonFinite) }
        let number = digits
        return Self.value(number.isNegative, number.whole, number.fraction)
    }

    /// Rounded half away from zero.
    ///
    /// The divisor is above 0.
    package func quotient(by divisor: Int) -> CellValue {
        if let nonFinite { return .real(nonFinite) }
        let number = digits
        let dividend = number.whole + number.fraction
        var quotient: [UInt8] = []
        var rest: Int128 = 0
        var significant = 0
        var index = 0
        var roundsUp = false
        while index < dividend.count || rest != 0 {
            rest = rest * 10 + Int128(index < dividend.count ? dividend[index] : 0)
            let digit = UInt8(rest / Int128(divisor))
            rest %= Int128(divisor)
            if index >= number.whole.count, significant >= Self.significantDigits {
                roundsUp = digit >= 5
                break
            }
            quotient.append(digit)
            if significant > 0 || digit > 0 { significant += 1 }
            index += 1
        }
        var whole = Array(quotient.prefix(number.whole.count))
        var fraction = Array(quotient.dropFirst(number.whole.count))
        if roundsUp { Self.increment(&whole, &fraction) }
        return Self.value(number.isNegative, whole, fraction)
    }

    private static func increment(_ whole: inout [UInt8], _ fraction: inout [UInt8]) {
        var digits = whole + fraction
        var index = digits.count - 1
        while index >= 0, digits[index] == 9 {
            digits[index] = 0
            index -= 1
        }
        if index >= 0 { digits[index] += 1 } else { digits.insert(1, at: 0) }
        let count = fraction.count
        whole = Array(digits.dropLast(count))
        fraction = Array(digits.suffix(count))
    }

    private var digits: (isNegative: Bool, whole: [UInt8], fraction: [UInt8]) {
        var limbs = limbs
        for (scale, sum) in scaled.enumerated() where sum != 0 {
            var rest = sum.magnitude
            var power = -scale
            while rest > 0 {
                let weight: Int128 = sum < 0 ? -1 : 1
                Self.add(UInt8(rest % 10), at: power, times: weight, to: &limbs)
                rest /= 10
                power += 1
            }
        }
        guard let first = limbs.keys.min(), let last = limbs.keys.max() else {
            return (false, [0], [])
        }
        // The carries of a limb reach at most five further ones.
        let range = min(first, 0)...max(last, 0) + 5
        var parts = Self.carried(limbs, range)
        if parts.isNegative { parts = (true, Self.carried(limbs.mapValues { -$0 }, range).parts) }
        var digits: [UInt8] = []
        for part in parts.parts.reversed() {
            var divisor = Self.base / 10
            while divisor > 0 {
                digits.append(UInt8(part / divisor % 10))
                divisor /= 10
            }
        }
        let fraction = -range.lowerBound * Self.baseDigits
        return (parts.isNegative, Array(digits.dropLast(fraction)), Array(digits.suffix(fraction)))
    }

    /// Carries so that each limb is from 0 to 10⁹ - 1; whether the whole is below zero.
    private static func carried(
        _ limbs: [Int: Int128],
        _ range: ClosedRange<Int>
    ) -> (isNegative: Bool, parts: [Int128]) {
        var carry: Int128 = 0
        let parts = range.map { index -> Int128 in
            let value = (limbs[index] ?? 0) + carry
            let rest = ((value % base) + base) % base
            carry = (value - rest) / base
            return rest
        }
        return (carry < 0, parts)
    }

    private static func value(
        _ isNegative: Bool,
        _ whole: [UInt8],
        _ fraction: [UInt8]
    ) -> CellValue {
        func text(_ digits: some Sequence<UInt8>) -> String {
            String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        }
        let front = text(whole.drop { $0 == 0 })
        let back = text(fraction.reversed().drop { $0 == 0 }.reversed())
        let sign = isNegative && !(front.isEmpty && back.isEmpty) ? "-" : ""
        let number = sign + (front.isEmpty ? "0" : front)
        if back.isEmpty, let integer = Int64(number) { return .integer(integer) }
        let decimal = back.isEmpty ? number : "\(number).\(back)"
        // A longer number is read as text, so that its nearest double is better.
        return ExactDecimal(decimal).map(CellValue.decimal) ?? .real(Double(decimal) ?? 0)
    }
}
