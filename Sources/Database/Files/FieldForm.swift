/// The form in which a file writes a value.
package enum FieldForm: Hashable, Sendable {
    /// As text that may be anything, in a CSV or TSV file.
    case plain
    /// A string of JSON.
    case string
    /// A number of JSON.
    case number
    /// `true` or `false` of JSON.
    case boolean
    /// An array or object of JSON, without white space.
    case container
}
