import Database
import Listings

struct CatalogInspector {
    enum Failure: Error {
        case refused(TableRefusal.Reason)
        case engine(PostgresError)
    }
    struct Relation {
        let number: String
        let name: String
        let space: String?
        /// The first name is that of the list.
        let names: [String]
        let kind: String
        /// Whether it belongs to an extension, which serves it only if it is named.
        let isInternal: Bool
        let isReadable: Bool
        let isWritable: Bool
        let hasHeirs: Bool
        let hasTriggers: Bool
        /// Whether its rows change without a trace in the database; see ``VolatileRelations``.
        let isVolatile: Bool

        var isView: Bool { kind == "v" }
        var hasVersions: Bool { kind == "r" || kind == "p" }
        /// Whether every row has a place of its own (`ctid`).
        var hasTupleIDs: Bool { (kind == "r" || kind == "m") && !hasHeirs }

        var quotedName: String? {
            guard let own = SQLName.quoted(name) else { return nil }
            guard let space else { return own }
            return SQLName.quoted(space).map { "\($0).\(own)" }
        }
    }
    struct Found {
        let list: ExternalList
        let facts: Result<TableInfo, UnwritableReason>
    }
    struct Attribute {
        let number: String
        let name: String
        let typeName: String
        let isWhole: Bool
        let isNullable: Bool
        /// From 1; nil if the column is not in the key.
        let keyNumber: Int?
        let hasDefault: Bool
        let isMade: Bool
        let hasFixedText: Bool
        /// The type as ``TableDescription/KeyPart`` names it, or nil if it gives no ids.
        let keyTypeName: String?
        /// The only texts that the column takes; empty if it takes others.
        let choices: [String]

        var type: EngineType { EngineType(typeName) }

        var facts: TableInfo.Column {
            TableInfo.Column(
                hasDefault: hasDefault,
                isMade: isMade,
                takesValues: !isMade && type != .bytea,
                isFilled: !isNullable && keyNumber == nil
            )
        }
    }

    let connection: PostgresConnection
    let timeouts: PostgresDatabase.Timeouts
    let cost: Double
    static let statementTimeout = Duration.seconds(30)

    init(_ connection: PostgresConnection, timeouts: PostgresDatabase.Timeouts, cost: Double) {
        self.cost = cost
        self.connection = connection
        self.timeouts = timeouts
    }

    func run(
        _ sql: String,
        _ values: [String?] = []
    ) throws(PostgresError) -> PostgresResult {
        try connection.run(sql, values, until: .now + .seconds(5))
    }

    func schema() throws(PostgresError) -> UInt64 {
        SchemaFingerprint.number(try run(SchemaFingerprint.ofDatabase))
    }

    func schema(of relation: Relation) throws(PostgresError) -> UInt64 {
        SchemaFingerprint.number(try run(SchemaFingerprint.ofTable, [relation.quotedName]))
    }

    /// Those of the first schema come first.
    func relations() throws(PostgresError) -> [Relation] {
        let found = try run(
            """
            WITH RECURSIVE \(VolatileRelations.tables)
            SELECT c.oid, c.relname, n.nspname, n.nspname IS NOT DISTINCT FROM current_schema(),
                pg_catalog.pg_table_is_visible(c.oid), CASE WHEN EXISTS (SELECT FROM partly_foreign
                    WHERE number = c.oid) THEN 'f' ELSE c.relkind END, c.relhassubclass,
                has_table_privilege(c.oid, 'SELECT'), has_table_privilege(c.oid, 'INSERT')
                AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'),
                EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.objid = c.oid
                    AND e.classid = 'pg_catalog.pg_class'::regclass AND e.deptype = 'e'),
                EXISTS (SELECT FROM pg_catalog.pg_trigger g
                    WHERE g.tgrelid = c.oid AND NOT g.tgisinternal),
                c.oid IN (SELECT number FROM volatile)
            FROM \(SchemaFingerprint.relations)
            ORDER BY 4 DESC, n.nspname COLLATE "C", c.relname COLLATE "C"
            """
        )
        return (0..<found.count).map { row in
            func holds(_ column: Int) -> Bool { found.text(row, column) == "t" }
            let name = found.text(row, 1) ?? ""
            let space = found.text(row, 2) ?? ""
            let isFirst = holds(3)
            return Relation(
                number: found.text(row, 0) ?? "",
                name: name,
                space: isFirst && holds(4) ? nil : space,
                names: (isFirst ? [name] : []) + ["\(space).\(name)"],
                kind: found.text(row, 5) ?? "",
                isInternal: holds(9),
                isReadable: holds(7),
                isWritable: holds(8),
                hasHeirs: holds(6),
                hasTriggers: holds(10),
                isVolatile: holds(11)
            )
        }
    }

    func foreignKeys(of relations: [Relation]) throws(PostgresError) -> [ForeignKey] {
        let found = try run(
            """
            SELECT k.conrelid, a.attname, k.confrelid, b.attname
            FROM pg_catalog.pg_constraint k
                JOIN pg_catalog.pg_attribute a
                    ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
                JOIN pg_catalog.pg_attribute b
                    ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
            WHERE k.contype = 'f' AND cardinality(k.conkey) = 1
            ORDER BY k.conrelid, a.attnum, k.conname COLLATE "C"
            """
        )
        func name(_ number: String?) -> String? {
            relations.first { $0.number == number }?.quotedName
        }
        return (0..<found.count).compactMap { row in
            guard let table = name(found.text(row, 0)), let target = name(found.text(row, 2)),
                let column = found.text(row, 1)
            else { return nil }
            let key = found.text(row, 3)
            return ForeignKey(table: table, column: column, target: target, key: key)
        }
    }

