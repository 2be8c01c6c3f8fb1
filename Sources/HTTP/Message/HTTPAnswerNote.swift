/// What a handler tells of an answer for the log; the client is told nothing of it.
///
/// An object, as it would be a third of every response, most of which have none.
package final class HTTPAnswerNote: Sendable {
    /// The pattern of the path, for example `/{list}/{row}`.
    package let pattern: String
    /// The list that was asked; nil for none.
    package let list: String?
    /// Who asked; nil for somebody without a name.
    package let caller: String?
    /// The rows of the answer; nil where it is no page.
    package let rows: Int?
    /// The time that reading them took.
    package let reading: Duration?
    /// The address of the client that a trusted proxy names; nil where none does.
    package let client: String?
    /// The trace that the request belongs to (W3C Trace Context); nil for none.
    package let traceID: String?

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - list: The list that was asked.
    ///   - caller: Who asked.
    ///   - rows: The rows of the answer.
    ///   - reading: The time that reading them took.
    ///   - client: The address of the client that a trusted proxy names.
    ///   - traceID: The trace that the request belongs to.
    package init(
        pattern: String,
        list: String?,
        caller: String?,
        rows: Int?,
        reading: Duration?,
        client: String? = nil,
        traceID: String? = nil
    ) {
        self.pattern = pattern
        self.list = list
        self.caller = caller
        self.rows = rows
        self.reading = reading
        self.client = client
        self.traceID = traceID
    }
}
