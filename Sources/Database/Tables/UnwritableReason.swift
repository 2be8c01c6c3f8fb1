/// The reason why the rows of a table cannot be written.
package enum UnwritableReason: Error, Hashable, Sendable {
    /// A view, or a table whose rows are elsewhere.
    case view
    case virtualTable
    /// An index of another table, or metadata of an extension.
    case internalTable
    case numberedRows
    /// No constraint keeps rows with equal keys out.
    case openKey(columns: [String])
    /// The file, or the rights of the user of the database.
    case noRight(String)
    /// The engine cannot compile a statement that writes rows, such as one that runs a broken
    /// trigger.
    case refused(message: String)
}
