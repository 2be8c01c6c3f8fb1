import Listings

/// A reader of the values that models are sorted and grouped by: cells of columns, and ids.
struct SortKeyReader: ~Copyable {
    private let schema: ListSchema
    private let grouping: Grouping?
    private let keys: [SortKey]
    private let time: Deadline?
    private var scratch = CellBuffer()

    init(schema: ListSchema, grouping: Grouping?, keys: [SortKey], time: Deadline? = nil) {
        self.time = time
        self.schema = schema
        self.grouping = grouping
        self.keys = keys
    }

    /// Passes the section key, the sort values and the row count, in order.
    mutating func read(
        _ node: SectionNode,
        _ body: (SectionKey, [CellValue], Int) -> Void
    ) throws(SourceError) {
        let (grouping, keys) = (grouping, keys)
        try visit(node) { rowsPerModel, value in
            var section = SectionKey.whole
            if let grouping {
                section = .value(grouping.key(for: value(.column(grouping.column))))
            }
            body(section, keys.map { value($0.field) }, rowsPerModel)
        }
    }

    /// In order of the models.
    ///
    /// The function returns null values if the model's controller fails.
    mutating func visit(
        _ node: SectionNode,
        _ body: (Int, (SortKey.Field) -> CellValue) -> Void
    ) throws(SourceError) {
        for piece in node.rows.pieces(in: 0..<node.rows.count) {
            let columns = piece.storage.columns
            let rowsPerModel = piece.storage.rowsPerModel
            let cellOfColumn = schema.columns.map { column in
                columns.firstIndex { $0.id == column.id }
            }
            let idType = schema.idType
            for start in stride(
                from: piece.range.lowerBound,
                to: piece.range.upperBound,
                by: Deadline.stride
            ) {
                try time?.check()
                let range = start..<min(start + Deadline.stride, piece.range.upperBound)
                try piece.storage.writeCells(range, in: node.info, scratch: &scratch) {
                    id,
                    isWritten,
                    cells in
                    body(rowsPerModel) { field in
                        switch field {
                        case .id: CellValue.id(id, as: idType) ?? .text(id)
                        case .column(let column):
                            if isWritten, let cell = cellOfColumn[column], cell < cells.count {
                                cells.value(cell)
                            } else {
                                .null
                            }
                        }
                    }
                }
            }
        }
    }

    mutating func key(ofRow row: Int, in node: SectionNode) throws(SourceError) -> SectionKey {
        guard let (piece, offset) = node.rows.locate(row) else { return .whole }
        var one = SectionNode(info: node.info, label: node.label)
        let position = piece.range.lowerBound + offset
        try one.rows.insert(
            [(piece.storage, position..<position + 1, false)],
            at: 0,
            serial: 0
        )
        var key = SectionKey.whole
        try read(one) { found, _, _ in key = found }
        return key
    }
}
