import Database
import JSON
import Listings

/// A type of PostgreSQL, which determines index-compatible comparisons and the cells of its values.
enum EngineType: String {
    case int2, int4, int8, oid
    case float4, float8, numeric
    case bool, date, timestamp, timestamptz, uuid
    case text, varchar
    /// A text with byte-order collation, so that every index on it has the order of lists.
    case bytewise
    case bytea
    case json, jsonb
    /// An array of any type, shown as JSON.
    case array
    /// The value at a path of JSON, compared as `jsonb`.
    case member = "roster:member"
    case elements = "roster:elements"
    /// Any other type, which is shown, compared and ordered by its text.
    case other

    init(_ name: String?) {
        self = name.flatMap(EngineType.init(rawValue:)) ?? .other
    }

    func selection(_ name: String) -> String {
        switch self {
        // Cells do not show bytes, so only their number is read.
        case .bytea: "octet_length(\(name))"
        // The text keeps the value's own digits instead of those of the nearest double.
        case .float4: "\(name)::text::float8"
        case .array: "to_jsonb(\(name))"
        case .other: "\(name)::text"
        default: name
        }
    }

    /// Texts are compared by bytes, so that the order is the same in every engine.
    func comparand(_ name: String) -> Operand {
        switch self {
        case .int2, .int4, .int8, .oid: Operand(name, cast: "::bigint")
        case .float8, .numeric, .bool, .date, .timestamp, .timestamptz, .uuid, .bytea:
            Operand(name, cast: "::\(rawValue)")
        case .float4: Operand("\(name)::text::float8", cast: "::float8")
        case .text, .varchar:
            Operand("\(name) COLLATE \"C\"", cast: "::text", comparesBytes: true)
        case .bytewise: Operand(name, cast: "::text")
        // JSON keeps its white space, which cells do not show.
        case .json:
            Operand(
                #"regexp_replace(\#(name)::text, '("(?:[^"\\]|\\.)*")|[ \t\n\r]+', '\1', 'g')"#
                    + " COLLATE \"C\"",
                cast: "::text"
            )
        case .jsonb: Operand("\(name)::text COLLATE \"C\"", cast: "::jsonb::text")
        case .member, .elements: Operand(name, cast: "::jsonb", form: .key)
        case .array: Operand("to_jsonb(\(name))::text COLLATE \"C\"", cast: "::jsonb::text")
        case .other: Operand("\(name)::text COLLATE \"C\"", cast: "::text")
        }
    }

    /// It uses the column's collation, which its indexes have.
    func equated(_ name: String) -> Operand {
        switch self {
        case .text, .varchar: Operand(name, cast: "::text")
        default: comparand(name)
        }
    }

    /// Returns SQL for a column's text as shown in lists, for comparison by letters.
    func shownText(_ name: String) -> String {
        switch self {
        case .timestamp, .timestamptz:
            "replace(replace(\(name)::text, ' ', 'T'), '+00', 'Z') COLLATE \"C\""
        case .array: "to_jsonb(\(name))::text COLLATE \"C\""
        case .member: "(\(name) #>> '{}') COLLATE \"C\""
        default: "\(name)::text COLLATE \"C\""
        }
    }

    func accepts(_ text: String) -> Bool {
        switch self {
        case .uuid: Self.isUUID(text.utf8.span)
        case .timestamp, .timestamptz: Self.isEndless(text) || Self.isTime(Self.shortened(text))
        case .date: Self.isEndless(text) || CalendarDate(Self.shortened(text)) != nil
        default: !text.utf8.contains(0)
        }
    }

    /// RFC 9562 §4, in upper or lower case.
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

    func lacksWord(of term: TextSearch.Term) -> Bool {
        guard self == .timestamp || self == .timestamptz else { return false }
        // Example texts: `2024-02-29T12:00:00.5Z`, `0044-03-15 BC`, `-infinity`.
        let letters = Set("0123456789tzbcinfy".unicodeScalars)
        return term.words.contains { !$0.unicodeScalars.allSatisfy(letters.contains) }
    }

    private static func isEndless(_ text: String) -> Bool {
        text == "infinity" || text == "-infinity"
    }

    /// Maps a day or moment before year 1 or after 9999 to a four-digit year with the same days.
    private static func shortened(_ text: String) -> String {
        let digits = text.prefix { $0 != "-" }
        let isEarly = text.hasSuffix(" BC")
        guard isEarly || digits.utf8.count > 4, (4...6).contains(digits.utf8.count),
            digits.utf8.allSatisfy(isDigit), let year = Int(digits), year > 0
        else { return text }
        var rest = text.dropFirst(digits.count)
        if isEarly { rest = rest.dropLast(3) }
        if isEarly, rest.hasSuffix("+00") { rest = rest.dropLast(3) }
        let position = (isEarly ? 1 - year : year) % 400
        return "\(2000 + (position + 400) % 400)\(rest)"
    }

