/// Statistics of a file, collected in one pass over its records.
package struct SchemaInference: Sendable {
    /// The statistics of each column, by its position in the file.
    package private(set) var facts: [ColumnProfile] = []
    /// The number of records.
    package private(set) var recordCount = 0

    package init() {}

    package mutating func add(_ record: borrowing FileRecord) {
        recordCount += 1
        while facts.count < record.count { facts.append(ColumnProfile()) }
        for column in 0..<record.count where !record.isNull(column) {
            record.withField(column) { utf8 in facts[column].add(utf8, record.form(of: column)) }
        }
    }
}

/// The form in which a file writes a value.
package enum FieldForm: Hashable, Sendable {
    /// Unquoted or quoted text of a CSV or TSV file, which can be of any type.
    case plain
    /// A JSON string.
    case string
    /// A JSON number.
    case number
    /// A JSON `true` or `false`.
    case boolean
    /// A JSON array or object, without white space.
    case container
}
