import Database
import Listings

struct Breach: Error {
    let state: String
    let constraint: String
    let column: String
}

extension PostgresTransaction {
    /// A violation rolls back the statement only.
    func attempt(_ statement: BoundStatement) throws(WriteError) -> Result<PostgresResult, Breach> {
        do throws(PostgresError) {
            let results = try session.connection.perform(
                together: [
                    BoundStatement(sql: "SAVEPOINT change"), statement,
                    BoundStatement(sql: "RELEASE SAVEPOINT change"),
                ]
            )
            return .success(results[1])
        } catch {
            return .failure(try breach(error))
        }
    }

    private func breach(_ error: PostgresError) throws(WriteError) -> Breach {
        guard case .refused(let state, _) = error,
            Self.isBreach(state) || session.connection.broken.isPolicy
        else { throw WriteError(error) }
        let (constraint, column, _) = session.connection.broken
        try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(
                plainly: "ROLLBACK TO SAVEPOINT change; RELEASE SAVEPOINT change"
            )
        }
        return Breach(state: state, constraint: constraint, column: column)
    }

    /// A violation rolls back all of them.
    func attempt<R>(
        _ body: () throws(PostgresError) -> R
    ) throws(WriteError) -> Result<R, Breach> {
        do throws(PostgresError) {
            try session.connection.perform(plainly: "SAVEPOINT change")
            let result = try body()
            try session.connection.perform(plainly: "RELEASE SAVEPOINT change")
            return .success(result)
        } catch {
            return .failure(try breach(error))
        }
    }

    /// Returns whether the SQLSTATE is a violation: by a type, a constraint, a view's condition or
    /// a trigger.
    static func isBreach(_ state: String) -> Bool {
        state.hasPrefix("22") || state.hasPrefix("23") || state == "44000" || state == "P0001"
    }

    func refusal(
        _ breach: Breach,
        _ values: [Int: CellValue],
        ofRow id: String?
    ) throws(WriteError) -> RowRefusal {
        switch breach.state {
        case "23505", "23P01":
            let names = try columns(of: breach.constraint)
            if let id, !names.isEmpty, Set(names) == Set(table.key.map(\.name)) {
                return .existingRow(id)
            }
            return .takenValues(foreign.positions(names), constraint: breach.constraint)
        case "42501": return .againstPolicy
        case "23502":
            let column = table.columns.firstIndex { $0.name == breach.column }
            return .invalid([FieldValidationError(column: column, .missing)])
        case _ where breach.state.hasPrefix("22"): return .invalid(try unreadable(values))
        default:
            let broken = foreign.positions(try columns(of: breach.constraint))
            guard !broken.isEmpty else {
                return .invalid(against(values, breach.constraint))
            }
            return .invalid(
                broken.map { FieldValidationError(column: $0, .breaking(breach.constraint)) }
            )
        }
    }

    func against(_ values: [Int: CellValue], _ constraint: String = "") -> [FieldValidationError] {
        foreign.faults(of: values, .breaking(constraint))
    }

    /// The name may be that of an index.
    private func columns(of constraint: String) throws(WriteError) -> [String] {
        guard !constraint.isEmpty else { return [] }
        let found = try WriteError.ofDatabase { () throws(PostgresError) in
            try session.connection.perform(
                """
                SELECT a.attname FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = $1::regclass AND a.attnum = ANY (coalesce(
                    (SELECT c.conkey FROM pg_catalog.pg_constraint c
                        WHERE c.conrelid = $1::regclass AND c.conname = $2),
                    (SELECT i.indkey::int2[] FROM pg_catalog.pg_index i
                        JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                        WHERE i.indrelid = $1::regclass AND x.relname = $2)))
                """,
                [table.quotedName, constraint]
            )
        }
        return (0..<found.count).compactMap { found.text($0, 0) }
    }

    /// The server does not report the column, so each value is tried separately without affecting a
    /// row.
    private func unreadable(_ values: [Int: CellValue]) throws(WriteError) -> [FieldValidationError]
    {
        var faults: [FieldValidationError] = []
        for (column, value) in values.sorted(by: { $0.key < $1.key }) {
            let outcome = try attempt { () throws(PostgresError) in
                try session.connection.perform(
                    "UPDATE \(table.quotedName) SET \(table.quotedColumns[column]) = $1 WHERE FALSE",
                    [value.written(to: type(ofColumn: column))],
                    isKept: false
                )
            }
            if case .failure = outcome {
                faults.append(FieldValidationError(column: column, .againstRule))
            }
        }
        return faults.isEmpty ? against(values) : faults
    }
}

extension FieldValidationError.Reason {
    static func breaking(_ constraint: String) -> Self {
        constraint.isEmpty ? .againstRule : .violates(constraint)
    }
}
