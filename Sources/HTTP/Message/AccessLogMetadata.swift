/// Details of a response for the log, which are not sent to the client.
///
/// It is a class because its fields would enlarge every response, and most have no note.
package final class AccessLogMetadata: Sendable {
    /// The pattern of the path, for example `/{list}/{row}`.
    package let pattern: String
    /// The name of the requested list; nil without one.
    package let list: String?
    /// The name of the caller; nil if it is anonymous.
    package let caller: String?
    /// The rows of the response; nil if it is not a page.
    package let rows: Int?
    /// The time spent reading the rows.
    package let reading: Duration?
    /// The client address that a trusted proxy names; nil without one.
    package let client: String?
    /// The trace that the request belongs to (W3C Trace Context); nil without one.
    package let traceID: String?

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of the path.
    ///   - list: The name of the requested list.
    ///   - caller: The name of the caller.
    ///   - rows: The rows of the response.
    ///   - reading: The time spent reading the rows.
    ///   - client: The client address that a trusted proxy names.
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
