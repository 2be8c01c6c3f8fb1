package import Listings

/// What is known of the values of a column, gathered value by value, and the type they share.
///
/// All values are judged as text, so that a CSV and a JSON file of one list give it the same types:
/// a JSON string "12" among integers is an integer, and a number among words is a text. An empty
/// text says nothing about the type: among texts it is one, in a column of any other type it stands
/// for null, because programs that write JSON put `""` where a CSV file has nothing.
package struct ColumnFacts: Sendable {
    /// The types, other than text, that every value so far could have.
    private var shapes = ValueShapes.all
    /// Whether there is a value that is not empty.
    package private(set) var hasValue = false

    /// Creates what is known of a column without values.
    package init() {}

    /// Takes a value that is not null.
    package mutating func add(_ utf8: borrowing Span<UInt8>) {
        guard utf8.count > 0 else { return }
        hasValue = true
        guard !shapes.isEmpty else { return }
        shapes.formIntersection(ValueShapes(of: utf8, among: shapes))
    }

    /// The type of the column: text where no other fits all values, or where there is no value.
    package var type: ColumnType {
        guard hasValue else { return .text }
        if shapes.contains(.integer) { return .integer }
        if shapes.contains(.real) { return .real }
        if shapes.contains(.boolean) { return .boolean }
        if shapes.contains(.date) { return .date }
        if shapes.contains(.email) { return .email }
        if shapes.contains(.link) { return .link }
        return .text
    }
}

/// The types, other than text, that a value could have.
private struct ValueShapes: OptionSet {
    let rawValue: UInt8

    static let integer = ValueShapes(rawValue: 1 << 0)
    static let real = ValueShapes(rawValue: 1 << 1)
    static let boolean = ValueShapes(rawValue: 1 << 2)
    static let date = ValueShapes(rawValue: 1 << 3)
    static let email = ValueShapes(rawValue: 1 << 4)
    static let link = ValueShapes(rawValue: 1 << 5)
    static let all: ValueShapes = [.integer, .real, .boolean, .date, .email, .link]
}

extension ValueShapes {
    /// Judges a value; only the types asked for are looked at.
    init(of utf8: borrowing Span<UInt8>, among asked: ValueShapes) {
        self = []
        if asked.contains(.integer), FieldValue.integer(utf8) != nil { insert(.integer) }
        if asked.contains(.real), FieldValue.real(utf8) != nil { insert(.real) }
        if asked.contains(.boolean), FieldValue.boolean(utf8) != nil { insert(.boolean) }
        if asked.contains(.date), FieldValue.isDate(utf8) { insert(.date) }
        if asked.contains(.email), TextForm.isEmail(utf8) { insert(.email) }
        if asked.contains(.link), TextForm.isLink(utf8) { insert(.link) }
    }
}
