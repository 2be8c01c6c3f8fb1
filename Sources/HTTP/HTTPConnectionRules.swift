/// What all connections of an event loop are held to, and what they share; one object for all of
/// them, so that none carries a copy.
package final class HTTPConnectionRules {
    /// The bounds of every connection.
    let limits: HTTPLimits

    /// Fills the answers that the server gives by itself; nil fills in a problem document.
    let refuse: ((HTTPRefusal, inout HTTPResponse) -> Void)?

    /// The answers that machines have made without a handler and that the access log has not seen,
    /// the oldest first.
    private var refusals: [HTTPRefusedRequest] = []

    /// Gives numbers for heads.
    private let takeHeadNumbers: (() -> Range<UInt64>)?

    /// Those that no head has yet.
    private var headNumbers: Range<UInt64> = 0..<0

    /// Memory for a request that no connection is using; without any while one does.
    private(set) var spareRequest = HTTPRequest.empty

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - limits: What the clients are held to.
    ///   - takeHeadNumbers: Gives numbers for heads, none of them twice in the process; nil numbers
    ///     none.
    ///   - refuse: Fills an empty response for a refusal, whose status stands whatever it sets.
    package init(
        limits: HTTPLimits,
        takeHeadNumbers: (() -> Range<UInt64>)? = nil,
        refuse: ((HTTPRefusal, inout HTTPResponse) -> Void)? = nil
    ) {
        self.limits = limits
        self.takeHeadNumbers = takeHeadNumbers
        self.refuse = refuse
    }

    /// Notes an answer made without a handler.
    func note(_ refusal: HTTPRefusedRequest) { refusals.append(refusal) }

    /// Takes the oldest answer made without a handler since the last call; nil without one.
    package func takeRefusal() -> HTTPRefusedRequest? {
        refusals.isEmpty ? nil : refusals.removeFirst()
    }

    /// The number of a head that was read.
    func numberHead() -> UInt64? {
        if headNumbers.isEmpty, let takeHeadNumbers { headNumbers = takeHeadNumbers() }
        return headNumbers.popFirst()
    }

    /// Gives a connection without memory for a request the memory another one has done with.
    func lendMemory(to request: inout HTTPRequest) {
        if !request.hasMemory { swap(&request, &spareRequest) }
    }

    /// Takes the memory of a request that is answered, for the next one on whatever connection.
    ///
    /// The limits of a head bound it; the body's is given back.
    func takeMemory(of request: inout HTTPRequest) {
        guard request.hasMemory else { return }
        request.sink = nil
        guard !spareRequest.hasMemory else {
            request = .empty
            return
        }
        if request.body.capacity > 0 { request.body = [] }
        swap(&request, &spareRequest)
    }
}

/// An answer that was made without a handler, for the access log.
package struct HTTPRefusedRequest: Equatable, Sendable {
    /// The status of the answer.
    package let status: HTTPStatus
    /// The name of the request, if the answer gives it one by the field X-Request-Id.
    package let requestID: String?
    /// The bytes of the answer's body that are sent.
    package let bodyBytes: Int
}
