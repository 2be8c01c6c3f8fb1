/// Details of a response for the log, which are not sent to the client.
///
/// It is a class because its fields would enlarge every response, and most have no note.
package final class AccessLogMetadata: Sendable {
    /// For example `/{list}/{row}`.
    package let pattern: String
    package let list: String?
    package let caller: String?
    /// Nil if the response is not a page.
    package let rows: Int?
    /// The time that the request waited for a worker; nil where it needed none.
    package let waiting: Duration?
    package let reading: Duration?
    /// The client address that a trusted proxy names; nil without one.
    package let client: String?
    /// W3C Trace Context; nil without a trace.
    package let traceID: String?

    package init(
        pattern: String,
        list: String?,
        caller: String?,
        rows: Int?,
        waiting: Duration? = nil,
        reading: Duration?,
        client: String? = nil,
        traceID: String? = nil
    ) {
        self.pattern = pattern
        self.list = list
        self.caller = caller
        self.rows = rows
        self.waiting = waiting
        self.reading = reading
        self.client = client
        self.traceID = traceID
    }
}
