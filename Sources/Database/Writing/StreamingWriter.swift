package import Listings

/// Performs a change; refused, it has written nothing.
package typealias ChangePerformer = (RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal>

/// A writer that takes changes one after the other, as many as there are.
package protocol StreamingWriter: ListWriter {
    /// Performs changes in one transaction, however long it takes.
    ///
    /// Readers see none of it before it is whole. Other writers of this process are told that
    /// somebody else is writing.
    ///
    /// - Parameters:
    ///   - list: The name of the list.
    ///   - body: Is given what performs a change, and says whether all of it is to be kept.
    /// - Throws: ``WriteError``; nothing has changed then, but for ``WriteError/uncertain(reason:)``.
    func stream(
        to list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError)
}

extension BatchPerformer {
    /// Performs changes as a body hands them on; see ``StreamingWriter/stream(to:_:)``.
    package func stream(
        in transaction: some WriteTransaction,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        var hasChanged = false
        let isKept = try body { (change) throws(WriteError) in
            let result = try perform(change, in: transaction, attempts: Self.maximumAttempts)
            if case .success(let row) = result, row.effect != .unchanged { hasChanged = true }
            return result
        }
        guard isKept, hasChanged else { return }
        _ = try transaction.version(after: [.changed])
        try transaction.commit([], for: nil)
    }
}
