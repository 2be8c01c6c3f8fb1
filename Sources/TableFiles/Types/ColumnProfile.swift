package import Listings

package struct ColumnProfile: Sendable {
    package static let majority = 0.95
    private static let maximumExamples = 64

    private var counts: [FieldValue.Shape: Int] = [:]
    /// The number of values that are not null and not an empty text.
    package private(set) var count = 0
    private var emptyCount = 0
    private var emailCount = 0
    private var linkCount = 0
    private var quotedIntegerCount = 0
    /// The number of whole numbers that begin with 0, such as `01067`.
    private var leadingZeroCount = 0
    private var leadingZeroExample = ""
    private var texts: [String: Int] = [:]

    package init() {}

    package var hasValue: Bool { count > 0 }

    /// The value is not null.
    package mutating func add(_ utf8: borrowing Span<UInt8>, _ form: FieldForm) {
        guard utf8.count > 0 else {
            emptyCount += 1
            return
        }
        count += 1
        let shape = FieldValue.shape(utf8, form)
        counts[shape, default: 0] += 1
        if form == .string, FieldValue.integer(utf8) != nil { quotedIntegerCount += 1 }
        if shape == .whole, form == .plain, utf8.count > 1, utf8[0] == UInt8(ascii: "0") {
            leadingZeroCount += 1
            if leadingZeroCount == 1 { leadingZeroExample = String(decoding: utf8) }
        }
        guard shape == .text else { return }
        if emailCount + 1 == count, AddressSyntax.isEmail(utf8) { emailCount += 1 }
        if linkCount + 1 == count, AddressSyntax.isLink(utf8) { linkCount += 1 }
        guard utf8.count <= 32, texts.count <= Self.maximumExamples else { return }
        texts[String(decoding: utf8), default: 0] += 1
    }

    /// The type of the column: that of 95 % of its values, otherwise text.
    package var type: ColumnType {
        guard count > 0 else { return .text }
        if isMajority(numbers) { return number(.fraction) == 0 ? .integer : .real }
        for type in [ColumnType.boolean, .date, .timestamp, .json]
        where isMajority(count(of: type)) {
            return type
        }
        if emailCount == count { return .email }
        if linkCount == count { return .link }
        return .text
    }

    /// Whether the column has values that are not of a type or, for integers, not in canonical
    /// spelling.
    func isMixed(as type: ColumnType) -> Bool {
        let own = type == .integer ? number(.integer) : count(of: type)
        return own < count || (emptyCount > 0 && !type.isText && type != .bytes)
    }

    private func count(of type: ColumnType) -> Int {
        switch type.form {
        case .integer, .real: numbers
        case .boolean: number(.boolean)
        case .date: number(.date)
        case .timestamp: number(.date) + number(.timestamp)
        case .json: number(.json)
        case .text, .bytes: number(.text)
        }
    }

    /// Whether values are stored with their types and compared by keys.
    func isKeyed(as type: ColumnType) -> Bool {
        isMixed(as: type) || type == .real || type == .timestamp || type == .json
    }

    /// Whether every value is spelled as an integer, possibly in a JSON string, as exports write
    /// ids.
    package var areIntegers: Bool {
        count > 0 && number(.integer) + quotedIntegerCount == count && emptyCount == 0
    }

    func exceptions(to type: ColumnType) -> (count: Int, texts: [(text: String, count: Int)])? {
        guard type.isNumber || type.isTime || type == .boolean, count(of: type) < count else {
            return nil
        }
        let sorted = texts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return (count - count(of: type), sorted.prefix(5).map { ($0.key, $0.value) })
    }

    var leadingZeros: (count: Int, example: String)? {
        leadingZeroCount > 0 ? (leadingZeroCount, leadingZeroExample) : nil
    }

    private var numbers: Int { number(.integer) + number(.whole) + number(.fraction) }

    private func number(_ shape: FieldValue.Shape) -> Int { counts[shape] ?? 0 }

    private func isMajority(_ number: Int) -> Bool {
        number > 0 && Double(number) >= Double(count) * Self.majority
    }
}
