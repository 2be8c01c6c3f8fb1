import Database
import Listings

extension PostgresTransaction {
    func perform(
        _ changes: [RowChange],
        deciding decide: (RowChange, StoredRow?) -> RowDecision
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>]? {
        let ids = changes.compactMap(\.id)
        guard Set(ids).count == ids.count else { return nil }
        let rows = try rows(ids)
        let steps = changes.map { step($0, decide($0, $0.id.flatMap { rows[$0] })) }
        let statements = steps.compactMap { step -> BoundStatement? in
            guard case .statement(let statement, _, _, _) = step else { return nil }
            return statement
        }
        guard Set(statements.map(\.sql)).count < PostgresConnection.maximumPipelined else {
            return nil
        }
        guard !statements.isEmpty else { return try results(steps, [][...]) }
        let outcome = try attempt { () throws(PostgresError) in
            let written = try session.connection.perform(together: statements)
            // A rule of the database has prevented a change.
            guard written.allSatisfy({ $0.count == 1 }) else { throw Self.unsuitable }
            return written
        }
        guard case .success(let written) = outcome else { return nil }
        return try results(steps, written[...])
    }

    /// The changes must be performed one at a time.
    static let unsuitable = PostgresError.refused(state: "P0001", message: "")

    private func rows(_ ids: [String]) throws(WriteError) -> [String: StoredRow] {
        let ids = ids.filter { key(of: $0) != nil }
        guard !ids.isEmpty else { return [:] }
        let found = try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(together: ids.map { reading($0, "FOR UPDATE") })
        }
        var rows: [String: StoredRow] = [:]
        for (id, result) in zip(ids, found) { rows[id] = storedRow(id, result) }
        return rows
    }

    private func step(_ change: RowChange, _ decision: RowDecision) -> RowStep {
        let id = change.id ?? ""
        return switch decision {
        case .refuse(let refusal): .result(.failure(refusal))
        case .keep(let row):
            .result(.success(ChangedRow(id: id, revision: row.revision, effect: .unchanged)))
        case .insert: insertion(change.id, change.values)
        case .replace(let row): replacement(id, row, change.values)
        case .merge(let row): update(id, row, row.differing(change.values), resetting: [])
        case .delete: deletion(id)
        }
    }

    private func results(
        _ steps: [RowStep],
        _ written: ArraySlice<PostgresResult>
    ) throws(WriteError) -> [Result<ChangedRow, RowRefusal>] {
        var written = written
        var unknown: [String] = []
        var results = steps.map { step -> Result<ChangedRow, RowRefusal> in
            switch step {
            case .result(let result): return result
            case .statement(_, _, let effect, _):
                let record = written.removeFirst()
                if let row = changedRow(record, effect) { return .success(row) }
                unknown.append(id(record))
                return .success(ChangedRow(id: id(record), revision: nil, effect: effect))
            }
        }
        guard !unknown.isEmpty else { return results }
        let found = try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(together: unknown.map { reading($0, "") })
        }
        let revisions = Dictionary(
            zip(unknown, found).map { ($0, storedRow($0, $1)?.revision) },
            uniquingKeysWith: { first, _ in first }
        )
        results = results.map { result in
            result.map { row in
                guard let revision = revisions[row.id], row.effect != .deleted else { return row }
                return ChangedRow(id: row.id, revision: revision, effect: row.effect)
            }
        }
        return results
    }
}