    /// The key is the primary key, or else the smallest unique index without nulls.
    private func attributes(_ relation: Relation) throws(PostgresError) -> [Attribute] {
        let found = try run(
            """
            WITH key AS (
                SELECT i.indkey::int2[] AS numbers FROM pg_catalog.pg_index i
                WHERE i.indrelid = $1::oid AND i.indisunique AND i.indisvalid AND i.indimmediate
                    AND i.indpred IS NULL AND i.indexprs IS NULL
                    AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a
                        WHERE a.attrelid = i.indrelid AND NOT a.attnotnull AND NOT $2::bool
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
                (SELECT p.provolatile = 'i' FROM pg_catalog.pg_proc p WHERE p.oid = t.typoutput),
                a.attnum, CASE WHEN NOT o.collisdeterministic THEN NULL
                    WHEN coalesce(b.typtype, t.typtype) = 'e' THEN (SELECT
                        '"' || replace(s.nspname, '"', '""') || '"."'
                            || replace(coalesce(b.typname, t.typname), '"', '""') || '"'
                        FROM pg_catalog.pg_namespace s
                        WHERE s.oid = coalesce(b.typnamespace, t.typnamespace))
                    WHEN coalesce(b.typname, t.typname) = 'bpchar' THEN 'bpchar' END,
                coalesce((SELECT 'CHECK (x IN (' || string_agg(quote_literal(e.enumlabel), ','
                        ORDER BY e.enumsortorder) || '))' FROM pg_catalog.pg_enum e
                    WHERE e.enumtypid = coalesce(b.oid, t.oid)),
                    (SELECT pg_catalog.pg_get_constraintdef(k.oid) FROM pg_catalog.pg_constraint k
                    WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
                    ORDER BY k.conname COLLATE "C" LIMIT 1), '')
            FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
                LEFT JOIN pg_catalog.pg_type b ON b.oid = t.typbasetype
                LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
                JOIN pg_catalog.pg_database d ON d.datname = current_database(),
                LATERAL (SELECT CASE WHEN t.typbasetype = 0 THEN a.atttypmod ELSE t.typtypmod END)
                    AS modifier(size)
            WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """,
            [relation.number, relation.kind == "m" ? "t" : "f"]
        )
        return (0..<found.count).map { row in
            Attribute(
                number: found.text(row, 8) ?? "",
                name: found.text(row, 0) ?? "",
                typeName: found.text(row, 1) ?? "",
                isWhole: found.text(row, 2) == "t",
                isNullable: found.text(row, 3) != "t",
                // Indices of an `int2vector` count from 0.
                keyNumber: found.text(row, 4).flatMap(Int.init).map { $0 + 1 },
                hasDefault: found.text(row, 5) == "t",
                isMade: found.text(row, 6) == "t",
                hasFixedText: found.text(row, 7) == "t",
                keyTypeName: found.text(row, 9),
                choices: ChoiceList.all(in: found.text(row, 10) ?? "").values.first ?? []
            )
        }
    }
}

extension CatalogInspector {
    func list(
        _ relation: Relation,
        _ choice: TableSelection.Choice
    ) throws(Failure) -> Found {
        guard relation.isReadable else {
            throw .refused(.unreadable(message: "permission denied"))
        }
        let attributes: [Attribute]
        do { attributes = try self.attributes(relation) } catch { throw .engine(error) }
        guard !attributes.isEmpty else { throw .refused(.noKey) }
        let identity = try identity(of: relation, attributes, choice.key)
        let key = identity.key
        let table = TableDescription(
            name: relation.name,
            in: relation.space,
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
            revision: relation.hasVersions && key[0].name != RowNumbers.name ? "xmin" : nil,
            numberedBy: key[0].name == RowNumbers.name ? .byText : nil,
            origin: relation.isView || key[0].name == RowNumbers.name ? .foreignView : .foreignTable
        )
        guard var table else { throw .refused(.noKey) }
        table.isVolatile = relation.isVolatile
        let facts = TableInfo(
            columns: attributes.map(\.facts),
            key: key.compactMap { part in attributes.first { $0.name == part.name }?.facts },
            returnsRevisions: relation.kind == "r" && !relation.hasHeirs && !relation.hasTriggers
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
            .choosing(among: attribute.choices)
        }
        let reason: UnwritableReason? =
            if !relation.hasVersions {
                .view
            } else if identity.numbered != nil {
                .numberedRows
            } else if !identity.isConstrained {
                .openKey(columns: key.map(\.name))
            } else if !relation.isWritable {
                .noRight("the user of the database may not insert, update and delete its rows")
            } else {
                nil
            }
        return Found(
            list: ExternalList(
                name: choice.list,
                table: table,
                columns: columns,
                numbered: identity.numbered
            ),
            facts: reason.map(Result.failure) ?? .success(facts)
        )
    }
}
