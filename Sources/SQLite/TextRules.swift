/// The rules by which texts are ordered and parted into words, as far as a database keeps their
/// results.
///
/// The number is part of the names in the schema that indexes are found by. So those of another
/// version are never used: who only reads does without, and who writes makes them anew.
enum TextRules {
    /// To be raised whenever ``TextCollation`` or ``TextSearch`` gives other results.
    static let number = 2

    /// The name of the collation.
    static let collation = formerCollation + "\(number)"

    /// The name that the collation had before it had a number.
    static let formerCollation = "roster"
}
