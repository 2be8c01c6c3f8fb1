import Database
import Listings

/// What is known of a type of PostgreSQL: how its values are compared so that an index helps, and
/// what cells they make.
enum EngineType: String {
    case int2, int4, int8, oid
    case float4, float8, numeric
    case bool, date, timestamp, timestamptz, uuid
    case text, varchar
    /// A text whose collation is the order of bytes, so that every index on it has the order of lists.
    case bytewise
    case bytea
    case json, jsonb
    /// An array of any type, which is shown as JSON.
    case array
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
        case .array: "to_jsonb(\(name))"
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
        case .bytewise: Comparand(name, cast: "::text")
        // JSON keeps its white space, which cells do not show.
        case .json:
            Comparand(
                #"regexp_replace(\#(name)::text, '("(?:[^"\\]|\\.)*")|[ \t\n\r]+', '\1', 'g')"#
                    + " COLLATE \"C\"",
                cast: "::text"
            )
        case .jsonb: Comparand("\(name)::text COLLATE \"C\"", cast: "::jsonb::text")
        case .array: Comparand("to_jsonb(\(name))::text COLLATE \"C\"", cast: "::jsonb::text")
        case .other: Comparand("\(name)::text COLLATE \"C\"", cast: "::text")
        }
    }

    /// How a column of the type is compared with what it may be equal to: in the collation it has,
    /// which is that of its indexes.
    func equated(_ name: String) -> Comparand {
        switch self {
        case .text, .varchar: Comparand(name, cast: "::text")
        default: comparand(name)
        }
    }

    /// How a column of the type looks in lists, as a text of which the letters are compared.
    func shownText(_ name: String) -> String {
        switch self {
        case .timestamp, .timestamptz:
            "replace(replace(\(name)::text, ' ', 'T'), '+00', 'Z') COLLATE \"C\""
        case .array: "to_jsonb(\(name))::text COLLATE \"C\""
        default: "\(name)::text COLLATE \"C\""
        }
    }

    /// Whether a text can be read as a value of the type.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .uuid: Self.isUUID(text.utf8.span)
        case .timestamp, .timestamptz: Self.isEndless(text) || Self.isTime(Self.shortened(text))
        case .date: Self.isEndless(text) || CalendarDate(Self.shortened(text)) != nil
        default: !text.utf8.contains(0)
        }
    }

    /// RFC 9562 §4, in letters of any case.
    private static func isUUID(_ utf8: borrowing Span<UInt8>) -> Bool {
        guard utf8.count == 36 else { return false }
        return utf8.indices.allSatisfy { index in
            switch (index, utf8[index]) {
            case (8, let byte), (13, let byte), (18, let byte), (23, let byte):
                byte == UInt8(ascii: "-")
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")),
                (_, UInt8(ascii: "a")...UInt8(ascii: "f")),
                (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
                true
            default: false
            }
        }
    }

    /// Whether no value of the type shows what a search looks for.
    func lacksWord(of term: TextSearch.Term) -> Bool {
        guard self == .timestamp || self == .timestamptz else { return false }
        // `2024-02-29T12:00:00.5Z`, `0044-03-15 BC`, `-infinity`.
        let letters = Set("0123456789tzbcinfy".unicodeScalars)
        return term.words.contains { !$0.unicodeScalars.allSatisfy(letters.contains) }
    }

    private static func isEndless(_ text: String) -> Bool {
        text == "infinity" || text == "-infinity"
    }

    /// A day or moment before year 1 or past 9999, moved to a year of four digits with the same days.
    private static func shortened(_ text: String) -> String {
        let digits = text.prefix { $0 != "-" }
        let isEarly = text.hasSuffix(" BC")
        guard isEarly || digits.utf8.count > 4, (4...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy(isDigit), let year = Int(digits), year > 0
        else { return text }
        var rest = text.dropFirst(digits.count)
        if isEarly { rest = rest.dropLast(3) }
        if isEarly, rest.hasSuffix("+00") { rest = rest.dropLast(3) }
        let place = (isEarly ? 1 - year : year) % 400
        return "\(2000 + (place + 400) % 400)\(rest)"
    }

    /// A day, or a moment of ISO 8601 as lists show it: `2024-02-29T12:00:00.5Z`.
    private static func isTime(_ text: String) -> Bool {
        guard CalendarDate(String(text.prefix(10))) != nil else { return false }
        guard text.utf8.count > 10 else { return true }
        var time = text.utf8.dropFirst(10)
        if time.last == UInt8(ascii: "Z") { time = time.dropLast() }
        // A fraction has the digits of microseconds at most.
        let parts = time.dropFirst().split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard time.first == UInt8(ascii: "T") || time.first == UInt8(ascii: " "),
            let clock = parts.first, parts.count <= 2
        else { return false }
        if parts.count == 2 {
            let isFraction = (1...6).contains(parts[1].count) && parts[1].allSatisfy(isDigit)
            guard isFraction, clock.count == 8 else { return false }
        }
        let numbers = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return (2...3).contains(numbers.count)
            && zip(numbers, ["23", "59", "59"]).allSatisfy { number, most in
                number.count == 2 && number.allSatisfy(isDigit)
                    && !most.utf8.lexicographicallyPrecedes(number)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The type of ids made of it; nil where it makes none, or none that an index finds.
    var idType: ColumnType? {
        switch self {
        case .int2, .int4, .int8: .integer
        case .text, .varchar, .bytewise, .uuid, .date: .text
        case .oid, .float4, .float8, .numeric, .bool, .timestamp, .timestamptz, .bytea, .json,
            .jsonb,
            .array, .other:
            nil
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
        case .timestamp, .timestamptz: .timestamp
        case .json, .jsonb, .array: .json
        case .bytea: .bytes
        case .text, .varchar, .bytewise, .uuid, .other: .text
        }
    }
}
