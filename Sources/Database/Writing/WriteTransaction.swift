package import Listings

/// A refused change has written nothing.
///
/// Earlier changes stay in effect, and others may follow.
package protocol WriteTransaction {
    var reading: TableQueries { get }

    var list: String { get }

    /// Nil without a history.
    var history: TransactionChanges? { get }

    /// Whether another commit follows that makes the changes durable, with those of other writers.
    var isInGroup: Bool { get }

    /// Nil for a new receipt, which is then reserved.
    ///
    /// Throws ``WriteError/reusedKey`` if the key was used for a different request.
    func response(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]?

    /// The current state of a row, which no other transaction can change from then on. Nil if there
    /// is none.
    func row(_ id: String) throws(WriteError) -> StoredRow?

    /// Creates a row. Without an id, an id is made.
    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

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

    /// Returns nil on success.
    func delete(_ id: String) throws(WriteError) -> RowRefusal?

    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion

    /// Makes all changes durable, together with the response if there is a receipt.
    func commit(_ response: [UInt8], for receipt: WriteReceipt?) throws(WriteError)

    /// Performs changes of different rows in few exchanges with the engine, or none of them.
    ///
    /// Nil if the changes must be performed one at a time, because the engine may refuse one.
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

package enum RowDecision: Sendable {
    case refuse(RowRefusal)
    case keep(StoredRow)
    case insert
    case replace(StoredRow)
    case merge(StoredRow)
    case delete
}

package struct StoredRow: Sendable {
    package let revision: Int64
    package let values: [CellValue]

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

package enum RowID {
    /// Eighty random bits as 16 letters and digits that are not easily confused.
    package static func random() -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<16).map { _ in digits[Int.random(in: digits.indices)] })
    }
}
