import Bytes
import JSON
import Listings

extension HTMLValueFormat {
    /// Appends a value in the format of its column.
    ///
    /// - Returns: Whether the value has that form; nothing is appended to a value that has another.
    func formatted(
        _ index: Int,
        of cells: borrowing CellBuffer,
        as format: ColumnFormat,
        _ style: CellStyle,
        in location: CellLocation,
        to sink: inout some ByteSink & ~Copyable
    ) -> Bool {
        switch format {
        case .currency, .bytes, .duration, .percent, .unit:
            guard let number = cells.number(index) else { return false }
            return self.number(number, as: format, to: &sink)
        case .relative: return time(index, of: cells, to: &sink)
        case .badge:
            let text = cells.value(index).plainText
            let sum = text.utf8.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
            sink.append("<span class=\"tag t" as StaticString)
            sink.append(decimal: UInt64(sum % 6))
            sink.append("\">" as StaticString)
            write(index, of: cells, to: &sink)
            sink.append("</span>" as StaticString)
            return true
        case .phone: return phone(cells.value(index).plainText, to: &sink)
        default: break
        }
        guard case .text = cells[index] else { return false }
        switch format {
        case .image:
            return cells.withText(index) {
                picture($0, "pic", style.label, in: location, to: &sink)
            }
        case .avatar:
            return cells.withText(index) {
                picture($0, "pic face", style.label, in: location, to: &sink)
            }
        case .color: return color(cells.withText(index) { String(decoding: $0) }, to: &sink)
        case .longText:
            sink.append("<div class=\"long\">" as StaticString)
            cells.withText(index) { long($0, in: location, to: &sink) }
            sink.append("</div>" as StaticString)
            return true
        case .json:
            let text = cells.withText(index) { String(decoding: $0) }
            guard let compact = JSONText.compactValue(text) else { return false }
            if location.isAlone {
                json(compact, to: &sink)
            } else {
                long(compact.utf8.span, in: location, to: &sink)
            }
            return true
        // Addresses are links by themselves.
        default: return false
        }
    }

    private func time(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) -> Bool {
        let value = cells.value(index)
        guard value.kind == .time else { return false }
        sink.append("<time datetime=\"" as StaticString)
        HTMLEscape.write(value.plainText.utf8.span, to: &sink)
        sink.append("\">" as StaticString)
        if let text = local(index, of: cells, groupsDigits: false) {
            HTMLEscape.write(text.utf8.span, to: &sink)
        } else {
            write(index, of: cells, to: &sink)
        }
        sink.append("</time>" as StaticString)
        return true
    }

    /// Appends a number in a format.
    ///
    /// - Returns: Whether the number can be shown in it without loss.
    private func number(
        _ number: String,
        as format: ColumnFormat,
        to sink: inout some ByteSink & ~Copyable
    ) -> Bool {
        // Numbers with an exponent stay as they are.
        guard let value = DecimalPlaces(number) else { return false }
        let text: String
        switch format {
        case .currency(let code):
            let amount = value.padded(to: Self.decimals(of: code)).text
            let isNegative = amount.hasPrefix("-")
            let digits = texts.local(String(amount.drop { $0 == "-" }), groupsDigits: true)
            text = (isNegative ? "-" : "") + texts.amount(digits, Self.signs[code] ?? code)
        case .percent: text = texts.percent(texts.local(value.hundredfold.text, groupsDigits: true))
        case .unit(let unit): text = "\(texts.local(number, groupsDigits: true))\u{A0}\(unit)"
        case .duration(let unit):
            guard let span = Self.duration(number, in: unit) else { return false }
            text = texts.local(clock: span)
        case .bytes:
            guard let size = Self.size(number) else { return false }
            text = "\(texts.local(size.number, groupsDigits: false))\u{A0}\(size.unit)"
            sink.append("<span title=\"" as StaticString)
            sink.append(texts.local(number, groupsDigits: true).utf8.span)
            sink.append("\">" as StaticString)
            HTMLEscape.write(text.utf8.span, to: &sink)
            sink.append("</span>" as StaticString)
            return true
        default: return false
        }
        HTMLEscape.write(text.utf8.span, to: &sink)
        return true
    }

    /// Returns a number of bytes in the largest unit that leaves a digit before the mark.
    private static func size(_ number: String) -> (number: String, unit: String)? {
        guard let bytes = Double(number), bytes.isFinite else { return nil }
        var rest = bytes
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB", "PB"] where rest.magnitude >= 999.95 {
            rest /= 1_000
            unit = next
        }
        guard unit != "B" else { return (number, unit) }
        let tenths = Int((rest * 10).rounded())
        return ("\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)", unit)
    }

    /// Returns a time span as hours, minutes and seconds, such as `1:02:05` or `0:43.5`.
    ///
    /// It is nil for fractions of a millisecond.
    private static func duration(_ number: String, in unit: ColumnFormat.Time) -> String? {
        guard let value = Double(number) else { return nil }
        let factor: Double =
            switch unit {
            case .milliseconds: 1
            case .seconds: 1_000
            case .minutes: 60_000
            case .hours: 3_600_000
            }
        let exact = value * factor
        guard exact.magnitude < 0x1p53, (exact - exact.rounded()).magnitude < 1e-6 else {
            return nil
        }
        let all = Int(exact.rounded()).magnitude
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, seconds) = (all / 3_600_000, all / 60_000 % 60, all / 1_000 % 60)
        var text = exact < 0 ? "-" : ""
        text += hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
        text += ":\(two(seconds))"
        guard all % 1_000 > 0 else { return text }
        let thousandths = String(1_000 + all % 1_000).dropFirst()
        return "\(text).\(thousandths)"
    }

    private static let signs = [
        "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩",
    ]

    /// Returns the number of decimals of amounts in a currency (ISO 4217).
    private static func decimals(of code: String) -> Int {
        switch code {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND",
            "VUV", "XAF", "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }
}

/// A decimal number as its digits, whose mark can be moved without rounding.
struct DecimalPlaces {
    private var sign: Substring
    private var whole: String
    private var decimals: String

    init?(_ text: String) {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        sign = text.hasPrefix("-") ? "-" : ""
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard text.count - digits.count <= 1, (1...2).contains(parts.count), !digits.isEmpty,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        whole = String(parts[0])
        decimals = parts.count == 2 ? String(parts[1]) : ""
        // A real number shows its kind by `.0`.
        if decimals == "0" { decimals = "" }
    }

    var text: String {
        "\(sign)\(whole.isEmpty ? "0" : whole)\(decimals.isEmpty ? "" : ".")\(decimals)"
    }

    func padded(to count: Int) -> DecimalPlaces {
        var number = self
        number.decimals += String(repeating: "0", count: max(0, count - decimals.count))
        return number
    }

    var hundredfold: DecimalPlaces {
        var number = padded(to: 2)
        let digits = number.whole + number.decimals.prefix(2)
        let leading = digits.drop { $0 == "0" }
        number.whole = leading.isEmpty ? "0" : String(leading)
        number.decimals.removeFirst(2)
        return number
    }
}

extension CellBuffer {
    fileprivate func number(_ index: Int) -> String? {
        switch self[index] {
        case .integer(let integer): String(integer)
        case .real(let real): CellValue.text(of: real)
        case .decimal: withText(index) { String(decoding: $0) }
        case .null, .text, .json, .bytes, .boolean, .date, .timestamp: nil
        }
    }
}
