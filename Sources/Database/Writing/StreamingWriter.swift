package import Listings

/// Performs a change.
///
/// A refused change has written nothing.
package typealias ChangePerformer = (RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal>

/// A writer that takes an unlimited sequence of changes, one at a time.
package protocol StreamingWriter: ListWriter {
    /// Performs changes in one transaction without a time limit.
    ///
    /// Readers see no change before the commit. Other writers of this process can fail with
    /// ``WriteError/busy``.
    ///
    /// - Parameters:
    ///   - list: The name of the list.
    ///   - body: Receives the function that performs a change. Returns whether to commit all
    ///     changes.
    /// - Throws: ``WriteError``. The list is then unchanged, except after
    ///   ``WriteError/uncertain(reason:)``.
    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError)
}

extension BatchWriter {
    /// Performs the changes that a body passes; see ``StreamingWriter/stream(to:_:)``.
    package func stream(
        in transaction: some WriteTransaction,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        var hasChanged = false
        let isKept = try body { (change) throws(WriteError) in
            let result = try perform(change, in: transaction)
            if case .success(let row) = result, row.effect != .unchanged { hasChanged = true }
            return result
        }
        guard isKept, hasChanged else { return }
        _ = try transaction.version(after: [.changed])
        try transaction.commit([], for: nil)
    }
}
