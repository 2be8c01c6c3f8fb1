import Database

struct TableEntry {
    let name: String
    let kind: Kind
    let hasRowID: Bool
    /// Whether columns contain only values of their declared types.
    let isStrict: Bool
    /// Whether it is an index of other tables or metadata, which is served only if it is named.
    let isInternal: Bool

    enum Kind: String {
        case table, view, virtual
    }

    static func all(in connection: DatabaseConnection) throws(SQLiteError) -> [TableEntry] {
        let own = try ownTables(connection)
        let internals = try InternalTables(connection)
        let holdsResponses = try IdempotencyStore.isIn(connection)
        let statement = try connection.statement(
            """
            SELECT name, type, wr, strict FROM pragma_table_list
            WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY name
            """
        )
        var entries: [TableEntry] = []
        while try statement.step() {
            let name = statement.text(0)
            // Shadow tables store the data of virtual tables.
            let isShadow = statement.text(1) == "shadow"
            let found = isShadow ? Kind.table : Kind(rawValue: statement.text(1))
            guard let kind = found else { continue }
            guard own.map({ !$0.contains(name) && !isReserved(name) }) ?? true,
                !holdsResponses || name != IdempotencyStore.table
            else { continue }
            entries.append(
                TableEntry(
                    name: name,
                    kind: kind,
                    hasRowID: statement.integer(2) == 0,
                    isStrict: statement.integer(3) != 0,
                    isInternal: isShadow || internals.contain(name)
                )
            )
        }
        return entries
    }

    private static func isReserved(_ name: String) -> Bool {
        name.lowercased().hasPrefix("roster_")
    }

    private static func ownTables(
        _ connection: DatabaseConnection
    ) throws(SQLiteError) -> Set<String>? {
        let isOwn = try connection.statement(
            """
            SELECT count(*) = 2 FROM pragma_table_info('roster_lists')
            WHERE name IN ('table_name', 'counter')
            """
        )
        defer { isOwn.reset() }
        guard try isOwn.step(), isOwn.integer(0) == 1 else { return nil }
        let names = try connection.statement("SELECT table_name FROM roster_lists")
        var tables: Set<String> = []
        while try names.step() { tables.insert(names.text(0)) }
        return tables
    }
}

/// Full-text indexes, the shadow tables of virtual tables whose module is missing, and
/// the metadata of GeoPackage and SpatiaLite.
private struct InternalTables {
    private var names: Set<String> = []
    private var isGeoPackage = false

    private static let shadows = [
        "fts3": ["content", "segments", "segdir", "docsize", "stat"],
        "fts4": ["content", "segments", "segdir", "docsize", "stat"],
        "fts5": ["data", "idx", "content", "docsize", "config"],
        "rtree": ["node", "rowid", "parent"], "rtree_i32": ["node", "rowid", "parent"],
        "geopoly": ["node", "rowid", "parent"],
    ]
    private static let spatiaLite: Set<String> = [
        "data_licenses", "elementarygeometries", "geom_cols_ref_sys", "geometry_columns",
        "geometry_columns_auth", "geometry_columns_field_infos", "geometry_columns_statistics",
        "geometry_columns_time", "knn", "knn2", "spatial_ref_sys", "spatial_ref_sys_all",
        "spatial_ref_sys_aux", "spatialindex", "spatialite_history", "sql_statements_log",
        "vector_layers", "vector_layers_auth", "vector_layers_field_infos",
        "vector_layers_statistics", "views_geometry_columns", "views_geometry_columns_auth",
        "views_geometry_columns_field_infos", "views_geometry_columns_statistics",
        "virts_geometry_columns", "virts_geometry_columns_auth",
        "virts_geometry_columns_field_infos", "virts_geometry_columns_statistics",
    ]

    init(_ connection: DatabaseConnection) throws(SQLiteError) {
        let found = try connection.statement(
            "SELECT lower(name), sql FROM sqlite_schema WHERE type IN ('table', 'view')"
        )
        defer { found.reset() }
        var isSpatiaLite = false
        while try found.step() {
            let name = found.text(0)
            if name == "gpkg_contents" { isGeoPackage = true }
            if name == "spatialite_history" { isSpatiaLite = true }
            guard let module = Self.module(found.text(1)), let shadows = Self.shadows[module] else {
                continue
            }
            if module.hasPrefix("fts") { names.insert(name) }
            names.formUnion(shadows.map { "\(name)_\($0)" })
        }
        if isSpatiaLite { names.formUnion(Self.spatiaLite) }
    }

    func contain(_ name: String) -> Bool {
        let name = name.lowercased()
        let isMetadata =
            isGeoPackage && (name.hasPrefix("gpkg_") || name.hasPrefix("rtree_"))
        return isMetadata || names.contains(name)
    }

    private static func module(_ sql: String) -> String? {
        let words = sql.lowercased().split { $0.isWhitespace }
        guard words.starts(with: ["create", "virtual", "table"]) else { return nil }
        guard let using = words.lastIndex(of: "using"), using + 1 < words.count else {
            return nil
        }
        return String(words[using + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
}
