import Bytes
import JSON
import Listings

/// The JSON spelling of values (RFC 8259), for any byte sink.
enum JSONValueEncoder {
    /// The maximum number of bytes of a value other than text.
    ///
    /// A binary64 number has at most 24.
    static let longest = 32

    static func writeNull(to sink: inout some ByteSink & ~Copyable) {
        sink.append("null" as StaticString)
    }

    static func write(_ value: Bool, to sink: inout some ByteSink & ~Copyable) {
        sink.append(value ? "true" : "false" as StaticString)
    }

    /// Appends an integer, as a text if it is beyond ±2⁵³.
    static func write(_ value: Int64, to sink: inout some ByteSink & ~Copyable) {
        guard value.magnitude > 1 << 53 else { return sink.append(decimal: value) }
        sink.append(UInt8(ascii: "\""))
        sink.append(decimal: value)
        sink.append(UInt8(ascii: "\""))
    }

    static func write(_ value: Double, to sink: inout some ByteSink & ~Copyable) {
        guard value.isFinite else { return write(CellValue.text(of: value).utf8.span, to: &sink) }
        sink.append(value.description.utf8.span)
    }

    /// Appends an exact number, as a text if a double cannot represent it.
    ///
    /// A number keeps its spelling if that is JSON and a double is equal. Integers beyond ±2⁵³ are
    /// texts.
    static func writeDecimal(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        guard JSONNumber.isNumber(utf8) else { return write(utf8, to: &sink) }
        // A double holds every number of fifteen digits.
        let isShort = utf8.count <= 15 && ExactDecimal.isPlain(utf8)
        if isShort || ExactDecimal(json: utf8.text)?.isReadAsDouble == true {
            sink.append(utf8)
        } else {
            write(utf8, to: &sink)
        }
    }

    /// Appends the number of bytes of a binary value.
    static func writeBytes(_ count: Int, to sink: inout some ByteSink & ~Copyable) {
        sink.append("{\"bytes\":" as StaticString)
        sink.append(decimal: Int64(count))
        sink.append(UInt8(ascii: "}"))
    }

    static func write(_ date: CalendarDate, to sink: inout some ByteSink & ~Copyable) {
        sink.append(UInt8(ascii: "\""))
        date.write(into: &sink)
        sink.append(UInt8(ascii: "\""))
    }

    static func write(
        _ utf8: borrowing Span<UInt8>,
        to sink: inout some ByteSink & ~Copyable
    ) {
        sink.append(UInt8(ascii: "\""))
        JSONEscape.write(utf8, to: &sink)
        sink.append(UInt8(ascii: "\""))
    }

    /// Appends the value of a cell other than text.
    static func writePlain(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) {
        switch cells[index] {
        case .null: writeNull(to: &sink)
        case .text: preconditionFailure("cell \(index) is a text")
        case .integer(let integer): write(integer, to: &sink)
        case .real(let real): write(real, to: &sink)
        case .boolean(let boolean): write(boolean, to: &sink)
        case .date(let date): write(date, to: &sink)
        case .decimal: cells.withText(index) { writeDecimal($0, to: &sink) }
        case .timestamp: cells.withText(index) { write($0, to: &sink) }
        case .json: cells.withText(index) { sink.append($0) }
        case .bytes(let count): writeBytes(count, to: &sink)
        }
    }

    /// Appends the value of a cell for programs.
    static func write(
        _ index: Int,
        of cells: borrowing CellBuffer,
        to sink: inout some ByteSink & ~Copyable
    ) {
        if cells.isText(index) {
            cells.withText(index) { write($0, to: &sink) }
        } else {
            writePlain(index, of: cells, to: &sink)
        }
    }
}
