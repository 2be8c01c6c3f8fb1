import Database
import Listings

extension Statement {
    /// Appends the value of a column as a cell of a type; a value of another kind keeps its own.
    ///
    /// - Returns: The value as positions name it, where the cell does not say all of it.
    @inline(__always)
    func writeCell(
        _ column: Int,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        let held = held(column)
        switch held.storage {
        case .null:
            cells.appendNull()
        case .integer:
            Self.write(held.integer, as: type, to: &cells)
        case .real:
            let real = held.real
            guard real.isFinite else {
                cells.append(.null, display: "\(real)")
                return StoredKey.value(real)
            }
            cells.append(real)
        case .text:
            return held.withText { utf8 in Self.writeText(utf8, as: type, to: &cells) }
        case .blob:
            return held.withBlob { bytes in
                cells.append(.null, display: bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")
                return StoredKey.value(.blob, bytes)
            }
        }
        return nil
    }

    /// A copy of the value of a column as positions name it.
    func value(_ column: Int, as type: ColumnType) -> CellValue {
        let held = held(column)
        switch held.storage {
        case .null: return .null
        case .integer: return Self.value(held.integer, as: type)
        case .real:
            let real = held.real
            return real.isFinite ? .real(real) : StoredKey.value(real)
        case .text: return held.withText { Self.text($0, as: type) }
        case .blob: return held.withBlob { StoredKey.value(.blob, $0) }
        }
    }

    private static func text(_ utf8: borrowing Span<UInt8>, as type: ColumnType) -> CellValue {
        if type == .date, let date = CalendarDate(utf8: utf8) { return .date(date) }
        return isWellFormed(utf8) && !StoredKey.isMarked(utf8)
            ? .text(String(decoding: utf8)) : StoredKey.value(.text, utf8)
    }

    private static func value(_ integer: Int64, as type: ColumnType) -> CellValue {
        switch type {
        case .boolean where integer == 0 || integer == 1: .boolean(integer == 1)
        case .real: Double(exactly: integer).map(CellValue.real) ?? .integer(integer)
        default: .integer(integer)
        }
    }

    @inline(__always)
    private static func write(
        _ integer: Int64,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) {
        switch type {
        case .boolean, .real: cells.append(value(integer, as: type))
        default: cells.append(integer)
        }
    }

    @inline(__always)
    private static func writeText(
        _ utf8: borrowing Span<UInt8>,
        as type: ColumnType,
        to cells: inout CellBuffer
    ) -> CellValue? {
        if type == .date, let date = CalendarDate(utf8: utf8) {
            cells.append(date)
            return nil
        }
        // What is marked is not ASCII.
        if cells.append(ascii: utf8) { return nil }
        guard isWellFormed(utf8) else {
            cells.append(String(decoding: utf8))
            return StoredKey.value(.text, utf8)
        }
        cells.append(utf8: utf8)
        return StoredKey.isMarked(utf8) ? StoredKey.value(.text, utf8) : nil
    }

    private static func isWellFormed(_ utf8: borrowing Span<UInt8>) -> Bool {
        // The error says where the first wrong byte is; nobody asks.
        (try? UTF8Span(validating: copy utf8)) != nil
    }
}
