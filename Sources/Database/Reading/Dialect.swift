package import Listings

/// How an engine spells what lists are read by.
///
/// Columns and parts of keys are positions in their ``TableDescription``.
package protocol Dialect: Sendable {
    /// Where nulls stand by themselves when values grow.
    var nativeNulls: SortKey.Nulls { get }

    /// The bound value of a number, from 1.
    func place(_ number: Int) -> String

    /// A column as it is ordered and compared.
    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand

    /// The first letter of a column as it is ordered and compared.
    func comparand(initialOf column: Int, of table: TableDescription) -> Comparand

    /// The first letter of a column as it is selected.
    func initial(of column: Int, of table: TableDescription) -> String

    /// A part of the key as it is ordered and compared: texts byte by byte.
    func comparand(keyPart: Int, of table: TableDescription) -> Comparand

    /// The condition that a part of the key has the bound value of a number.
    func identity(keyPart: Int, of table: TableDescription, place: Int) -> String

    /// Whether `max` is to be had of a part of the key.
    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool

    /// Counts the rows of a table so that the time given to it can end it.
    func count(of table: TableDescription) -> String
}
