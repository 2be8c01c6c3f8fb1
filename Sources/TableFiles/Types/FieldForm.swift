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
