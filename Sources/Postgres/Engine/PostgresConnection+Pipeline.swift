import CPostgres

struct BoundStatement: Hashable {
    let sql: String
    var values: [String?] = []
}

extension PostgresConnection {
    static let maximumPipelined = maximumStatements / 4

    /// A refused statement ends the pipeline, and the others are not run.
    ///
    /// There are at most ``maximumPipelined`` different statements.
    func run(
        together statements: [BoundStatement],
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> [PostgresResult] {
        var results: [PostgresResult] = []
        guard cpostgres_has_pipelines() != 0 else {
            for statement in statements {
                results.append(try run(statement.sql, statement.values, until: deadline))
            }
            return results
        }
        let names = try prepare(Set(statements.map(\.sql)), until: deadline)
        // SAFETY: libpq keeps the pointer valid until deinit.
        guard unsafe cpostgres_enter_pipeline(pointer) == 1 else { throw lost() }
        for statement in statements {
            try send(statement.sql, named: names[statement.sql], statement.values)
        }
        // SAFETY: libpq keeps the pointer valid until deinit.
        try check(unsafe cpostgres_sync_pipeline(pointer))
        var refusal: PostgresError?
        for _ in statements {
            // Each result is followed by nil.
            while let result = try next(until: deadline) {
                if refusal == nil { refusal = note(result) }
                results.append(result)
            }
        }
        // The result of the synchronization.
        guard try next(until: deadline) != nil else { throw lost() }
        // SAFETY: libpq keeps the pointer valid until deinit.
        guard unsafe cpostgres_exit_pipeline(pointer) == 1 else { throw lost() }
        if let refusal { throw refusal }
        guard results.count == statements.count else { throw lost() }
        return results
    }
}
