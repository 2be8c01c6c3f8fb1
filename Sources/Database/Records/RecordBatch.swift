package import Listings

/// Records that were read together and share one buffer for all cells.
///
/// A record has an id cell, a revision cell, one cell per column, and possibly cells for the reader
/// alone.
package final class RecordBatch: Sendable {
    /// The position of the id in a record.
    package static let idCell = 0
    /// The position of the revision in a record: an integer, or null if rows have none.
    package static let revisionCell = 1
    /// The position of the list's first column in a record.
    package static let firstColumnCell = 2

    /// The cells, one record after the other.
    package let cells: CellBuffer
    /// The number of cells of a record.
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

    /// The number of records.
    package var count: Int { cells.count / cellsPerRecord }
}

extension Page {
    /// Appends the rows of records, given by their positions in the batch.
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
