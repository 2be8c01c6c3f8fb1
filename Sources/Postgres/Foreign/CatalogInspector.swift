import Database
import Listings

/// An inspection of the tables of a database, which determines their lists.
struct CatalogInspector {
    /// A reason for which a table was not described.
    enum Failure: Error {
        /// The table cannot become a list.
        case refused(TableRefusal.Reason)
        /// The database cannot be read.
        case engine(PostgresError)
    }
    /// A table or view.
    struct Relation {
        let number: String
        let name: String
        let isView: Bool
        let isReadable: Bool
        /// Whether it is a table of this database, whose rows have versions.
        let hasVersions: Bool
        /// Whether rows may be created, changed and deleted.
        let isWritable: Bool
    }
    /// A table that becomes a list.
    struct Found {
        let list: ExternalList
        /// The facts for writing, or nil if the table is read-only.
        let facts: TableInfo?
    }
    /// A column of a table.
    struct Attribute {
        let name: String
        let typeName: String
        let isWhole: Bool
        let isNullable: Bool
        /// The column's number in the key, from 1, or nil if it is not in the key.
        let keyNumber: Int?
        let hasDefault: Bool
        let isMade: Bool
        /// Whether equal values always have the same text.
        let hasFixedText: Bool

        var type: EngineType { EngineType(typeName) }

        var facts: TableInfo.Column {
            TableInfo.Column(
                hasDefault: hasDefault,
                takesValues: !isMade && type != .bytea,
                isFilled: !isNullable && keyNumber == nil
            )
        }
    }

    private let connection: PostgresConnection
    private let timeouts: PostgresDatabase.Timeouts
    /// The estimated cost from which the rows of a view are not checked.
    private let cost: Double
    /// The maximum time to check a view below that cost.
    private static let patience = Duration.seconds(30)

    init(_ connection: PostgresConnection, timeouts: PostgresDatabase.Timeouts, cost: Double) {
        self.cost = cost
        self.connection = connection
        self.timeouts = timeouts
    }

    private func run(
        _ sql: String,
        _ values: [String?] = []
    ) throws(PostgresError) -> PostgresResult {
        try connection.run(sql, values, until: .now + .seconds(5))
    }

    /// Returns the fingerprint of the schema of the whole database.
    func schema() throws(PostgresError) -> UInt64 {
        SchemaFingerprint.number(try run(SchemaFingerprint.ofDatabase))
    }

    /// Returns the fingerprint of the schema of one table.
    func schema(of relation: Relation) throws(PostgresError) -> UInt64 {
        let name = SQLName.quoted(relation.name)
        return SchemaFingerprint.number(try run(SchemaFingerprint.ofTable, [name]))
    }

    /// Returns the tables and views that are visible without a schema name.
    ///
    /// Partitions and the table of cached responses are excluded.
    func relations() throws(PostgresError) -> [Relation] {
        let found = try run(
            """
            SELECT c.oid, c.relname, c.relkind = 'v', has_table_privilege(c.oid, 'SELECT'),
                c.relkind IN ('r', 'p'), has_table_privilege(c.oid, 'INSERT')
                AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE')
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
                AND pg_catalog.pg_table_is_visible(c.oid)
                AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                AND n.nspname !~ '^pg_' AND c.relname <> '\(IdempotencyStore.table)'
            ORDER BY c.relname COLLATE "C"
            """
        )
        return (0..<found.count).map { row in
            Relation(
                number: found.text(row, 0) ?? "",
                name: found.text(row, 1) ?? "",
                isView: found.text(row, 2) == "t",
                isReadable: found.text(row, 3) == "t",
                hasVersions: found.text(row, 4) == "t",
                isWritable: found.text(row, 5) == "t"
            )
        }
    }

    /// Returns the columns with their key numbers.
    ///
    /// The key is the primary key, or else the smallest unique index without nulls.
    private func attributes(_ relation: Relation) throws(PostgresError) -> [Attribute] {
        let found = try run(
            """
            WITH key AS (
                SELECT i.indkey::int2[] AS numbers FROM pg_catalog.pg_index i
                WHERE i.indrelid = $1::oid AND i.indisunique AND i.indisvalid AND i.indimmediate
                    AND i.indpred IS NULL AND i.indexprs IS NULL
                    AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a
                        WHERE a.attrelid = i.indrelid AND NOT a.attnotnull
                            AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
                ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1
            )
            SELECT a.attname, CASE WHEN NOT o.collisdeterministic THEN 'other'
                    WHEN t.typcategory = 'A' THEN 'array'
                    WHEN coalesce(b.typname, t.typname) IN ('text', 'varchar') AND CASE
                        WHEN o.collprovider = 'c' THEN o.collcollate
                        WHEN o.collprovider = 'd'
                            AND coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c'
                        THEN d.datcollate
                    END IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8')
                    AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i, unnest(i.indkey::int2[],
                            i.indcollation::oid[]) AS step(number, rule)
                        WHERE i.indrelid = a.attrelid AND step.number = a.attnum
                            AND step.rule <> a.attcollation) THEN 'bytewise'
                    ELSE coalesce(b.typname, t.typname) END,
                size >= 4 AND (size - 4) & 2047 = 0 AND (size - 4) >> 16 <= 18,
                a.attnotnull, array_position((SELECT numbers FROM key), a.attnum),
                a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL,
                a.attgenerated <> '' OR a.attidentity = 'a',
                (SELECT p.provolatile = 'i' FROM pg_catalog.pg_proc p WHERE p.oid = t.typoutput)
            FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
                LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                JOIN pg_catalog.pg_database d ON d.datname = current_database(),
                LATERAL (SELECT CASE WHEN t.typbasetype = 0 THEN a.atttypmod ELSE t.typtypmod END)
                    AS modifier(size)
            WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """,
            [relation.number]
        )
        return (0..<found.count).map { row in
            Attribute(
                name: found.text(row, 0) ?? "",
                typeName: found.text(row, 1) ?? "",
                isWhole: found.text(row, 2) == "t",
                isNullable: found.text(row, 3) != "t",
                // Indices of an `int2vector` count from 0.
                keyNumber: found.text(row, 4).flatMap(Int.init).map { $0 + 1 },
                hasDefault: found.text(row, 5) == "t",
                isMade: found.text(row, 6) == "t",
                hasFixedText: found.text(row, 7) == "t"
            )
        }
    }
}

