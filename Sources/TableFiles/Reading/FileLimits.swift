/// The limits of a file's contents, so that no file can exhaust memory.
package enum FileLimits {
    /// The maximum size of a value, in bytes of UTF-8 without quotes and escapes: 1 MiB.
    package static let maximumFieldBytes = 1 << 20
    /// The maximum size of a record, in bytes of its values: 16 MiB.
    package static let maximumRecordBytes = 16 << 20
    /// The maximum number of columns: 1,000, half of SQLite's limit.
    package static let maximumColumns = 1000
    /// The maximum length of a column name, in bytes of UTF-8.
    package static let maximumNameBytes = 200
    /// The maximum nesting depth within a JSON value.
    package static let maximumDepth = 64
}
