package import Listings

/// Records read together, which share one memory for all their cells.
///
/// A record has the cell of its id, the cell of its revision, one cell per column of the list, and
/// possibly cells that only the reader looks at.
package final class RecordBatch: Sendable {
    /// Where the id stands in a record.
    package static let idCell = 0
    /// Where the revision stands in a record: an integer, or null when none is kept.
    package static let revisionCell = 1
    /// Where the cell of the list's first column stands.
    package static let firstColumnCell = 2

    /// The cells, record behind record.
    package let cells: CellBuffer
    /// The number of cells of a record.
    package let cellsPerRecord: Int

    /// Takes the cells of whole records.
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
    /// Appends the rows of records of a batch, by their positions and in their order.
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
