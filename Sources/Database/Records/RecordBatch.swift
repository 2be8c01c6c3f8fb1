package import Listings

/// A record has an id cell, a revision cell, one cell per column, and possibly cells for the reader
/// alone.
package final class RecordBatch: Sendable {
    package static let idCell = 0
    package static let revisionCell = 1
    package static let firstColumnCell = 2

    package let cells: CellBuffer
    package let cellsPerRecord: Int

    package init(_ cells: consuming CellBuffer, cellsPerRecord: Int) {
        precondition(cellsPerRecord >= Self.firstColumnCell, "\(cellsPerRecord) cells per record")
        precondition(
            cells.count.isMultiple(of: cellsPerRecord),
            "\(cells.count) cells are no whole records of \(cellsPerRecord)"
        )
        self.cells = cells
        self.cellsPerRecord = cellsPerRecord
    }

    package var count: Int { cells.count / cellsPerRecord }
}

extension Page {
    mutating func append(
        _ records: [Int],
        of batch: RecordBatch,
        using registration: Registration<Record>
    ) {
        if let writer = registration.plainWriter, takesPlainRows {
            for record in records { writer.write(Record(batch, at: record), &self) }
        } else {
            for record in records { append(Record(batch, at: record), using: registration) }
        }
    }
}
