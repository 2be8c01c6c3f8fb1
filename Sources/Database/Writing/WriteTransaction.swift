package import Listings

/// What an engine does for one batch of changes, in a transaction that has begun.
///
/// Refused, a change has written nothing; the changes before it stay, and others may follow.
package protocol WriteTransaction {
    /// Reads the table as the transaction sees it.
    var reading: TableReading { get }

    /// What was answered to a receipt; nil for one that is new, which nobody else uses from then on.
    ///
    /// - Throws: ``WriteError/reusedKey`` when it was given for something else.
    func answer(to receipt: WriteReceipt) throws(WriteError) -> [UInt8]?

    /// A row as it stands, which nobody else changes from then on; nil without one.
    func row(_ id: String) throws(WriteError) -> StoredRow?

    /// Creates a row; without an id, one is made.
    func insert(
        _ id: String?,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Gives some columns of a row new values.
    func merge(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Makes of a row what ``insert(_:_:)`` would have made.
    func replace(
        _ id: String,
        _ row: StoredRow,
        _ values: [Int: CellValue]
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal>

    /// Removes a row that is there; nil when it is gone.
    func delete(_ id: String) throws(WriteError) -> RowRefusal?

    /// The version that the list has with what was done.
    func version(after effects: [ChangedRow.Effect]) throws(WriteError) -> ListVersion

    /// Makes everything durable, and the answer with it where there is a receipt.
    func commit(_ answer: [UInt8], for receipt: WriteReceipt?) throws(WriteError)
}

/// A row before it is changed.
package struct StoredRow: Sendable {
    /// Its revision.
    package let revision: Int64
    /// Its values, in the order of the list's columns.
    package let values: [CellValue]

    /// Describes a row.
    package init(revision: Int64, values: [CellValue]) {
        self.revision = revision
        self.values = values
    }

    /// The values among others that the row does not have yet, by their positions in order.
    package func differing(_ values: [Int: CellValue]) -> [(column: Int, value: CellValue)] {
        values.sorted { $0.key < $1.key }
            .filter { !self.values[$0.key].isIdentical(to: $0.value) }
            .map { ($0.key, $0.value) }
    }
}

/// Makes ids of texts where a client leaves that to the list.
package enum RowID {
    /// Eighty random bits, in letters and digits that people can tell apart.
    package static func random() -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<16).map { _ in digits[Int.random(in: digits.indices)] })
    }
}
