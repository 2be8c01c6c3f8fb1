/// What a handler tells of an answer for the log; the client is told nothing of it.
package struct HTTPAnswerNote: Sendable {
    /// The pattern of the path, for example `/{list}/{row}`.
    package var pattern: String
    /// The list that was asked; nil for none.
    package var list: String?
    /// Who asked; nil for somebody without a name.
    package var caller: String?
    /// The rows of the answer; nil where it is no page.
    package var rows: Int?
    /// The time that reading them took.
    package var reading: Duration?

    /// Creates a note.
    ///
    /// - Parameter pattern: The pattern of the path.
    package init(pattern: String) { self.pattern = pattern }
}
