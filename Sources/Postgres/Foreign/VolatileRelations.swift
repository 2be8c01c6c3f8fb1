enum VolatileRelations {
    /// Common table expressions for `WITH RECURSIVE`, of which `volatile` has their numbers.
    ///
    /// They are foreign tables, sequences, system views, and relations that read another one of
    /// them or that call a function which is not immutable. `partly_foreign` has the foreign tables
    /// and their parents, whose rows have no `xmin`. The server's own functions that depend only on
    /// settings and arguments, such as `to_char`, count as immutable. Dependencies on objects of
    /// the server are not recorded, so the trees of queries are searched.
    static let tables = #"""
        tree(relation, text) AS (
            SELECT r.ev_class, r.ev_action::text FROM pg_catalog.pg_rewrite r
                JOIN pg_catalog.pg_class c ON c.oid = r.ev_class
            WHERE c.relkind = 'v' AND c.oid >= 16384
            UNION ALL SELECT p.polrelid, p.polqual::text FROM pg_catalog.pg_policy p
        ), source(relation, number) AS (
            SELECT relation, (regexp_matches(text, ':relid (\d+)', 'g'))[1]::oid FROM tree
            UNION SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
        ), call(relation, number) AS (
            SELECT DISTINCT relation,
                (regexp_matches(text, ':(?:func|opfunc|aggfno|winfno)id (\d+)', 'g'))[1]::oid
            FROM tree
        ), volatile(number) AS (
            SELECT c.oid FROM pg_catalog.pg_class c
            WHERE c.relkind IN ('f', 'S') OR c.relkind = 'v' AND c.oid < 16384
            UNION SELECT relation FROM tree
            WHERE text ~ '\{(SQLVALUEFUNCTION|TABLESAMPLECLAUSE) '
            UNION SELECT l.relation FROM call l JOIN pg_catalog.pg_proc p ON p.oid = l.number
            WHERE p.provolatile = 'v' OR p.provolatile = 's' AND (p.oid >= 16384
                OR p.pronargs = 0 OR p.proname ~ '^(age|current_|pg_)')
            UNION SELECT s.relation FROM volatile v JOIN source s ON s.number = v.number
        ), partly_foreign(number) AS (
            SELECT oid FROM pg_catalog.pg_class WHERE relkind = 'f'
            UNION SELECT i.inhparent FROM partly_foreign f JOIN pg_catalog.pg_inherits i
                ON i.inhrelid = f.number
        )
        """#
}
