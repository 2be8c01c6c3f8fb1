import Bytes
import JSON
import Listings

/// A writer of the cells of a worksheet (ECMA-376 Part 1 §18.3.1).
struct SheetWriter: ~Copyable {
    /// The maximum length of a text, in UTF-16 code units.
    static let maximumText = 32_767

    /// The number of a cell format of the workbook.
    struct Style: Equatable {
        let number: Int

        static let general = Style(number: 0)
        static let header = Style(number: 1)
        static let date = Style(number: 2)
        private static let firstDecimals = 3
        private static let firstTime = firstDecimals + maximumDecimals
        /// The digits that each double keeps.
        static let maximumDecimals = 15

        /// The style that shows the zeros at the end of a number.
        static func decimals(_ count: Int) -> Style {
            count > maximumDecimals ? general : Style(number: firstDecimals + count - 1)
        }

        /// The style that shows a time as it is spelled.
        static func time(_ text: String, isUTC: Bool) -> Style {
            let utf8 = text.utf8.span
            let hasBlank = utf8.count > 10 && utf8[10] == 0x20
            let hasSeconds = utf8.count > 16 && utf8[16] == UInt8(ascii: ":")
            var decimals = hasSeconds ? 0 : shortTime
            if utf8.count > 19, utf8[19] == UInt8(ascii: ".") {
                let digits = utf8.extracting(20...)
                while decimals < 3, decimals < digits.count, 0x30...0x39 ~= digits[decimals] {
                    decimals += 1
                }
            }
            let form = (isUTC ? 2 : 0) + (hasBlank ? 1 : 0)
            return Style(number: firstTime + form * (shortTime + 1) + decimals)
        }

        /// The number of a time without seconds, after those with 0 to 3 decimals.
        private static let shortTime = 4

        /// The codes of all formats by their numbers; nil for the general one.
        static let codes: [String?] =
            [nil, nil, "yyyy-mm-dd"]
            + (1...maximumDecimals).map { "0." + String(repeating: "0", count: $0) }
            + [("", " "), ("", "\\ "), ("&quot;Z&quot;", " "), ("&quot;Z&quot;", "\\ ")].flatMap {
                zone,
                blank in
                [":ss", ":ss.0", ":ss.00", ":ss.000", ""].map {
                    "yyyy-mm-dd\(blank)hh:mm\($0)\(zone)"
                }
            }
    }

    var buffer = ByteBuffer(minimumCapacity: 64 * 1024)
    private var row = 0
    private var column = 0

    /// Begins a row; rows are numbered from 1.
    mutating func beginRow(_ number: Int) {
        (row, column) = (number, 0)
        buffer.append("<row r=\"" as StaticString)
        buffer.append(decimal: Int64(number))
        buffer.append("\">" as StaticString)
    }

    mutating func endRow() { buffer.append("</row>" as StaticString) }

    mutating func skip() { column += 1 }

    mutating func text(_ text: String, _ style: Style = .general) {
        self.text(text.utf8.span, style)
    }

    mutating func text(_ utf8: borrowing Span<UInt8>, _ style: Style = .general) {
        begin(style)
        buffer.append(" t=\"inlineStr\"><is><t" as StaticString)
        let (first, last) = utf8.isEmpty ? (0xFF, 0xFF) : (utf8[0], utf8[utf8.count - 1])
        if first <= 0x20 || last <= 0x20 {
            buffer.append(" xml:space=\"preserve\"" as StaticString)
        }
        buffer.append(UInt8(ascii: ">"))
        if let cut = XMLText.cut(utf8, to: Self.maximumText) {
            XMLText.escape(utf8.extracting(..<cut.end), to: &buffer)
            buffer.append(cut.note)
        } else {
            XMLText.escape(utf8, to: &buffer)
        }
        buffer.append("</t></is></c>" as StaticString)
    }

    mutating func number(_ style: Style = .general, _ write: (inout ByteBuffer) -> Void) {
        begin(style)
        buffer.append("><v>" as StaticString)
        write(&buffer)
        buffer.append("</v></c>" as StaticString)
    }

    /// Appends a whole number, as text where a double cannot hold every such number.
    mutating func integer(_ integer: Int64) {
        guard integer.magnitude <= 1 << 53 else { return text("\(integer)") }
        number { $0.append(decimal: integer) }
    }

