/// What is known of a file after all its records have been looked at once.
package struct FileSurvey: Sendable {
    /// What is known of each column, by its position in the file.
    package private(set) var facts: [ColumnFacts] = []
    /// The number of records.
    package private(set) var recordCount = 0

    /// Creates the survey of a file without records.
    package init() {}

    /// Takes a record.
    package mutating func add(_ record: borrowing FileRecord) {
        recordCount += 1
        while facts.count < record.count { facts.append(ColumnFacts()) }
        for column in 0..<record.count where !record.isNull(column) {
            record.withField(column) { utf8 in facts[column].add(utf8, record.form(of: column)) }
        }
    }
}
