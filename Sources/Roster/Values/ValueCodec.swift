import FoundationEssentials
import Listings

/// The conversion between the values of a Swift type and cells.
///
/// The type is known at run time only, so that one initializer of ``Column`` takes all types. A
/// misspelled property is then one error of the compiler.
struct ValueCodec: Sendable {
    let type: ColumnType
    /// Whether nil is a value.
    var isOptional = false
    let cell: @Sendable (Any) -> CellValue
    let value: @Sendable (CellValue) -> Any?
    let sample: any Sendable
    var choices: [String] = []

    /// Nil if the values of the type cannot be cells.
    static func of(_ type: Any.Type) -> ValueCodec? {
        if let optional = type as? any OptionalValue.Type { return optional.codec }
        if let scalar = scalar(type) { return scalar }
        if let raw = type as? any (RawRepresentable & Sendable).Type { return self.raw(raw) }
        if let json = type as? any (Encodable & Sendable).Type { return self.json(json) }
        return nil
    }

    private static func make<Value: Sendable>(
        _ type: ColumnType,
        _ sample: Value,
        _ cell: @escaping @Sendable (Value) -> CellValue,
        _ value: @escaping @Sendable (CellValue) -> Value?
    ) -> ValueCodec {
        ValueCodec(
            type: type,
            cell: { ($0 as? Value).map(cell) ?? .null },
            value: value,
            sample: sample
        )
    }

    private static func scalar(_ type: Any.Type) -> ValueCodec? {
        switch type {
        case is String.Type: make(.text, "", CellValue.text) { $0.string }
        case is Bool.Type: make(.boolean, false, CellValue.boolean) { $0.boolean }
        case is Double.Type: make(.real, 0.0, CellValue.finite) { $0.double }
        case is Float.Type:
            make(
                .real,
                Float(0),
                { .finite(Double("\($0)") ?? 0) },
                { $0.double.map { Float($0) } }
            )
        case is Decimal.Type:
            make(
                .real,
                Decimal(),
                { CellValue.number($0.description) ?? .null },
                { $0.number.flatMap { Decimal(string: $0) } }
            )
        case is Date.Type: make(.timestamp, Date(), CellValue.time) { $0.moment }
        case is UUID.Type:
            make(
                .text,
                UUID(),
                { .text($0.uuidString) },
                { $0.string.flatMap { UUID(uuidString: $0) } }
            )
        case is URL.Type: url
        case is CalendarDate.Type:
            make(.date, CalendarDate.start, CellValue.date) { cell in
                if case .date(let date) = cell { date } else { nil }
            }
        case is Timestamp.Type:
            make(.timestamp, Timestamp.start, CellValue.timestamp) { cell in
                if case .timestamp(let time) = cell { time } else { nil }
            }
        case let number as any (FixedWidthInteger & Sendable).Type: integer(number)
        case is CellValue.Type: make(.text, CellValue.null, { $0 }, { $0 })
        default: nil
        }
    }

    private static var url: ValueCodec? {
        guard let sample = URL(string: "/") else { return nil }
        return make(
            .link,
            sample,
            { .text($0.absoluteString) },
            { $0.string.flatMap { URL(string: $0) } }
        )
    }

    private static func integer<Number: FixedWidthInteger & Sendable>(
        _ type: Number.Type
    ) -> ValueCodec {
        make(
            .integer,
            Number.zero,
            { Int64(exactly: $0).map(CellValue.integer) ?? CellValue.number("\($0)") ?? .null },
            { $0.number.flatMap { Number($0) } }
        )
    }

    private static func raw<Value: RawRepresentable & Sendable>(
        _ type: Value.Type
    ) -> ValueCodec? {
        guard let raw = of(Value.RawValue.self), !raw.isOptional else { return nil }
        let all = (type as? any CaseIterable.Type).map { cases($0) } ?? []
        let choices = all.compactMap { ($0 as? Value).map { raw.cell($0.rawValue).plainText } }
        // Only the trial decoding of an input needs a sample.
        let sample = all.first as? Value ?? (raw.sample as? Value.RawValue).flatMap(Value.init)
        var codec = ValueCodec(
            type: raw.type,
            cell: { ($0 as? Value).map { raw.cell($0.rawValue) } ?? .null },
            value: { (raw.value($0) as? Value.RawValue).flatMap(Value.init) },
            sample: sample.map { $0 as any Sendable } ?? ""
        )
        codec.choices = choices
        return codec
    }

    private static func cases<Value: CaseIterable>(_ type: Value.Type) -> [Any] {
        Array(type.allCases)
    }

    private static func json<Value: Encodable & Sendable>(_ type: Value.Type) -> ValueCodec {
        ValueCodec(
            type: .json,
            cell: { value in
                guard let value = value as? Value else { return .null }
                let encoder = JSONEncoder()
                encoder.dateEncodingStrategy = .iso8601
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                guard let data = try? encoder.encode(value) else { return .null }
                let text = String(decoding: data, as: UTF8.self)
                // Some types encode as one text or number, which is JSON, too.
                return text == "null" ? .null : .json(text)
            },
            value: { cell in
                guard case .json(let text) = cell, let type = type as? any Decodable.Type else {
                    return nil
                }
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                return try? decoder.decode(type, from: Data(text.utf8))
            },
            sample: ""
        )
    }
}

private protocol OptionalValue {
    static var codec: ValueCodec? { get }
}

extension Optional: OptionalValue {
    fileprivate static var codec: ValueCodec? {
        guard let wrapped = ValueCodec.of(Wrapped.self) else { return nil }
        var codec = ValueCodec(
            type: wrapped.type,
            cell: { value in
                // `Any` hides one level of nil.
                if case Optional<Any>.none = value as Any? { return .null }
                guard let value = value as? Wrapped? else { return .null }
                return value.map { wrapped.cell($0) } ?? .null
            },
            value: { wrapped.value($0) },
            sample: wrapped.sample
        )
        codec.isOptional = true
        codec.choices = wrapped.choices
        return codec
    }
}

extension CalendarDate {
    fileprivate static var start: CalendarDate {
        guard let date = CalendarDate(dayNumber: 0) else { preconditionFailure("no first day") }
        return date
    }
}

extension Timestamp {
    fileprivate static var start: Timestamp {
        Timestamp(seconds: 0, nanoseconds: 0, hasOffset: true)
    }
}

extension CellValue {
    /// Null if the number is not finite.
    fileprivate static func finite(_ real: Double) -> CellValue {
        real.isFinite ? .real(real) : .null
    }

    /// In microseconds.
    fileprivate static func time(_ date: Date) -> CellValue {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let count = Int64(exactly: microseconds) else { return .null }
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: 1_000_000)
        let isBefore = rest < 0
        return .timestamp(
            Timestamp(
                seconds: isBefore ? seconds - 1 : seconds,
                nanoseconds: Int32((isBefore ? rest + 1_000_000 : rest) * 1_000),
                hasOffset: true
            )
        )
    }

    fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }

    fileprivate var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    fileprivate var number: String? { kind == .number ? plainText : nil }

    fileprivate var double: Double? { number.flatMap(Double.init) }

    /// At midnight of UTC for a day.
    fileprivate var moment: Date? {
        switch self {
        case .timestamp(let time):
            Date(
                timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9
            )
        case .date(let day): Date(timeIntervalSince1970: Double(day.dayNumber) * 86_400)
        default: nil
        }
    }
}
