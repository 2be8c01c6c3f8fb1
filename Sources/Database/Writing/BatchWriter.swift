package import Listings

/// Performs batches of changes, independently of the engine.
package struct BatchWriter: Sendable {
    /// The maximum number of attempts to change a row that another writer creates at the same time.
    static var maximumAttempts: Int { 3 }

    /// The rules for the values of rows.
    package let rules: RowRules
    private let schema: ListSchema
    private let registration: Registration<Record>

    /// Performs changes of a list.
    ///
    /// - Parameters:
    ///   - schema: The schema of the list.
    ///   - rules: The rules for the values of rows.
    ///   - registration: The row controller that shows the records.
    package init(
        _ schema: ListSchema,
        rules: RowRules,
        registration: Registration<Record>
    ) {
        self.schema = schema
        self.rules = rules
        self.registration = registration
    }

    /// Performs a batch; see ``ListWriter/write(_:into:answer:)``.
    ///
    /// The transaction is committed only if a row changed or the batch has a receipt. Otherwise the
    /// caller ends it.
    package func perform(
        _ batch: WriteBatch,
        in transaction: some WriteTransaction,
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        if let receipt = batch.receipt, let answer = try transaction.answer(to: receipt) {
            return .repeated(answer)
        }
        let results = try perform(batch, in: transaction)
        let effects = results.compactMap { try? $0.get().effect }
        try fill(
            &page,
            results,
            of: batch,
            try transaction.version(after: effects),
            through: transaction.reading
        )
        let bytes = answer(page, results)
        if effects.contains(where: { $0 != .unchanged }) || batch.receipt != nil {
            try transaction.commit(bytes, for: batch.receipt)
        }
        return .performed(bytes)
    }

    private func perform(
        _ batch: WriteBatch,
        in transaction: some WriteTransaction
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>] {
        var results: [Result<ChangedRow, RowRefusal>] = []
        var refusals: [Int: RowRefusal] = [:]
        for (index, change) in batch.changes.enumerated() {
            let result = try perform(change, in: transaction, attempts: Self.maximumAttempts)
            if case .failure(let refusal) = result { refusals[index] = refusal }
            results.append(result)
        }
        guard batch.manner == .each || refusals.isEmpty else { throw .refused(refusals) }
        return results
    }

    /// Performs a change or returns a refusal.
    ///
    /// A refused change has written nothing.
    func perform(
        _ change: RowChange,
        in transaction: some WriteTransaction,
        attempts: Int
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let faults = rules.faults(in: change)
        guard faults.isEmpty else { return .failure(.invalid(faults)) }
        guard let id = change.id else { return try transaction.insert(nil, change.values) }
        let row = try transaction.row(id)
        for condition in change.conditions
        where !condition.holds(exists: row != nil, revision: row?.revision) {
            return .failure(.failedCondition(id))
        }
        guard let row else {
            guard change.verb != .merge, change.verb != .delete else {
                return .failure(.unknownRow(id))
            }
            let result = try transaction.insert(id, change.values)
            guard result == .failure(.existingRow(id)), change.verb != .insert, attempts > 1 else {
                return result
            }
            // Another writer has inserted the row since it was looked up.
            return try perform(change, in: transaction, attempts: attempts - 1)
        }
        switch change.verb {
        case .insert: return .failure(.existingRow(id))
        case .insertIfAbsent:
            return .success(ChangedRow(id: id, revision: row.revision, effect: .unchanged))
        case .replace: return try transaction.replace(id, row, change.values)
        case .merge, .mergeOrInsert: return try transaction.merge(id, row, change.values)
        case .delete:
            if let refusal = try transaction.delete(id) { return .failure(refusal) }
            return .success(ChangedRow(id: id, revision: nil, effect: .deleted))
        }
    }

    /// Fills the page with the resulting row of a single change.
    private func fill(
        _ page: inout Page,
        _ results: [Result<ChangedRow, RowRefusal>],
        of batch: WriteBatch,
        _ version: ListVersion,
        through reading: TableQueries
    ) throws(WriteError) {
        let grouping = schema.defaultGrouping
        page.begin(
            ListQuery(grouping: grouping, columns: batch.columns, shape: .flow(limit: 1)),
            version: version
        )
        guard batch.readsRow, results.count == 1, case .success(let row) = results[0],
            row.effect != .deleted
        else { return }
        do {
            guard let found = try reading.record(row.id, grouping: grouping) else { return }
            page.beginSection(schema.section(found.section, grouping: grouping))
            page.append(Record(found.batch, at: 0), using: registration)
            try page.end()
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }
}
