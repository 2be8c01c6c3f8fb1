/// The version of the rules for ordering texts and splitting them into words, as far as a database
/// stores results.
///
/// The number is part of index names in the schema, so that indexes of another version are never
/// used. A read-only connection works without them, and a writer recreates them.
enum TextRules {
    /// The version, to be increased whenever results of ``TextCollation`` or ``TextSearch`` change.
    static let number = 2

    /// The name of the collation.
    static let collation = formerCollation + "\(number)"

    /// The name that the collation had before it had a number.
    static let formerCollation = "roster"
}
