package import Listings

/// The operations of an engine for one batch of changes, in a transaction that has begun.
///
/// A refused change has written nothing. Earlier changes stay in effect, and others may follow.
package protocol WriteTransaction {
    /// Reads the table as the transaction sees it.
    var reading: TableQueries { get }

    /// The recorded response to a receipt, or nil for a new receipt, which is then reserved.
    ///
    /// - Throws: ``WriteError/reusedKey`` if the key was used for a different request.
    func answer(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]?

    /// The current state of a row, which no other transaction can change from then on. Nil if there
    /// is none.
    func row(_ id: String) throws(WriteError) -> StoredRow?

    /// Creates a row. Without an id, an id is made.
    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Sets some columns of a row.
    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Replaces a row as if ``insert(_:_:)`` had created it.
    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Deletes an existing row. Returns nil on success.
    func delete(_ id: String) throws(WriteError) -> RowRefusal?

    /// The version of the list after the given effects.
    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion

    /// Makes all changes durable, together with the response if there is a receipt.
    func commit(_ answer: [UInt8], for receipt: WriteReceipt?) throws(WriteError)

    /// Performs changes of different rows in few exchanges with the engine, or none of them.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - decide: Returns what a change does to the current row.
    /// - Returns: The results, or nil if the changes must be performed one at a time, because at
    ///   least one may be refused by the engine.
    /// - Throws: ``WriteError``.
    func perform(
        _ changes: [RowChange],
        deciding decide: (RowChange, StoredRow?) -> RowDecision
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>]?
}

extension WriteTransaction {
    /// Nil, because the engine runs in this process: an exchange costs nothing.
    package func perform(
        _ changes: [RowChange],
        deciding decide: (RowChange, StoredRow?) -> RowDecision
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>]? { nil }
}

/// The effect that a change has on the current row.
package enum RowDecision: Sendable {
    /// The change is refused.
    case refuse(RowRefusal)
    /// The row stays as it is.
    case keep(StoredRow)
    /// The row is created.
    case insert
    case replace(StoredRow)
    /// Some columns of the row are set.
    case merge(StoredRow)
    case delete
}

/// A row before it is changed.
package struct StoredRow: Sendable {
    package let revision: Int64
    /// Its values, in the order of the list's columns.
    package let values: [CellValue]

    /// Describes a row.
    package init(revision: Int64, values: [CellValue]) {
        self.revision = revision
        self.values = values
    }

    /// The given values that differ from those of the row, in the order of their positions.
    package func differing(_ values: [Int: CellValue]) -> [(column: Int, value: CellValue)] {
        values.sorted { $0.key < $1.key }
            .filter { !self.values[$0.key].isIdentical(to: $0.value) }
            .map { ($0.key, $0.value) }
    }
}

/// Makes text ids for rows that a client creates without an id.
package enum RowID {
    /// Eighty random bits as 16 letters and digits that are not easily confused.
    package static func random() -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<16).map { _ in digits[Int.random(in: digits.indices)] })
    }
}
