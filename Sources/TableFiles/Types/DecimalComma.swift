/// Numbers with a decimal comma, such as `-1.234,50`.
package enum DecimalComma {
    /// Whether a text is a number with commas between groups of digits, such as `1,186`.
    static func hasGroups(_ text: String) -> Bool {
        let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let whole = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
        let areDigits = groups.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        guard areDigits, groups.count > 1, 1...3 ~= groups[0].utf8.count, groups[0] != "0" else {
            return false
        }
        return groups.dropFirst().allSatisfy { $0.utf8.count == 3 }
    }

    /// The usual spelling; nil for any other text.
    package static func number(_ text: String) -> String? {
        number(text.utf8Span.span).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Points stand between groups of three digits, and a comma before the decimals.
    ///
    /// A text without either is no such number, as it needs no change.
    static func number(_ utf8: borrowing Span<UInt8>) -> [UInt8]? {
        guard utf8.count > 1, utf8.count <= 64 else { return nil }
        var number: [UInt8] = []
        var (groupDigits, groups, decimals) = (0, 0, -1)
        for index in utf8.indices {
            let byte = utf8[index]
            switch byte {
            case UInt8(ascii: "-") where index == 0: number.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number.append(byte)
                if decimals >= 0 { decimals += 1 } else { groupDigits += 1 }
            case UInt8(ascii: ".") where decimals < 0:
                guard groups == 0 ? 1...3 ~= groupDigits : groupDigits == 3 else { return nil }
                groups += 1
                groupDigits = 0
            case UInt8(ascii: ",") where decimals < 0 && groupDigits > 0:
                guard groups == 0 || groupDigits == 3 else { return nil }
                decimals = 0
                number.append(UInt8(ascii: "."))
            default: return nil
            }
        }
        guard decimals != 0, decimals > 0 || groups > 0 && groupDigits == 3 else { return nil }
        return number
    }
}
