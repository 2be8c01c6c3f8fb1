import Listings

/// A fingerprint of the part of the catalog that list descriptions depend on.
enum SchemaFingerprint {
    private static let columns = """
        hashtextextended(concat_ws('|', a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod,
            a.attcollation, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated), 0)
        """
    private static let indexes = """
        hashtextextended(concat_ws('|', i.indexrelid, i.indkey, i.indisvalid), 0)
        """

    /// The definitions of views and of policies, which change by which snapshot rows change.
    private static let views =
        "SELECT sum(hashtextextended(concat_ws('|', r.oid, r.xmin), 0)) FROM pg_catalog.pg_rewrite r"
    private static let policies =
        "SELECT sum(hashtextextended(concat_ws('|', p.oid, p.xmin), 0)) FROM pg_catalog.pg_policy p"

    /// Views matter to views, and to the policies of a table.
    static let ofTable = """
        SELECT hashtextextended(concat_ws('|',
            (SELECT sum(\(columns)) FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped),
            (SELECT sum(\(indexes)) FROM pg_catalog.pg_index i
            WHERE i.indrelid = to_regclass($1) AND i.indisunique),
            (\(views) WHERE EXISTS (SELECT FROM pg_catalog.pg_class c
                WHERE c.oid = to_regclass($1) AND (c.relkind = 'v' OR c.relrowsecurity))),
            (\(policies))), 0)
        """

    /// These are the ones of all schemas that the role may use.
    ///
    /// A search path in the address limits them to its schemas. Partitions and the table of cached
    /// responses are excluded.
    static let relations = """
        pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
            AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
            AND has_schema_privilege(n.oid, 'USAGE')
            AND (n.nspname = ANY (current_schemas(false)) OR NOT EXISTS (
                SELECT FROM pg_catalog.pg_settings
                WHERE name = 'search_path' AND source = 'client'))
            AND c.relname <> '\(IdempotencyStore.table)'
        """

    static let ofDatabase = """
        WITH found AS MATERIALIZED (SELECT c.oid, c.relname, n.nspname FROM \(relations))
        SELECT hashtextextended(concat_ws('|',
            (SELECT sum(hashtextextended(concat_ws('|', f.oid, f.nspname, f.relname), 0))
                FROM found f),
            (SELECT sum(\(columns)) FROM found f JOIN pg_catalog.pg_attribute a
                ON a.attrelid = f.oid WHERE a.attnum > 0 AND NOT a.attisdropped),
            (SELECT sum(\(indexes)) FROM found f JOIN pg_catalog.pg_index i
                ON i.indrelid = f.oid WHERE i.indisunique), (\(views)), (\(policies))), 0)
        """

    static func number(_ found: PostgresResult) -> UInt64 {
        found.text(0, 0).flatMap(Int64.init).map(UInt64.init(bitPattern:)) ?? 0
    }
}

/// The version of a whole database: the set of transactions that its readers see.
///
/// Equal snapshots show the same rows, and reading one is cheap. Every write to the cluster changes
/// it, including writes to other tables. So clients may reload once more than necessary, but never
/// miss a change.
enum SnapshotVersion {
    static let sql = """
        SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text || current_database()
        """

    static func read(_ found: PostgresResult) throws(PostgresError) -> ListVersion {
        guard found.count == 1, let snapshot = found.text(0, 0), let epoch = found.text(0, 1) else {
            throw .lost(reason: "no snapshot")
        }
        return ListVersion(epoch: hash(epoch), counter: hash(snapshot))
    }

    /// The 64-bit FNV-1a hash (RFC 9923).
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
