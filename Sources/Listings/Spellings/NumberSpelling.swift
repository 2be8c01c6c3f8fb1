/// The spelling of numbers with blanks around them, exponents, separated thousands or a unit.
package struct NumberSpelling: Hashable, Sendable {
    /// The sign between thousands.
    package enum Thousands: String, Hashable, Sendable, CaseIterable {
        case comma
        case point
        case blank
        case apostrophe

        fileprivate func text(_ blank: String) -> String {
            switch self {
            case .comma: ","
            case .point: "."
            case .blank: blank
            case .apostrophe: "'"
            }
        }
    }

    /// The sign or the code of a currency, or a percent sign.
    package struct Unit: Hashable, Sendable {
        package let text: String
        package let isBefore: Bool
        package let isApart: Bool
    }

    package var thousands: Thousands?
    package var unit: Unit?
    /// Whether a comma stands before decimals.
    package var hasDecimalComma = false
    /// Whether most numbers have no sign between their thousands.
    package var omitsThousands = false
    /// Whether a blank stands behind the numbers.
    package var endsInBlank = false
    /// The blank between thousands or before a unit: a space, U+00A0 or U+202F.
    package var blank = " "
    /// Whether a minus sign stands between the unit and the digits.
    package var hasInnerSign = false
    /// Whether a number may have an exponent, such as `6.1e-05`.
    package var allowsPowers = false

    package init(unit: Unit? = nil) { self.unit = unit }

    private static let units = [
        "US$", "R$", "$", "€", "£", "¥", "₹", "%", "EUR", "USD", "GBP", "CHF", "JPY", "SEK", "NOK",
        "DKK", "PLN", "CZK", "kr", "zł",
    ].map { Array($0.utf8) }

    /// The format of a column with the unit.
    package var format: ColumnFormat? {
        guard let unit else { return nil }
        return switch unit.text {
        case "$", "US$", "USD": .currency("USD")
        case "€", "EUR": .currency("EUR")
        case "£", "GBP": .currency("GBP")
        case "R$": .currency("BRL")
        case "₹": .currency("INR")
        case "¥", "JPY": .currency("JPY")
        case "CHF", "SEK", "NOK", "DKK", "PLN", "CZK": .currency(unit.text)
        default: .unit(unit.text)
        }
    }

    /// A text that is a number in some spelling.
    package struct Found {
        package fileprivate(set) var spelling = NumberSpelling()
        /// Nil for a number without one.
        package fileprivate(set) var blank: String?
        /// Whether a minus sign follows the unit; nil for other numbers.
        package fileprivate(set) var hasInnerSign: Bool?
        /// The usual spelling, which is that of JSON.
        package fileprivate(set) var usual: [UInt8] = []
        package fileprivate(set) var isWhole = true
        package fileprivate(set) var hasExponent = false
        /// Whether a comma before three digits, as in `1,125`, may stand before decimals.
        package fileprivate(set) var isCommaOpen = false
        /// Whether a point before three digits, as in `1.125`, may separate thousands.
        package fileprivate(set) var isPointOpen = false
        /// Whether the exponent belongs to a number and not to a code such as `10E5`.
        package fileprivate(set) var isSurePower = false
    }

    /// Numbers with an exponent have neither a unit nor a comma.
    func covers(_ value: CellValue) -> Bool {
        let isPlain = unit == nil && thousands != .point && !hasDecimalComma
        return isPlain || !value.plainText.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// Whether the column of the spelling has the number.
    package func covers(_ found: Found) -> Bool {
        guard found.spelling.unit?.text == unit?.text,
            found.spelling.unit?.isBefore == unit?.isBefore
        else { return false }
        let isSeparated = found.spelling.thousands
        return (isSeparated == nil || isSeparated == thousands)
            && (found.isWhole || found.spelling.hasDecimalComma == hasDecimalComma)
            && (!found.hasExponent || allowsPowers)
    }

    func text(of value: CellValue) -> String {
        let plain = value.plainText
        let isNegative = plain.hasPrefix("-")
        let mark = hasDecimalComma || thousands == .point ? "," : "."
        var text = isNegative ? String(plain.dropFirst()) : plain
        if let thousands, !omitsThousands,
            !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
        {
            let parts = text.split(separator: ".", maxSplits: 1)
            var whole = Array(parts.first ?? "")
            for index in stride(from: whole.count - 3, to: 0, by: -3) {
                whole.insert(contentsOf: thousands.text(blank), at: index)
            }
            text = String(whole) + (parts.count > 1 ? mark + parts[1] : "")
        } else {
            text = text.replacing(".", with: mark)
        }
        if isNegative, hasInnerSign { text = "-" + text }
        if let unit {
            let gap = unit.isApart ? blank : ""
            text = unit.isBefore ? unit.text + gap + text : text + gap + unit.text
        }
        return (isNegative && !hasInnerSign ? "-" : "") + text + (endsInBlank ? " " : "")
    }
}

extension NumberSpelling {
    /// Reads the bytes of a text from its start.
    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        var blank: String?

        init(_ utf8: borrowing Span<UInt8>) { bytes = utf8.indices.map { utf8[$0] } }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func take(_ text: [UInt8]) -> Bool {
            guard bytes[index...].starts(with: text) else { return false }
            index += text.count
            return true
        }

        mutating func takeDigits() -> ArraySlice<UInt8> {
            let start = index
            while let next, next &- UInt8(ascii: "0") < 10 { index += 1 }
            return bytes[start..<index]
        }

        /// A space, U+00A0 or U+202F.
        mutating func takeBlank() -> Bool {
            let start = index
            guard take([0x20]) || take([0xC2, 0xA0]) || take([0xE2, 0x80, 0xAF]) else {
                return false
            }
            blank = String(decoding: bytes[start..<index], as: UTF8.self)
            return true
        }

        mutating func takeBlanks() -> Bool {
            let start = index
            while takeBlank() || take([0x09]) {}
            return index > start
        }

        mutating func takeSign() -> Bool? {
            take([UInt8(ascii: "-")]) ? true : take([UInt8(ascii: "+")]) ? false : nil
        }

        mutating func takeUnit() -> String? {
            NumberSpelling.units.first { take($0) }.map { String(decoding: $0, as: UTF8.self) }
        }

        mutating func takeThousands() -> Thousands? {
            if take([UInt8(ascii: ",")]) { return .comma }
            if take([UInt8(ascii: ".")]) { return .point }
            if take([UInt8(ascii: "'")]) || take([0xE2, 0x80, 0x99]) { return .apostrophe }
            return takeBlank() ? .blank : nil
        }
    }

    package static let maximumBytes = 64

    /// Nil for a text that is no number.
    ///
    /// Points separate thousands only if the caller says so, or if there are two. Commas separate
    /// none if they stand before decimals.
    package static func find(
        _ utf8: borrowing Span<UInt8>,
        separating given: Thousands? = nil,
        hasDecimalComma: Bool = false
    ) -> Found? {
        guard utf8.count > 0, utf8.count <= maximumBytes else { return nil }
        var reader = Reader(utf8)
        var found = Found()
        _ = reader.takeBlanks()
        var sign = reader.takeSign()
        if let unit = reader.takeUnit() {
            let isApart = reader.takeBlanks()
            found.spelling.unit = Unit(text: unit, isBefore: true, isApart: isApart)
            found.hasInnerSign = sign == true ? false : nil
            if sign == nil {
                sign = reader.takeSign()
                found.hasInnerSign = sign == true ? true : nil
            }
        }
        guard readNumber(&reader, &found, separating: given, hasDecimalComma) else { return nil }
        if sign == true { found.usual.insert(UInt8(ascii: "-"), at: 0) }
        let isApart = reader.takeBlanks()
        found.spelling.endsInBlank = isApart
        if let unit = reader.takeUnit() {
            guard found.spelling.unit == nil else { return nil }
            found.spelling.unit = Unit(text: unit, isBefore: false, isApart: isApart)
            found.spelling.endsInBlank = reader.takeBlanks()
        }
        found.blank = reader.blank
        return reader.next == nil ? found : nil
    }

    private static func readNumber(
        _ reader: inout Reader,
        _ found: inout Found,
        separating given: Thousands?,
        _ hasDecimalComma: Bool
    ) -> Bool {
        let first = reader.takeDigits()
        let whole = first.drop { $0 == UInt8(ascii: "0") }
        found.usual += whole.isEmpty ? [UInt8(ascii: "0")] : whole
        let isComma = hasDecimalComma && reader.next == UInt8(ascii: ",")
        if 1...3 ~= whole.count, whole.count == first.count, !isComma {
            found.spelling.thousands = readGroups(&reader, &found.usual, separating: given)
        }
        let thousands = found.spelling.thousands
        found.isCommaOpen = thousands == .comma && found.usual.count < 7
        let hasComma = thousands != .comma && reader.take([UInt8(ascii: ",")])
        if hasComma || thousands != .point && reader.take([UInt8(ascii: ".")]) {
            let decimals = reader.takeDigits()
            guard !decimals.isEmpty else { return false }
            found.usual += [UInt8(ascii: ".")] + decimals
            (found.isWhole, found.isCommaOpen) = (false, false)
            found.spelling.hasDecimalComma = hasComma
            let isGroup = decimals.count == 3 && 1...3 ~= whole.count && thousands == nil
            found.isPointOpen = !hasComma && isGroup
        } else if first.isEmpty {
            return false
        }
        guard thousands == nil, !hasComma, let letter = reader.next,
            letter | 0x20 == UInt8(ascii: "e")
        else { return true }
        let start = reader.index
        reader.index += 1
        let sign = reader.takeSign()
        let digits = reader.takeDigits()
        guard !digits.isEmpty else {
            // A unit may begin with the letter.
            reader.index = start
            return true
        }
        found.hasExponent = true
        found.isSurePower = sign != nil || !found.isWhole
        found.isWhole = false
        found.usual += [letter] + (sign.map { [UInt8(ascii: $0 ? "-" : "+")] } ?? []) + digits
        return true
    }

    /// Groups of three digits after the first digits.
    private static func readGroups(
        _ reader: inout Reader,
        _ digits: inout [UInt8],
        separating given: Thousands?
    ) -> Thousands? {
        var ahead = reader
        var (sign, groups) = (nil as Thousands?, [] as [UInt8])
        var end = reader.index
        let first = digits
        while let next = ahead.takeThousands(), sign == nil || next == sign {
            let group = ahead.takeDigits()
            guard group.count == 3 else { break }
            (sign, end) = (next, ahead.index)
            groups += group
        }
        ahead.index = end
        let isPoint = given == .point || groups.count > 3 || ahead.next == UInt8(ascii: ",")
        guard let sign, sign != .point || isPoint,
            sign != .point || groups.count != 9 || !isAddress(first + groups)
        else { return nil }
        (reader.index, reader.blank) = (end, ahead.blank)
        digits += groups
        return sign
    }

    /// Whether 10 to 12 digits are an address of IPv4, with groups of three after the first.
    private static func isAddress(_ digits: [UInt8]) -> Bool {
        stride(from: digits.count, to: 0, by: -3).allSatisfy { end in
            let group = String(decoding: digits[max(0, end - 3)..<end], as: UTF8.self)
            return Int(group).map { $0 < 256 } ?? false
        }
    }
}
