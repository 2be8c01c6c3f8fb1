/// An index that would help, or why there can be none.
package enum IndexProposal: Hashable, Sendable {
    /// The statement that makes it, which nothing here ever runs; it ends with a semicolon.
    case statement(String)
    /// Roster made the table, and the indexes that it has.
    case ownTable
    /// A view has no indexes.
    case view
    /// There is that very index, and the engine reads the rows another way.
    case isThere
    /// The server has not the extension that makes such indexes; its name.
    case missing(extension: String)
    /// What is compared is known to this program alone, or is the text of values that may look
    /// otherwise tomorrow, as those of an enumeration.
    case notIndexable
}
