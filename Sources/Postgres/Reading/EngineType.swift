import Database
import Listings

/// What is known of a type of PostgreSQL: how its values are compared so that an index helps, and
/// what cells they make.
enum EngineType: String {
    case int2, int4, int8, oid
    case float4, float8, numeric
    case bool, date, timestamp, timestamptz, uuid
    case text, varchar
    case bytea
    /// Everything else: shown, compared and ordered by its text.
    case other

    /// The type of a name of `pg_type.typname`.
    init(_ name: String?) {
        self = name.flatMap(EngineType.init(rawValue:)) ?? .other
    }

    /// How a column of the type is selected.
    func selection(_ name: String) -> String {
        switch self {
        // The bytes are not shown, so they stay where they are.
        case .bytea: "octet_length(\(name))"
        // Its own digits, not those of the double nearest to it.
        case .float4: "\(name)::text::float8"
        case .other: "\(name)::text"
        default: name
        }
    }

    /// How a column of the type is compared and ordered: texts by their bytes, so that the order is
    /// that of every other engine.
    func comparand(_ name: String) -> Comparand {
        switch self {
        case .int2, .int4, .int8, .oid: Comparand(name, cast: "::bigint")
        case .float8, .numeric, .bool, .date, .timestamp, .timestamptz, .uuid, .bytea:
            Comparand(name, cast: "::\(rawValue)")
        case .float4: Comparand("\(name)::text::float8", cast: "::float8")
        case .text, .varchar: Comparand("\(name) COLLATE \"C\"", cast: "::text")
        case .other: Comparand("\(name)::text COLLATE \"C\"", cast: "::text")
        }
    }

    /// The type of ids made of it; nil where it makes none, or none that an index finds.
    var idType: ColumnType? {
        switch self {
        case .int2, .int4, .int8: .integer
        case .text, .varchar, .uuid, .date: .text
        case .oid, .float4, .float8, .numeric, .bool, .timestamp, .timestamptz, .bytea, .other: nil
        }
    }

    /// The type of cells made of it.
    ///
    /// - Parameter isWhole: Whether a number has no fraction and fits 64 bits.
    /// - Returns: The type of a column of the list.
    func columnType(isWhole: Bool) -> ColumnType {
        switch self {
        case .int2, .int4, .int8, .oid: .integer
        case .float4, .float8: .real
        case .numeric: isWhole ? .integer : .real
        case .bool: .boolean
        case .date: .date
        case .text, .varchar, .timestamp, .timestamptz, .uuid, .bytea, .other: .text
        }
    }
}
