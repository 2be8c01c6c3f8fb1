/// The bounds of what a file may hold, so that no file makes memory grow without end.
package enum FileLimits {
    /// The longest value, in bytes of UTF-8 without its quotes and escapes: 1 MiB.
    package static let maximumFieldBytes = 1 << 20
    /// The longest record, in bytes of its values: 16 MiB.
    package static let maximumRecordBytes = 16 << 20
    /// The most columns: 1,000, half of what SQLite takes.
    package static let maximumColumns = 1000
    /// The longest column name, in bytes of UTF-8.
    package static let maximumNameBytes = 200
    /// The deepest nesting inside one JSON value.
    package static let maximumDepth = 64
}
