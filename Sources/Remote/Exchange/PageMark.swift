/// What is kept of a page to ask later whether it has changed (RFC 9110 §13).
struct PageMark: Sendable {
    /// What asked for the page.
    let request: RemoteRequest
    /// Where it came from in the end; only there its tags mean anything.
    let address: RemoteAddress
    /// The fields that ask for it only where it has changed.
    let conditions: [RemoteField]

    /// Takes what an answer says of its state; nil when it says nothing that can be asked for.
    init?(_ request: RemoteRequest, from address: RemoteAddress, _ response: RemoteResponse) {
        // Only of GET it is certain that asking twice asks the same.
        guard request.method == .get else { return nil }
        let fields = [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")]
        // What cannot stand in a request is as good as not said.
        conditions = fields.compactMap { name, condition in
            response.field(name).flatMap { try? RemoteField(condition, $0) }
        }
        guard !conditions.isEmpty else { return nil }
        self.request = request
        self.address = address
    }
}
