/// What all connections of an event loop are held to; one object for all of them, so that none
/// carries a copy.
package final class HTTPConnectionRules {
    /// The bounds of every connection.
    let limits: HTTPLimits

    /// Fills the answers that the server gives by itself; nil fills in a problem document.
    let refuse: ((HTTPRefusal, inout HTTPResponse) -> Void)?

    /// The name of the request that was refused last, if the answer gave it one by the field
    /// X-Request-Id; for the access log.
    package internal(set) var refusedRequestID: String?

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - limits: What the clients are held to.
    ///   - refuse: Fills an empty response for a refusal, whose status stands whatever it sets.
    package init(
        limits: HTTPLimits,
        refuse: ((HTTPRefusal, inout HTTPResponse) -> Void)? = nil
    ) {
        self.limits = limits
        self.refuse = refuse
    }
}
