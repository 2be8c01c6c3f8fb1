import Database
import Listings

/// Writes the records of a file into the memory of one batch, typed.
struct RecordWriter: ~Copyable {
    private let shape: RecordFormat.Shape
    private let idPosition: Int?
    /// Where each column of the list stands in the file; nil where it is left out.
    private let positions: [Int?]
    private var cells = CellBuffer()
    private var count: Int64 = 0

    init(_ shape: RecordFormat.Shape, _ names: ColumnNames) {
        self.shape = shape
        idPosition = shape.idName.flatMap { names.position(of: $0) }
        positions = shape.names.map { names.position(of: $0) }
    }

    /// Writes a record.
    ///
    /// - Throws: ``RemoteError/decoding(_:)`` when it has no id, ``RemoteError/columnChanged`` when
    ///   a value is not of its column's type.
    mutating func write(
        _ record: borrowing FileRecord,
        _ place: RemotePlace
    ) throws(RemoteError) {
        count += 1
        if let idName = shape.idName {
            guard let idPosition, let range = record.range(of: idPosition), !range.isEmpty else {
                let reason = FileError.Reason.missingID(column: idName)
                throw .decoding(
                    RemoteDecodingError(
                        page: place.page,
                        row: place.row,
                        .file(reason, at: nil)
                    )
                )
            }
            try append(record, idPosition, shape.idType, name: idName)
        } else {
            cells.append(count)
        }
        // There are no revisions.
        cells.appendNull()
        for (index, column) in shape.columns.enumerated() {
            guard let position = positions[index] else {
                cells.appendNull()
                continue
            }
            try append(record, position, column.type, name: column.id)
        }
    }

    /// Ends writing.
    consuming func finish() -> RecordBatch {
        let cellsPerRecord = RecordBatch.firstColumnCell + shape.columns.count
        return RecordBatch(cells, cellsPerRecord: cellsPerRecord)
    }

    /// Appends a value; an empty text is null where the others are no plain texts.
    private mutating func append(
        _ record: borrowing FileRecord,
        _ position: Int,
        _ type: ColumnType,
        name: String
    ) throws(RemoteError) {
        guard let range = record.range(of: position), !range.isEmpty || type == .text else {
            cells.appendNull()
            return
        }
        let isWritten = record.withField(position) { utf8 in Self.write(utf8, type, to: &cells) }
        guard isWritten else { throw .columnChanged(name, from: type.rawValue, to: "text") }
    }

    private static func write(
        _ utf8: borrowing Span<UInt8>,
        _ type: ColumnType,
        to cells: inout CellBuffer
    ) -> Bool {
        switch type {
        case .text, .email, .link: cells.append(utf8: utf8)
        case .integer:
            guard let value = FieldValue.integer(utf8) else { return false }
            cells.append(value)
        case .real:
            guard let value = FieldValue.real(utf8) else { return false }
            cells.append(value)
        case .boolean:
            guard let value = FieldValue.boolean(utf8) else { return false }
            cells.append(value)
        case .date:
            guard let value = CalendarDate(utf8: utf8) else { return false }
            cells.append(value)
        }
        return true
    }
}
