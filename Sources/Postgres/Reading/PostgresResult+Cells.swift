import Database
import Listings

extension PostgresResult {
    /// The numbers of the types that are read by more than their text (`pg_type.dat`).
    private enum TypeNumber {
        static let boolean: UInt32 = 16
        static let integers: Set<UInt32> = [20, 21, 23, 26, 28]
        static let reals: Set<UInt32> = [700, 701, 1700]
        static let times: Set<UInt32> = [1114, 1184]
    }

    /// Appends the value of a record as a cell of a type.
    ///
    /// - Returns: The value as positions name it, where the cell does not say all of it.
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
        let number = types[column]
        return withText(row, column) { utf8 in
            switch number {
            case TypeNumber.boolean:
                cells.append(utf8[0] == UInt8(ascii: "t"))
                return nil
            case _ where TypeNumber.integers.contains(number):
                return Self.writeInteger(utf8, as: type, to: &cells)
            case _ where TypeNumber.reals.contains(number):
                return Self.writeNumber(utf8, as: type, to: &cells)
            case _ where TypeNumber.times.contains(number):
                return Self.writeTime(utf8, to: &cells)
            default:
                return Self.writeText(utf8, as: type, to: &cells)
            }
        }
    }

    /// A copy of a value as positions name it.
    func value(_ row: Int, _ column: Int, as type: ColumnType) -> CellValue {
        var cells = CellBuffer()
        let storedKey = writeCell(row, column, as: type, to: &cells)
        return storedKey ?? cells.value(0)
    }

    private static func writeInteger(
        _ utf8: borrowing Span<UInt8>,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        let integer = integer(utf8)
        guard type != .text else {
            // The number of bytes that are not selected: see `EngineType.selection(_:)`.
            cells.append(.null, display: integer == 1 ? "1 byte" : "\(integer) bytes")
            return nil
        }
        cells.append(integer)
        return nil
    }

    /// Reads the digits that the server wrote.
    private static func integer(_ utf8: borrowing Span<UInt8>) -> Int64 {
        let isNegative = utf8.count > 0 && utf8[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<utf8.count {
            // Downwards, where there is one number more.
            value = value &* 10 &- Int64(utf8[index] &- UInt8(ascii: "0"))
        }
        return isNegative ? value : -value
    }

    private static func writeNumber(
        _ utf8: borrowing Span<UInt8>,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        let text = String(decoding: utf8)
        if type == .integer, let integer = Int64(text) {
            cells.append(integer)
            return nil
        }
        guard let real = Double(text), real.isFinite else {
            cells.append(.null, display: text)
            return StoredKey.value(.text, utf8)
        }
        let digits = text.utf8.count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        // Up to fifteen digits come back from a number as they were (IEEE 754 double); the
        // server's shortest texts of doubles come back in any case.
        guard digits > 15, "\(real)" != text else {
            cells.append(real)
            return nil
        }
        cells.append(.real(real), display: text)
        return StoredKey.value(.text, utf8)
    }

    /// `2024-02-29 12:00:00.5+00` as ISO 8601 has it: `2024-02-29T12:00:00.5Z`.
    private static func writeTime(
        _ utf8: borrowing Span<UInt8>,
        to cells: inout CellBuffer
    ) -> CellValue? {
        var text = String(decoding: utf8)
        if let space = text.firstIndex(of: " "), !text.hasSuffix(" BC") {
            text.replaceSubrange(space...space, with: "T")
            if text.hasSuffix("+00") { text = text.dropLast(3) + "Z" }
        }
        cells.append(text)
        return nil
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
        // The server sends nothing but UTF-8: it is told to.
        cells.append(utf8: utf8)
        return StoredKey.isMarked(utf8) ? StoredKey.value(.text, utf8) : nil
    }
}

extension CellValue {
    /// The value as the server reads it; nil is null.
    ///
    /// - Throws: ``ReadingError/strangePosition`` for what no type of the server can be.
    func parameter() throws(ReadingError) -> String? {
        switch self {
        case .null: nil
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .boolean(let boolean): boolean ? "t" : "f"
        case .date(let date): date.description
        case .text(let text): try Self.parameter(text)
        }
    }

    private static func parameter(_ text: String) throws(ReadingError) -> String {
        var text = text
        if let key = StoredKey.read(text) {
            guard key.kind == .text else { throw .strangePosition }
            text = String(decoding: key.bytes, as: UTF8.self)
        }
        guard !text.utf8.contains(0) else { throw .strangePosition }
        return text
    }
}
