import Bytes
import Database
import Listings

struct StagedSQL {
    /// The changes that one statement can perform.
    struct Shape: Hashable {
        enum Key: Hashable {
            case staged
            /// The given columns and the defaults of the table.
            case byTable
            case uuid
        }

        let verb: RowChange.Verb
        var key = Key.byTable
        var columns: [Int] = []

        init(verb: RowChange.Verb) { self.verb = verb }

        var updates: Bool {
            switch verb {
            case .insert, .insertIfAbsent: false
            case .replace, .merge, .mergeOrInsert, .delete: true
            }
        }
    }

    /// A column that clients may name.
    struct StagedColumn {
        let position: Int
        let type: EngineType
        let keyPart: Int?
        let takesValues: Bool
    }

    static let index = "CREATE INDEX ON pg_temp.roster_staged USING brin (slice)"
    static let copy = "COPY pg_temp.roster_staged FROM STDIN"
    /// Triggers, rules and policies may leave out rows, which the number of changed rows hides.
    static let facts = """
        SELECT copies AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid
            AND NOT t.tgisinternal AND t.tgtype & 1 <> 0 AND t.tgtype & 2 <> 0
            AND t.tgtype & 16 <> 0), copies
        FROM pg_catalog.pg_class c, LATERAL (SELECT NOT (c.relrowsecurity OR c.relhasrules
            OR c.relhassubclass AND c.relkind = 'r')) AS found(copies)
        WHERE c.oid = $1::regclass
        """

    let columns: [StagedColumn]
    let keyTypes: [KeyType]
    private let transaction: PostgresTransaction
    private var table: TableDescription { transaction.table }

    init(_ transaction: PostgresTransaction) {
        self.transaction = transaction
        keyTypes = transaction.table.key.map { KeyType($0.engineType) }
        columns = transaction.rules.valueColumns.map { position in
            StagedColumn(
                position: position,
                type: transaction.type(ofColumn: position),
                keyPart: transaction.foreign.keyColumns.firstIndex(of: position),
                takesValues: transaction.foreign.info.columns[position].takesValues
            )
        }
    }

    var definition: String {
        var selection = ["0::int4 AS slice", "0::int4 AS shape"]
        selection += table.quotedKey.enumerated().map { "\($1) AS k\($0)" }
        selection += columns.filter(\.takesValues).map { column in
            "\(table.quotedColumns[column.position]) AS c\(column.position)"
        }
        return """
            CREATE TEMPORARY TABLE roster_staged ON COMMIT DROP AS \
            SELECT \(selection.joined(separator: ", ")) FROM \(table.quotedName) WITH NO DATA
            """
    }

    /// Nil if the changes must be staged.
    func copy(_ shape: Shape) -> String? {
        guard shape.verb == .insert, shape.key != .uuid else { return nil }
        let key = shape.key == .staged ? table.quotedKey : []
        let names = key + shape.columns.map { table.quotedColumns[$0] }
        guard !names.isEmpty else { return nil }
        return "COPY \(table.quotedName) (\(names.joined(separator: ", "))) FROM STDIN"
    }

    func repeatsKeys(inSlice slice: Int) -> String {
        let keys = keyTypes.indices.map { "k\($0)" }
        return """
            SELECT EXISTS (SELECT FROM pg_temp.roster_staged \
            WHERE slice = \(slice) AND k0 IS NOT NULL \
            GROUP BY \(keys.joined(separator: ", ")) HAVING count(*) > 1)
            """
    }

    func existingRows(_ condition: String) -> String {
        """
        SELECT count(*) FROM pg_temp.roster_staged AS staged \
        JOIN \(table.quotedName) AS target ON \(identity) WHERE \(condition)
        """
    }

    private var identity: String {
        let parts = zip(keyTypes, table.quotedKey).enumerated().map { part, key in
            key.0.equality("target.\(key.1)", "staged.k\(part)")
        }
        return parts.joined(separator: " AND ")
    }

    /// Nil if existing rows stay unchanged.
    func update(_ shape: Shape, _ condition: String) -> String? {
        guard shape.updates else { return nil }
        var steps: [String] = []
        var differences: [String] = []
        for column in columns {
            let position = column.position
            let name = table.quotedColumns[position]
            if shape.columns.contains(position) {
                let (old, new) = (
                    column.type.comparand("target.\(name)").expression,
                    column.type.comparand("staged.c\(position)").expression
                )
                steps.append("\(name) = staged.c\(position)")
                differences.append("\(old) IS DISTINCT FROM \(new)")
            } else if shape.verb == .replace, column.keyPart == nil, column.takesValues {
                let hasDefault = transaction.foreign.info.columns[position].hasDefault
                steps.append("\(name) = DEFAULT")
                differences.append(hasDefault ? "TRUE" : "target.\(name) IS NOT NULL")
            }
        }
        guard !steps.isEmpty else { return nil }
        return """
            UPDATE \(table.quotedName) AS target SET \(steps.joined(separator: ", ")) \
            FROM pg_temp.roster_staged AS staged WHERE \(condition) AND \(identity) \
            AND (\(differences.joined(separator: " OR ")))
            """
    }

    /// Nil if the rows have only defaults.
    func insert(_ shape: Shape, _ condition: String) -> String? {
        var names: [String] = []
        var values: [String] = []
        switch shape.key {
        case .staged:
            names = table.quotedKey
            values = keyTypes.indices.map { "staged.k\($0)" }
        case .uuid:
            names = [table.quotedKey[0]]
            values = ["gen_random_uuid()"]
        case .byTable: break
        }
        for position in shape.columns {
            names.append(table.quotedColumns[position])
            values.append("staged.c\(position)")
        }
        guard !names.isEmpty else { return nil }
        let absence =
            shape.verb == .insert
            ? "" : " AND NOT EXISTS (SELECT FROM \(table.quotedName) AS target WHERE \(identity))"
        return """
            INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) \
            OVERRIDING SYSTEM VALUE SELECT \(values.joined(separator: ", ")) \
            FROM pg_temp.roster_staged AS staged WHERE \(condition)\(absence)
            """
    }
}

extension ByteBuffer {
    /// Also appends a tabulator.
    mutating func append(copying value: CellValue, as type: EngineType) {
        switch value {
        case .null: append(#"\N"#)
        case .integer(let integer): append(decimal: integer)
        default:
            let text = value.written(to: type) ?? ""
            append(copying: text.utf8.span)
        }
        append(UInt8(ascii: "\t"))
    }

    mutating func append(copying text: borrowing Span<UInt8>) {
        var start = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "\\"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                // A backslash makes the next byte stand for itself.
                append(text.extracting(start..<index))
                append(UInt8(ascii: "\\"))
                start = index
            default: break
            }
        }
        append(text.extracting(start...))
    }
}
