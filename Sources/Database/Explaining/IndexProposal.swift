/// A proposed index, or the reason why there is none.
package enum IndexProposal: Hashable, Sendable {
    /// The statement that creates the index, including its final semicolon. Roster never runs it.
    case statement(String)
    /// Roster made the table and its indexes.
    case ownTable
    /// A view has no indexes.
    case view
    /// The index exists, but the engine uses another access path.
    case isThere
    /// The server lacks the named extension, which such an index requires.
    case missing(extension: String)
    /// The compared expression cannot be indexed. It is known to this program alone, or it is text
    /// that can change later, such as an enumeration's.
    case notIndexable
}
