package import Bytes

/// A row is its number and its cells, up to U+001E.
///
/// A cell follows U+001F: the number of its column, a letter for its form, and its text. XML and
/// therefore sheets have neither character. The first row has a cell with the name of each column.
package enum SheetRows {
    package static let cellMark: UInt8 = 0x1F
    package static let rowMark: UInt8 = 0x1E

    package enum Form: UInt8, Hashable, Sendable {
        /// A text, also that of a date.
        case text = 0x73
        /// A number as JSON writes it.
        case number = 0x6E
        case boolean = 0x62

        var fieldForm: FieldForm {
            switch self {
            case .text: .string
            case .number: .number
            case .boolean: .boolean
            }
        }
    }

    package static func beginRow(_ number: Int, in buffer: inout ByteBuffer) {
        buffer.append(decimal: number)
    }

    /// The text is appended next.
    package static func beginCell(_ column: Int, as form: Form, in buffer: inout ByteBuffer) {
        buffer.append(cellMark)
        buffer.append(decimal: column)
        buffer.append(form.rawValue)
    }

    package static func endRow(in buffer: inout ByteBuffer) { buffer.append(rowMark) }
}

/// Places are numbers of rows and columns in the sheet.
package struct SheetRowReader: RecordReader, ~Copyable {
    private enum State {
        case rowNumber
        case columnNumber
        case text
    }

    package private(set) var columns = ColumnNames()
    package var repairs: FileRepairs { FileRepairs() }
    private var state = State.rowNumber
    private var isHeaderRead = false
    private var number = 0
    private var row = 0
    private var column = -1
    private var positions: [Int: Int] = [:]

    package init() {}

    package mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        while index < chunk.count {
            let byte = chunk[index]
            switch byte {
            case SheetRows.cellMark:
                index += 1
                endPart(&record)
                (state, number) = (.columnNumber, 0)
            case SheetRows.rowMark:
                index += 1
                endPart(&record)
                (state, number) = (.rowNumber, 0)
                if isHeaderRead { return .complete }
                try readHeader(record)
            case _ where state == .text:
                let start = index
                repeat { index += 1 } while index < chunk.count && chunk[index] >= 0x20
                record.append(chunk.extracting(start..<index))
                try record.checkSize(of: column)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                index += 1
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            default:
                index += 1
                guard let form = SheetRows.Form(rawValue: byte) else {
                    preconditionFailure("byte \(byte) begins no cell")
                }
                beginCell(form, &record)
            }
        }
        return .needsMoreBytes
    }

    private mutating func beginCell(_ form: SheetRows.Form, _ record: inout FileRecord) {
        if !isHeaderRead { positions[number] = positions.count }
        guard let position = positions[number] else {
            preconditionFailure("column \(number) is missing in the header")
        }
        column = position
        let location = FileLocation(line: row, column: number)
        record.beginField(column, at: location, as: form.fieldForm)
        state = .text
    }

    private mutating func endPart(_ record: inout FileRecord) {
        switch state {
        case .rowNumber:
            row = number
            record.begin(at: FileLocation(line: row, column: 1))
        case .text: record.endField(column)
        case .columnNumber: preconditionFailure("a cell without form in row \(row)")
        }
    }

    private mutating func readHeader(_ record: borrowing FileRecord) throws(FileError) {
        isHeaderRead = true
        for column in 0..<record.count {
            try columns.append(record.text(column) ?? "", at: record.location(of: column))
        }
    }

    package mutating func finish(
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        .needsMoreBytes
    }

    /// The first error ends the reading.
    package mutating func recover(from error: FileError) -> Bool { false }
}
