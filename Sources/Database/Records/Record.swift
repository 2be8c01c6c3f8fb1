package import Listings

/// A view of cells in a shared batch.
package struct Record: Identifiable, Sendable {
    private let batch: RecordBatch
    private let firstCell: Int

    package init(_ batch: RecordBatch, at position: Int) {
        precondition(
            position >= 0 && position < batch.count,
            "record \(position) of \(batch.count)"
        )
        self.batch = batch
        firstCell = position * batch.cellsPerRecord
    }

    package var id: String { batch.cells.value(firstCell + RecordBatch.idCell).plainText }

    package var revision: Int64? {
        guard case .integer(let revision) = batch.cells[firstCell + RecordBatch.revisionCell] else {
            return nil
        }
        return revision
    }

    package func value(_ column: Int) -> CellValue { batch.cells.value(cell(column)) }

    package func text(_ column: Int) -> String? {
        let cell = cell(column)
        guard batch.cells[cell] == .text else { return nil }
        return batch.cells.withText(cell) { String(decoding: $0) }
    }

    package func write(_ columnCount: Int, to cells: inout CellBuffer) {
        cells.append(cell(0)..<cell(columnCount), of: batch.cells)
    }

    func append(_ columnCount: Int, as rows: RowBatchEncoder, to page: inout Page) {
        page.appendPlainRow(
            rows,
            id: firstCell + RecordBatch.idCell,
            cells: cell(0)..<cell(columnCount),
            of: batch.cells,
            revision: revision
        )
    }

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
