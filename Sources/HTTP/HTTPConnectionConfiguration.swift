/// Limits and the pooled request memory shared by the connections of one event loop.
package final class HTTPConnectionConfiguration {
    /// The limits of every connection.
    let limits: HTTPLimits

    /// Fills the responses that the server makes itself; nil fills in a problem document.
    let refuse: ((ProtocolErrorResponse, inout HTTPResponse) -> Void)?

    /// The responses made without a handler that the access log has not read, oldest first.
    private var refusals: [HTTPRefusedRequest] = []

    private let takeHeadNumbers: (() -> Range<UInt64>)?

    /// The numbers that no head has yet.
    private var headNumbers: Range<UInt64> = 0..<0

    /// Memory for a request, while no connection uses it; empty otherwise.
    private(set) var spareRequest = HTTPRequest.empty

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - limits: The limits of every connection.
    ///   - takeHeadNumbers: Returns numbers for heads, each unique in the process; nil numbers no
    ///     heads.
    ///   - refuse: Fills an empty response for a refusal. Its status replaces any that the closure
    ///     sets.
    package init(
        limits: HTTPLimits,
        takeHeadNumbers: (() -> Range<UInt64>)? = nil,
        refuse: ((ProtocolErrorResponse, inout HTTPResponse) -> Void)? = nil
    ) {
        self.limits = limits
        self.takeHeadNumbers = takeHeadNumbers
        self.refuse = refuse
    }

    /// Notes a response made without a handler.
    func note(_ refusal: HTTPRefusedRequest) { refusals.append(refusal) }

    /// Takes the oldest response made without a handler since the last call; nil without one.
    package func takeRefusal() -> HTTPRefusedRequest? {
        refusals.isEmpty ? nil : refusals.removeFirst()
    }

    /// Returns the number of a head that was read.
    func numberHead() -> UInt64? {
        if headNumbers.isEmpty, let takeHeadNumbers { headNumbers = takeHeadNumbers() }
        return headNumbers.popFirst()
    }

    /// Lends the pooled request memory to a connection without any.
    func lendMemory(to request: inout HTTPRequest) {
        if !request.hasMemory { swap(&request, &spareRequest) }
    }

    /// Takes the memory of a request after its response, for the next request of any connection.
    ///
    /// The limits of a head bound this memory. The memory of the body is freed.
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

/// A response that was made without a handler, for the access log.
package struct HTTPRefusedRequest: Equatable, Sendable {
    /// The status of the response.
    package let status: HTTPStatus
    /// The name of the request, if the response has a field X-Request-Id.
    package let requestID: String?
    /// The bytes of the response's body that are sent.
    package let bodyBytes: Int
}

/// The time of an event by two clocks: one for deadlines, one for the Date field.
///
/// Code without side effects reads no clock, so the caller passes the time of each event. One
/// reading serves all events of a loop's iteration.
package struct HTTPTime: Sendable, Hashable {
    /// The wall clock, in whole seconds since 1970-01-01 00:00:00 UTC.
    package var secondsSince1970: Int64

    /// The monotonic time since a reference that is the same for the whole process.
    ///
    /// It is a duration, because an instant's layout is unknown to the compiler, which makes it
    /// slow.
    var elapsed: Duration

    /// The reference of `elapsed`.
    private static let reference: ContinuousClock.Instant = .now

    package init(monotonic: ContinuousClock.Instant, secondsSince1970: Int64) {
        elapsed = Self.reference.duration(to: monotonic)
        self.secondsSince1970 = secondsSince1970
    }

    package var monotonic: ContinuousClock.Instant {
        get { Self.instant(elapsed) }
        set { elapsed = Self.reference.duration(to: newValue) }
    }

    /// Returns the instant for a time since the reference.
    static func instant(_ elapsed: Duration) -> ContinuousClock.Instant {
        reference.advanced(by: elapsed)
    }
}