extension CatalogInspector {
    /// Returns the list of a table, or the reason for which it has none.
    func outcome(
        _ relation: Relation
    ) throws(PostgresError) -> Result<Found, TableRefusal.Reason> {
        do throws(Failure) {
            return .success(try list(relation))
        } catch {
            switch error {
            case .refused(let reason): return .failure(reason)
            case .engine(let error): throw error
            }
        }
    }

    private func list(_ relation: Relation) throws(Failure) -> Found {
        guard relation.isReadable else {
            throw .refused(.unreadable(message: "permission denied"))
        }
        let attributes: [Attribute]
        do { attributes = try self.attributes(relation) } catch { throw .engine(error) }
        let key = try key(of: relation, attributes)
        let table = TableDescription(
            name: relation.name,
            key: key,
            columns: attributes.map { attribute in
                TableDescription.StoredColumn(
                    attribute.name,
                    isNullable: attribute.isNullable
                        && !key.contains { $0.name == attribute.name },
                    engineType: attribute.typeName,
                    isIndexable: attribute.type != .other || attribute.hasFixedText
                )
            },
            revision: relation.hasVersions ? "xmin" : nil,
            origin: relation.isView ? .foreignView : .foreignTable
        )
        guard let table else { throw .refused(.noKey) }
        let facts = TableInfo(
            columns: attributes.map(\.facts),
            key: key.compactMap { part in attributes.first { $0.name == part.name }?.facts }
        )
        let ids = PublicColumnName.ids(for: attributes.map(\.name), key: table.idColumn)
        let columns = zip(ids, attributes).map { id, attribute in
            Column(
                id,
                label: Column.label(from: attribute.name),
                type: attribute.type.columnType(isWhole: attribute.isWhole),
                isSortable: attribute.type != .bytea,
                isFilterable: attribute.type != .bytea
            )
            .named(inFiles: attribute.name)
        }
        return Found(
            list: ExternalList(name: relation.name, table: table, columns: columns),
            facts: relation.hasVersions && relation.isWritable ? facts : nil
        )
    }

    private func key(
        of relation: Relation,
        _ attributes: [Attribute]
    ) throws(Failure) -> [TableDescription.KeyPart] {
        var parts = attributes.filter { $0.keyNumber != nil }
            .sorted { ($0.keyNumber ?? 0) < ($1.keyNumber ?? 0) }
        if parts.isEmpty { parts = [try viewKey(of: relation, attributes)] }
        return try parts.map { (attribute) throws(Failure) in
            guard let type = attribute.type.idType else {
                throw .refused(.unsuitableKey(column: attribute.name))
            }
            return TableDescription.KeyPart(
                attribute.name,
                type,
                engineType: attribute.typeName
            )
        }
    }

    /// Returns the first column of a view if its name ends in `id` and its values are unique.
    ///
    /// If the planner estimates that the check is too expensive, the column is accepted unchecked.
    /// Pages with duplicate ids then fail when they are read. The estimate is used because it is
    /// the same for all replicas, unlike a timeout.
    private func viewKey(
        of relation: Relation,
        _ attributes: [Attribute]
    ) throws(Failure) -> Attribute {
        guard relation.isView else { throw .refused(.noKey) }
        guard let first = attributes.first, first.name.lowercased().hasSuffix("id"),
            let name = SQLName.quoted(first.name), let table = SQLName.quoted(relation.name)
        else { throw .refused(.viewWithoutID) }
        do throws(PostgresError) {
            let end = ContinuousClock.now + Self.patience + timeouts.grace
            try connection.begin(until: end)
            defer { connection.rollback(until: .now + timeouts.grace) }
            try connection.limitStatements(to: Self.patience, until: end)
            let groups = """
                SELECT FROM \(table) GROUP BY \(name) HAVING count(*) > 1 OR \(name) IS NULL
                """
            let plan = try connection.run("EXPLAIN \(groups)", isKept: false, until: end)
            guard Self.cost(ofPlan: plan.text(0, 0) ?? "").map({ $0 < cost }) ?? false else {
                return first
            }
            let found = try connection.run(
                "SELECT EXISTS (\(groups))",
                isKept: false,
                until: end
            )
            guard found.text(0, 0) == "f" else {
                throw PostgresError.refused(state: "roster", message: "ambiguous")
            }
            return first
        } catch .refused("57014", let message) {
            throw .engine(.refused(state: "57014", message: message))
        } catch .refused("roster", _) {
            throw .refused(.ambiguousKey(column: first.name))
        } catch .refused(let state, let message) {
            throw .refused(.unreadable(message: "\(message) (\(state))"))
        } catch {
            throw .engine(error)
        }
    }

    /// Reads the total cost from the first line of a plan: `… (cost=0.15..8.17 rows=1 width=4)`.
    private static func cost(ofPlan line: String) -> Double? {
        let parts = line.split(separator: "..", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return Double(parts[1].prefix { $0 != " " })
    }
}
