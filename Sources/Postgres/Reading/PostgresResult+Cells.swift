import Bytes
import Database
import Listings

extension PostgresResult {
    private enum StoredType {
        case boolean, integer, double, numeric, time, json, characters, other

        init(_ number: UInt32) {
            switch number {
            case 16: self = .boolean
            case 20, 21, 23, 26, 28: self = .integer
            case 700, 701: self = .double
            case 1700: self = .numeric
            case 1114, 1184: self = .time
            case 114, 3802: self = .json
            case 1042: self = .characters
            default: self = .other
            }
        }
    }

    /// Returns the value for positions if the cell does not represent it completely.
    func writeCell(
        _ row: Int,
        _ column: Int,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        guard !isNull(row, column) else {
            cells.appendNull()
            return nil
        }
        let stored = StoredType(types[column])
        return withText(row, column) { utf8 in
            // Ids are texts. A column of one of these types never has the type of a text.
            if type == .text, Self.writeID(utf8, stored, to: &cells) { return nil }
            switch stored {
            case .boolean: cells.append(utf8[0] == UInt8(ascii: "t"))
            case .integer: Self.writeInteger(utf8, as: type, to: &cells)
            case .double: cells.append(Double(utf8.text) ?? .nan)
            case .numeric: Self.writeNumeric(utf8, to: &cells)
            case .time: Self.writeTime(utf8, to: &cells)
            case .json: Self.writeJSON(utf8, to: &cells)
            case .characters, .other: return Self.writeText(utf8, as: type, to: &cells)
            }
            return nil
        }
    }

    func value(_ row: Int, _ column: Int, as type: ColumnType) -> CellValue {
        var cells = CellBuffer()
        let storedKey = writeCell(row, column, as: type, to: &cells)
        return storedKey ?? cells.value(0)
    }

    /// False for a type that is a text anyway.
    private static func writeID(
        _ utf8: borrowing Span<UInt8>,
        _ stored: StoredType,
        to cells: inout CellBuffer
    ) -> Bool {
        switch stored {
        case .boolean, .numeric, .time:
            var shown = CellBuffer()
            switch stored {
            case .boolean: shown.append(utf8[0] == UInt8(ascii: "t"))
            case .numeric: writeNumeric(utf8, to: &shown)
            default: writeTime(utf8, to: &shown)
            }
            cells.append(shown.value(0).plainText)
        case .characters:
            var count = utf8.count
            while count > 0, utf8[count - 1] == UInt8(ascii: " ") { count -= 1 }
            cells.append(utf8: utf8.extracting(0..<count))
        default: return false
        }
        return true
    }

    private static func writeInteger(
        _ utf8: borrowing Span<UInt8>,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) {
        let integer = integer(utf8)
        if type == .bytes {
            // The number of bytes, which replaces their contents. See `EngineType.selection(_:)`.
            cells.append(ByteValue(count: Int(integer)))
        } else {
            cells.append(integer)
        }
    }

    private static func integer(_ utf8: borrowing Span<UInt8>) -> Int64 {
        let isNegative = utf8.count > 0 && utf8[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<utf8.count {
            // Negative numbers are accumulated, because their range has one number more.
            value = value &* 10 &- Int64(utf8[index] &- UInt8(ascii: "0"))
        }
        return isNegative ? value : -value
    }

    private static func writeNumeric(
        _ utf8: borrowing Span<UInt8>,
        to cells: inout CellBuffer
    ) {
        guard ExactDecimal.isPlain(utf8) else {
            return cells.append(CellValue.parse(utf8.text, as: .real) ?? .text(utf8.text))
        }
        if let integer = Int64(utf8.text) {
            cells.append(integer)
        } else {
            cells.append(utf8, as: .decimal)
        }
    }

    /// `2024-02-29 12:00:00.5+00` becomes `2024-02-29T12:00:00.5Z`.
    ///
    /// A time before year 1, after 9999 or at infinity becomes a text.
    private static func writeTime(
        _ utf8: borrowing Span<UInt8>,
        to cells: inout CellBuffer
    ) {
        var text = utf8.text
        guard let space = text.firstIndex(of: " "), !text.hasSuffix(" BC") else {
            return cells.append(text)
        }
        text.replaceSubrange(space...space, with: "T")
        if text.hasSuffix("+00") { text = text.dropLast(3) + "Z" }
        if Timestamp.isTimestamp(text.utf8.span) {
            cells.append(text.utf8.span, as: .timestamp)
        } else {
            cells.append(text)
        }
    }

    private static func writeJSON(_ utf8: borrowing Span<UInt8>, to cells: inout CellBuffer) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var (isText, isEscaped) = (false, false)
        for index in utf8.indices {
            let byte = utf8[index]
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
                isText = byte == UInt8(ascii: "\"")
            }
            bytes.append(byte)
        }
        cells.append(bytes.span, as: .json)
    }

    private static func writeText(
        _ utf8: borrowing Span<UInt8>,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        if type == .date, let date = CalendarDate(utf8: utf8) {
            cells.append(date)
            return nil
        }
        if type == .json {
            writeJSON(utf8, to: &cells)
            return nil
        }
        // See `PostgresDialect.bytes(column:of:)`.
        if type == .bytes, let bytes = ByteValue(hexadecimal: utf8.text) {
            cells.append(bytes)
            return .bytes(bytes)
        }
        // The server sends only UTF-8, because the client encoding is set to it.
        cells.append(utf8: utf8)
        return EncodedKey.isMarked(utf8) ? EncodedKey.value(utf8) : nil
    }
}

extension CellValue {
    /// Throws ``ReadingError/strangePosition`` for a value that no type of the server can have.
    func parameter() throws(ReadingError) -> String? {
        switch self {
        case .json(let text), .text(let text): try Self.parameter(text)
        default: written(to: .other)
        }
    }

    private static func parameter(_ text: String) throws(ReadingError) -> String {
        var text = text
        if let key = EncodedKey.read(text) {
            text = String(decoding: key, as: UTF8.self)
        }
        guard !text.utf8.contains(0) else { throw .strangePosition }
        return text
    }
}
