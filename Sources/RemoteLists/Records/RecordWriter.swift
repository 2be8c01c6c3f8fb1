import Database
import Listings
import TableFiles

struct RecordWriter: ~Copyable {
    private let shape: RecordFormat.Shape
    private let idPosition: Int?
    /// Positions in the file; nil if it lacks the column.
    private let positions: [Int?]
    private var cells = CellBuffer()
    private var count: Int64 = 0

    init(_ shape: RecordFormat.Shape, _ names: ColumnNames) {
        self.shape = shape
        idPosition = shape.idName.flatMap { names.position(of: $0) }
        positions = shape.names.map { names.position(of: $0) }
    }

    /// Fails if the record has no id, or a value does not fit its column's type.
    mutating func write(
        _ record: borrowing FileRecord,
        _ location: RemoteLocation
    ) throws(RemoteError) {
        count += 1
        if let idName = shape.idName {
            guard let idPosition, let range = record.range(of: idPosition), !range.isEmpty else {
                let reason = FileError.Reason.missingID(column: idName)
                throw .decoding(
                    RemoteDecodingError(
                        page: location.page,
                        row: location.row,
                        .file(reason, at: nil)
                    )
                )
            }
            cells.append(try id(record, idPosition, name: idName))
        } else {
            cells.append(count)
        }
        // Records have no revisions.
        cells.appendNull()
        for (index, column) in shape.columns.enumerated() {
            guard let position = positions[index] else {
                cells.appendNull()
                continue
            }
            if position == idPosition {
                cells.append(try id(record, position, name: column.id))
            } else {
                try append(record, position, column)
            }
        }
    }

    /// An integer id may be a JSON string.
    private func id(
        _ record: borrowing FileRecord,
        _ position: Int,
        name: String
    ) throws(RemoteError) -> CellValue {
        guard let id = CellValue.id(record.text(position) ?? "", as: shape.idType) else {
            throw .columnChanged(name, from: shape.idType.rawValue, to: "text")
        }
        return id
    }

    consuming func finish() -> RecordBatch {
        let cellsPerRecord = RecordBatch.firstColumnCell + shape.columns.count
        return RecordBatch(cells, cellsPerRecord: cellsPerRecord)
    }

    /// An empty text is null in a column that has one type other than text.
    private mutating func append(
        _ record: borrowing FileRecord,
        _ position: Int,
        _ column: Column
    ) throws(RemoteError) {
        let type = column.type
        guard let range = record.range(of: position),
            !range.isEmpty || type.isText || column.isMixed
        else {
            cells.appendNull()
            return
        }
        let form = record.form(of: position)
        if type.isText, !column.isMixed {
            return record.withField(position) { cells.append(utf8: $0) }
        }
        let value = record.withField(position) { FieldValue.value($0, form) }
        guard column.isMixed || value.kind == type.kind else {
            throw .columnChanged(column.id, from: type.rawValue, to: "text")
        }
        cells.append(value)
    }
}
