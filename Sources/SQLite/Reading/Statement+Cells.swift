import Bytes
import Database
import Listings

extension Statement {
    /// Returns the value as used in positions if the cell does not represent it completely.
    @inline(__always)
    func writeCell(
        _ column: Int,
        as form: ValueForm,
        to cells: inout CellBuffer
    ) -> CellValue? {
        let held = held(column)
        switch held.storage {
        case .null: cells.appendNull()
        case .integer: Self.write(held.integer, as: form, to: &cells)
        case .real: cells.append(held.real)
        case .text: return held.withText { utf8 in Self.writeText(utf8, as: form, to: &cells) }
        case .blob: return held.withBlob { bytes in Self.writeBlob(bytes, as: form, to: &cells) }
        }
        return nil
    }

    /// The form is that of positions.
    func value(_ column: Int, as form: ValueForm) -> CellValue {
        let held = held(column)
        switch held.storage {
        case .null: return .null
        case .integer: return Self.value(held.integer, as: form)
        case .real: return .real(held.real)
        case .text: return held.withText { Self.text($0, as: form) }
        case .blob:
            return held.withBlob { bytes in
                switch form {
                case .stored: .bytes(ByteValue(bytes.indices.map { bytes[$0] }))
                case .keyed: KeyedValue.value(ofBlob: bytes)
                case .key, .initialKey:
                    OrderingKey.value(of: .bytes(ByteValue(bytes.indices.map { bytes[$0] })))
                }
            }
        }
    }

    private static func text(_ utf8: borrowing Span<UInt8>, as form: ValueForm) -> CellValue {
        switch form {
        case .keyed: return KeyedValue.value(ofText: utf8)
        case .key:
            let value = OrderingKey.value(of: .text(String(decoding: utf8)))
            guard case .text(let text) = value, EncodedKey.isMarked(text.utf8.span) else {
                return value
            }
            return EncodedKey.value(text.utf8.span)
        case .initialKey: return .text(TextCollation.initial(ofUTF8: utf8))
        case .stored(let type): if let time = time(utf8, as: type) { return time }
        }
        return isWellFormed(utf8) && !EncodedKey.isMarked(utf8)
            ? .text(String(decoding: utf8)) : EncodedKey.value(utf8)
    }

    private static func time(_ utf8: borrowing Span<UInt8>, as type: ColumnType) -> CellValue? {
        guard type.isTime else { return nil }
        if let date = CalendarDate(utf8: utf8) { return .date(date) }
        return Timestamp.isTimestamp(utf8) ? Timestamp(utf8.text).map(CellValue.timestamp) : nil
    }

    private static func value(_ integer: Int64, as form: ValueForm) -> CellValue {
        switch form {
        case .stored(.boolean) where integer == 0 || integer == 1: .boolean(integer == 1)
        case .stored, .keyed, .key, .initialKey: .integer(integer)
        }
    }

    @inline(__always)
    private static func write(
        _ integer: Int64,
        as form: ValueForm,
        to cells: inout CellBuffer
    ) {
        if form == .stored(.boolean) {
            cells.append(value(integer, as: form))
        } else {
            cells.append(integer)
        }
    }

    @inline(__always)
    private static func writeText(
        _ utf8: borrowing Span<UInt8>,
        as form: ValueForm,
        to cells: inout CellBuffer
    ) -> CellValue? {
        switch form {
        case .stored(.date), .stored(.timestamp), .keyed, .key, .initialKey:
            let value = text(utf8, as: form)
            if value.kind != .text {
                cells.append(value)
                return nil
            }
        case .stored: break
        }
        // A marked text is not ASCII.
        if cells.append(ascii: utf8) { return nil }
        guard isWellFormed(utf8) else {
            cells.append(String(decoding: utf8))
            return EncodedKey.value(utf8)
        }
        cells.append(utf8: utf8)
        return EncodedKey.isMarked(utf8) ? EncodedKey.value(utf8) : nil
    }

    private static func writeBlob(
        _ bytes: borrowing Span<UInt8>,
        as form: ValueForm,
        to cells: inout CellBuffer
    ) -> CellValue? {
        if case .keyed = form {
            cells.append(KeyedValue.value(ofBlob: bytes))
            return nil
        }
        cells.append(ByteValue(count: bytes.count))
        return .bytes(ByteValue(bytes.indices.map { bytes[$0] }))
    }

    private static func isWellFormed(_ utf8: borrowing Span<UInt8>) -> Bool {
        // The position of the first invalid byte is not needed.
        (try? UTF8Span(validating: copy utf8)) != nil
    }
}
