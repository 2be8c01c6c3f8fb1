package struct SchemaInference: Sendable {
    package private(set) var facts: [ColumnProfile] = []
    package private(set) var recordCount = 0

    package init() {}

    /// Only the chosen columns have facts then, if there is a choice.
    package mutating func add(_ record: borrowing FileRecord, of chosen: Set<Int>? = nil) {
        recordCount += 1
        while facts.count < record.count { facts.append(ColumnProfile()) }
        for column in 0..<record.count
        where !record.isNull(column) && chosen?.contains(column) ?? true {
            record.withField(column) { utf8 in facts[column].add(utf8, record.form(of: column)) }
        }
    }
}

package enum FieldForm: Hashable, Sendable {
    /// Unquoted or quoted text of a CSV or TSV file, which can be of any type.
    case plain
    case string
    case number
    case boolean
    /// A JSON array or object, without white space.
    case container
}