    /// Returns whether a text is a day or an ISO 8601 moment such as `2024-02-29T12:00:00.5Z`.
    private static func isTime(_ text: String) -> Bool {
        guard CalendarDate(String(text.prefix(10))) != nil else { return false }
        guard text.utf8.count > 10 else { return true }
        var time = text.utf8.dropFirst(10)
        if time.last == UInt8(ascii: "Z") { time = time.dropLast() }
        // A fraction has at most the digits of microseconds.
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

    /// A whole number has no fraction and fits 64 bits.
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
        case .text, .varchar, .bytewise, .uuid, .member, .elements, .other: .text
        }
    }

    var isNumber: Bool { columnType(isWhole: true).kind == .number }
    var isTime: Bool { columnType(isWhole: true).isTime }
    var isString: Bool { self == .text || self == .varchar || self == .bytewise }

    func document(_ name: String) -> String? {
        switch self {
        case .jsonb: name
        case .json: "\(name)::jsonb"
        case .array: "to_jsonb(\(name))"
        case .member, .elements: name
        default: nil
        }
    }
}

extension EngineType {
    /// There are none if no value can match.
    func comparisons(_ operation: Filter.Operator, _ operand: CellValue) -> [Comparison] {
        guard holds(operand) else { return [] }
        switch self {
        case .int2, .int4, .int8, .oid: return Self.wholeNumbers(operation, operand)
        case .float4, .float8: return Self.doubles(operation, operand)
        case .date, .timestamp, .timestamptz:
            guard let span = TimeSpan(operand) else { break }
            // No value but a date is identical with a day, and none with a month.
            let isDay = if case .date = operand { true } else { false }
            let canBeStored = self == .date ? isDay : span.end == nil
            return operation != .identical || canBeStored ? times(operation, span) : []
        default: break
        }
        return [Comparison(operation.sign, operand)]
    }

    private func holds(_ operand: CellValue) -> Bool {
        switch (self, operand) {
        case (.json, .json(let text)), (.jsonb, .json(let text)), (.array, .json(let text)):
            JSONText.compact("[\(text)]") != nil && !text.contains("\\u0000")
        // A number with more digits than a cell holds is shown as a text.
        case (.numeric, .text(let text)):
            text.utf8.count > ExactDecimal.maximumBytes
                && text.utf8.allSatisfy { "-.0123456789".utf8.contains($0) }
        case (.date, .text), (.timestamp, .text), (.timestamptz, .text): true
        default: operand.kind == columnType(isWhole: false).kind
        }
    }

    private static func wholeNumbers(
        _ operation: Filter.Operator,
        _ operand: CellValue
    ) -> [Comparison] {
        if case .integer = operand { return [Comparison(operation.sign, operand)] }
        let isBelow = RowOrder.compare(operand, .integer(.min)) < 0
        guard !isBelow, RowOrder.compare(operand, .integer(.max)) <= 0 else {
            // Every integer is on the same side of a number beyond the 64-bit range.
            let isMet = isBelow == (operation == .greater || operation == .atLeast)
            guard operation.sign != "=", isMet else { return [] }
            return [Comparison(">=", .integer(.min))]
        }
        guard let floor = Int64(floorOf: operand) else { return [] }
        return near(.integer(floor), operation, operand)
    }

    /// Compares with a neighbour of the operand, where no value of the type lies between them.
    private static func near(
        _ neighbour: CellValue,
        _ operation: Filter.Operator,
        _ operand: CellValue
    ) -> [Comparison] {
        let near = operation.comparing(neighbour: RowOrder.compare(neighbour, operand))
        return near.map { [Comparison($0.sign, neighbour)] } ?? []
    }

    private static func doubles(
        _ operation: Filter.Operator,
        _ operand: CellValue
    ) -> [Comparison] {
        guard case .decimal(let decimal) = operand else {
            return [Comparison(operation.sign, operand)]
        }
        return near(.real(decimal.nearestDouble), operation, operand)
    }

    private func times(_ operation: Filter.Operator, _ span: TimeSpan) -> [Comparison] {
        var comparisons: [Comparison] = []
        for bound in span.bounds(operation) {
            // A year or a month ends with the calendar at the latest.
            let isLast =
                bound.instant == span.end && span.start.seconds < StoredTime.calendarEnd
                && bound.instant.seconds > StoredTime.calendarEnd
            let time = isLast ? .lastEnd : StoredTime(bound.instant, isDay: self == .date)
            guard let operation = bound.operation.comparing(neighbour: time.isExact ? 0 : 1) else {
                return []
            }
            comparisons.append(Comparison(operation.sign, time.value))
        }
        return comparisons
    }
}