    mutating func boolean(_ boolean: Bool) {
        begin(.general)
        buffer.append(" t=\"b\"><v>" as StaticString)
        buffer.append(UInt8(ascii: boolean ? "1" : "0"))
        buffer.append("</v></c>" as StaticString)
    }

    private mutating func begin(_ style: Style) {
        buffer.append("<c r=\"" as StaticString)
        Self.reference(column: column, to: &buffer)
        buffer.append(decimal: Int64(row))
        buffer.append(UInt8(ascii: "\""))
        if style != .general {
            buffer.append(" s=\"" as StaticString)
            buffer.append(decimal: Int64(style.number))
            buffer.append(UInt8(ascii: "\""))
        }
        column += 1
    }

    /// Appends the letters of a column, from 0: `A`, `Z`, `AA`.
    static func reference(column: Int, to buffer: inout ByteBuffer) {
        if column >= 26 { reference(column: column / 26 - 1, to: &buffer) }
        buffer.append(UInt8(ascii: "A") + UInt8(column % 26))
    }
}

extension SheetWriter {
    mutating func value(_ index: Int, of cells: borrowing CellBuffer) {
        switch cells[index] {
        case .null: skip()
        case .text, .json: cells.withText(index) { text($0) }
        case .bytes: text(Self.plain(index, of: cells))
        case .integer(let integer): self.integer(integer)
        case .boolean(let boolean): self.boolean(boolean)
        case .real(let real):
            let written = CellValue.text(of: real)
            guard real.isFinite else { return text(written) }
            number { $0.append(written) }
        case .date(let date):
            guard let day = Self.serial(ofDay: date.dayNumber) else {
                return text(date.description)
            }
            number(.date) { $0.append(decimal: day) }
        case .decimal: decimal(cells.value(index))
        case .timestamp: timestamp(cells.value(index))
        }
    }

    private static func plain(_ index: Int, of cells: borrowing CellBuffer) -> String {
        var plain = ByteBuffer(minimumCapacity: 32)
        cells.writePlain(index, to: &plain)
        return plain.text()
    }

    /// Appends an exact number, as text if no double has its value.
    ///
    /// A number that JSON cannot spell, such as `01`, is a text there too.
    private mutating func decimal(_ value: CellValue) {
        guard case .decimal(let decimal) = value else { return skip() }
        var digits = 0
        let isNumber = decimal.withForm { form, utf8 in
            form.forEachDigit(utf8) { _ in digits += 1 }
            let isInRange = form.isZero || (-307...308).contains(form.exponent)
            return isInRange && JSONNumber.isNumber(utf8)
        }
        guard isNumber, digits <= 15 || decimal.isDouble else { return text(decimal.text) }
        let text = decimal.text
        let zeros = text.last == "0" ? text.split(separator: ".").dropFirst().first : nil
        let decimals = zeros?.allSatisfy(\.isNumber) ?? false ? zeros?.count : nil
        number(decimals.map(Style.decimals) ?? .general) {
            $0.append(decimal.canonicalText)
        }
    }

    /// Appends a timestamp with at most milliseconds; one with an offset in UTC.
    private mutating func timestamp(_ value: CellValue) {
        guard case .timestamp(let timestamp) = value else { return skip() }
        let day = timestamp.seconds.quotient(flooredBy: 86_400)
        guard let serial = Self.serial(ofDay: day), timestamp.nanoseconds % 1_000_000 == 0 else {
            return text(timestamp.text)
        }
        let milliseconds = timestamp.nanoseconds / 1_000_000
        let style = Style.time(timestamp.text, isUTC: timestamp.hasOffset)
        let inDay = (timestamp.seconds - day * 86_400) * 1_000 + Int64(milliseconds)
        number(style) { $0.append("\(Double(serial) + Double(inDay) / 86_400_000)") }
    }

    /// Returns the number of a day since 1970 in the 1900 date system, or nil where it has none.
    ///
    /// The system has a day 60 that did not exist, 29 February 1900.
    static func serial(ofDay day: Int64) -> Int64? {
        let serial = day + 25_569
        guard (2...2_958_465).contains(serial) else { return nil }
        return serial > 60 ? serial : serial - 1
    }
}
