/// The validators of a page, which later requests use to detect changes (RFC 9110 §13).
struct Validators: Sendable {
    let request: RemoteRequest
    /// The address after all redirects.
    ///
    /// The validators are valid only there.
    let address: RemoteAddress
    let conditions: [RemoteField]

    /// Nil if the response has none that can be sent.
    init?(_ request: RemoteRequest, from address: RemoteAddress, _ response: RemoteResponse) {
        // Repeating a request is known to be safe for GET only.
        guard request.method == .get else { return nil }
        let fields = [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")]
        // A value that cannot be sent in a request is ignored.
        conditions = fields.compactMap { name, condition in
            response.field(name).flatMap { try? RemoteField(condition, $0) }
        }
        guard !conditions.isEmpty else { return nil }
        self.request = request
        self.address = address
    }
}
