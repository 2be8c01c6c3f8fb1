package import Listings

package struct BatchWriter: Sendable {
    package static var maximumAttempts: Int { 3 }

    package let rules: RowRules
    private let schema: ListSchema
    private let registration: Registration<Record>

    package init(
        _ schema: ListSchema,
        rules: RowRules,
        registration: Registration<Record>
    ) {
        self.schema = schema
        self.rules = rules
        self.registration = registration
    }

    /// The transaction is committed only if a row changed or the batch has a receipt.
    ///
    /// Otherwise the caller ends it.
    package func perform(
        _ batch: WriteBatch,
        in transaction: some WriteTransaction,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse {
        if let receipt = batch.receipt, let response = try transaction.response(to: receipt) {
            return .repeated(response)
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
        let bytes = response(page, results)
        if effects.contains(where: { $0 != .unchanged }) || batch.receipt != nil {
            try commit(bytes, for: batch.receipt, transaction)
        }
        return .performed(bytes)
    }

    private func perform(
        _ batch: WriteBatch,
        in transaction: some WriteTransaction
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>] {
        var results: [Result<ChangedRow, RowRefusal>] = []
        let isMatched = batch.changes.contains { !$0.matchedColumns.isEmpty }
        // The history needs the values around each change.
        if batch.changes.count > 1, !isMatched, transaction.history == nil,
            let pipelined = try transaction.perform(batch.changes, deciding: decision)
        {
            results = pipelined
        } else {
            for (index, change) in batch.changes.enumerated() {
                do throws(WriteError) {
                    results.append(try perform(change, in: transaction))
                } catch .refused(let refusals) {
                    // The database has rolled the whole batch back.
                    throw .refused(
                        Dictionary(uniqueKeysWithValues: refusals.map { ($0 + index, $1) })
                    )
                }
            }
        }
        var refusals: [Int: RowRefusal] = [:]
        for (index, result) in results.enumerated() {
            if case .failure(let refusal) = result { refusals[index] = refusal }
        }
        guard batch.manner == .each || refusals.isEmpty else { throw .refused(refusals) }
        return results
    }

    /// A refused change has written nothing.
    package func perform(
        _ change: RowChange,
        in transaction: some WriteTransaction,
        attempts: Int = maximumAttempts
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        guard change.matchedColumns.isEmpty else {
            return try performMatching(change, in: transaction, attempts: attempts)
        }
        let row = if let id = change.id { try transaction.row(id) } else { nil as StoredRow? }
        let result = try perform(change, on: row, in: transaction, attempts)
        if let history = transaction.history, case .success(let changed) = result,
            changed.effect != .unchanged
        {
            let isGone = changed.effect == .deleted
            let new = try isGone ? nil : transaction.row(changed.id)
            history.add(
                changed,
                of: transaction.list,
                rules.columns,
                from: row?.values,
                to: new?.values
            )
        }
        return result
    }

    private func perform(
        _ change: RowChange,
        on row: StoredRow?,
        in transaction: some WriteTransaction,
        _ attempts: Int
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        switch decision(on: change, of: row) {
        case .refuse(let refusal): return .failure(refusal)
        case .keep(let row):
            return .success(
                ChangedRow(id: change.id ?? "", revision: row.revision, effect: .unchanged)
            )
        case .insert:
            let result = try transaction.insert(change.id, change.values)
            guard let id = change.id, result == .failure(.existingRow(id)),
                change.verb != .insert, attempts > 1
            else { return result }
            // Another writer has inserted the row since it was looked up.
            let row = try transaction.row(id)
            return try perform(change, on: row, in: transaction, attempts - 1)
        case .replace(let row):
            return try transaction.replace(change.id ?? "", row, change.values)
        case .merge(let row): return try transaction.merge(change.id ?? "", row, change.values)
        case .delete:
            let id = change.id ?? ""
            if let refusal = try transaction.delete(id) { return .failure(refusal) }
            return .success(ChangedRow(id: id, revision: nil, effect: .deleted))
        }
    }

    private func performMatching(
        _ change: RowChange,
        in transaction: some WriteTransaction,
        attempts: Int
    ) throws(WriteError) -> Result<ChangedRow, RowRefusal> {
        let ids = try ids(matching: change, in: transaction)
        // Without a unique index, the columns may identify several rows.
        guard ids.count < 2 else { return .failure(.takenValues(change.matchedColumns)) }
        let verb = ids.isEmpty ? RowChange.Verb.insert : change.verb
        let named = RowChange(verb, id: ids.first, values: change.values)
        let result = try perform(named, in: transaction)
        guard case .failure(.takenValues(let columns, _)) = result, ids.isEmpty, attempts > 1,
            Set(columns) == Set(change.matchedColumns)
        else { return result }
        // Another writer has inserted the row since it was looked up.
        return try perform(change, in: transaction, attempts: attempts - 1)
    }

    private func ids(
        matching change: RowChange,
        in transaction: some WriteTransaction
    ) throws(WriteError) -> [String] {
        var query = ListQuery(shape: .flow(limit: 2))
        query.filters = change.matchedColumns.map { column in
            Filter.exactly(change.values[column] ?? .null, column: column)
        }
        let reading = transaction.reading
        let plan = reading.plan(for: query, .conditions)
        var collector = RecordCollector(plan.layout)
        var demand = TableQueries.Demand(limit: 2)
        do {
            try reading.read([], fixed: 0, plan, .forwards, &demand, into: &collector)
        } catch {
            throw .unavailable(reason: "\(error)")
        }
        return (0..<2 - demand.limit).map { record in
            collector.value(record: record, cell: RecordBatch.idCell).plainText
        }
    }

    private func decision(on change: RowChange, of row: StoredRow?) -> RowDecision {
        let isNew = row == nil && change.verb == .mergeOrInsert
        let faults = rules.faults(
            in: isNew ? RowChange(.insert, id: change.id, values: change.values) : change
        )
        guard faults.isEmpty else { return .refuse(.invalid(faults)) }
        guard let id = change.id else { return .insert }
        for condition in change.conditions
        where !condition.holds(exists: row != nil, revision: row?.revision) {
            return .refuse(.failedCondition(id))
        }
        guard let row else {
            let needsRow = change.verb == .merge || change.verb == .delete
            return needsRow ? .refuse(.unknownRow(id)) : .insert
        }
        switch change.verb {
        case .insert: return .refuse(.existingRow(id))
        case .insertIfAbsent: return .keep(row)
        case .replace: return .replace(row)
        case .merge, .mergeOrInsert: return .merge(row)
        case .delete: return .delete
        }
    }

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

extension RowRules {
    package func id(of values: [Int: CellValue]) -> String? {
        let parts = keyColumns.compactMap { column in
            values[column].flatMap { $0.isNull ? nil : $0 }
        }
        guard !parts.isEmpty, parts.count == keyColumns.count else { return nil }
        return parts.count == 1 ? parts[0].plainText : CompositeID.text(of: parts)
    }
}

extension BatchWriter {
    package func stream(
        in transaction: some WriteTransaction,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) {
        var hasChanged = false
        let isKept = try body { (change) throws(WriteError) in
            let result = try perform(change, in: transaction)
            if case .success(let row) = result, row.effect != .unchanged { hasChanged = true }
            try transaction.history?.spill()
            return result
        }
        guard isKept, hasChanged else { return }
        _ = try transaction.version(after: [.changed])
        try commit([], for: nil, transaction)
    }

    private func commit(
        _ response: [UInt8],
        for receipt: WriteReceipt?,
        _ transaction: some WriteTransaction
    ) throws(WriteError) {
        guard let history = transaction.history, !transaction.isInGroup else {
            return try transaction.commit(response, for: receipt)
        }
        try history.commit { () throws(WriteError) in
            try transaction.commit(response, for: receipt)
        }
    }
}
