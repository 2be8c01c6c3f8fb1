package import Listings

/// One line of a table: a view of cells that it shares with the lines read together with it.
///
/// The model of lists whose type nobody declared.
package struct Record: Identifiable, Sendable {
    private let batch: RecordBatch
    private let firstCell: Int

    /// The record at a position of a batch.
    package init(_ batch: RecordBatch, at position: Int) {
        precondition(
            position >= 0 && position < batch.count,
            "record \(position) of \(batch.count)"
        )
        self.batch = batch
        firstCell = position * batch.cellsPerRecord
    }

    /// The id as addresses show it.
    package var id: String { batch.cells.value(firstCell + RecordBatch.idCell).plainText }

    /// The revision; nil when none is kept.
    package var revision: Int64? {
        guard case .integer(let revision) = batch.cells[firstCell + RecordBatch.revisionCell] else {
            return nil
        }
        return revision
    }

    /// A copy of the value under a column of the list.
    package func value(_ column: Int) -> CellValue { batch.cells.value(cell(column)) }

    /// A copy of the text under a column; nil where there is no text.
    package func text(_ column: Int) -> String? {
        let cell = cell(column)
        guard batch.cells[cell] == .text else { return nil }
        return batch.cells.withText(cell) { String(decoding: $0) }
    }

    /// Appends the cells under the first columns, and what people read instead of their values.
    package func write(_ columnCount: Int, to cells: inout CellBuffer) {
        cells.append(cell(0)..<cell(columnCount), of: batch.cells)
    }

    /// Appends a row of the cells under the first columns.
    func append(_ columnCount: Int, as rows: PlainRows, to page: inout Page) {
        page.appendPlainRow(
            rows,
            id: firstCell + RecordBatch.idCell,
            cells: cell(0)..<cell(columnCount),
            of: batch.cells,
            revision: revision
        )
    }

    /// Whether another record, of the same columns, has the same id and values.
    ///
    /// - Complexity: O(bytes of the record).
    package func hasSameCells(as other: Record) -> Bool {
        guard batch.cellsPerRecord == other.batch.cellsPerRecord else { return false }
        for offset in 0..<batch.cellsPerRecord {
            let (own, others) = (firstCell + offset, other.firstCell + offset)
            guard batch.cells.isEqual(own, to: others, of: other.batch.cells) else { return false }
        }
        return true
    }

    private func cell(_ column: Int) -> Int { firstCell + RecordBatch.firstColumnCell + column }
}
