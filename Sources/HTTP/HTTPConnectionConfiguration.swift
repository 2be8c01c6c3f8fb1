/// Limits and the pooled request memory shared by the connections of one event loop.
package final class HTTPConnectionConfiguration {
    let limits: HTTPLimits

    /// Fills the responses that the server makes itself; nil fills in a problem document.
    let refuse: ((ProtocolErrorResponse, inout HTTPResponse) -> Void)?

    /// Those that the access log has not read, oldest first.
    private var refusals: [HTTPRefusedRequest] = []

    private let takeHeadNumbers: (() -> Range<UInt64>)?

    private var headNumbers: Range<UInt64> = 0..<0

    /// Memory for a request, while no connection uses it; empty otherwise.
    private(set) var spareRequest = HTTPRequest.empty

    /// `takeHeadNumbers` returns numbers that are unique in the process; nil numbers no heads.
    ///
    /// `refuse` fills an empty response. Its status replaces any that the closure sets.
    package init(
        limits: HTTPLimits,
        takeHeadNumbers: (() -> Range<UInt64>)? = nil,
        refuse: ((ProtocolErrorResponse, inout HTTPResponse) -> Void)? = nil
    ) {
        self.limits = limits
        self.takeHeadNumbers = takeHeadNumbers
        self.refuse = refuse
    }

    func note(_ refusal: HTTPRefusedRequest) { refusals.append(refusal) }

    /// Oldest first; nil without one since the last call.
    package func takeRefusal() -> HTTPRefusedRequest? {
        refusals.isEmpty ? nil : refusals.removeFirst()
    }

    func numberHead() -> UInt64? {
        if headNumbers.isEmpty, let takeHeadNumbers { headNumbers = takeHeadNumbers() }
        return headNumbers.popFirst()
    }

    /// Does nothing if the request has memory.
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

package struct HTTPRefusedRequest: Equatable, Sendable {
    package let status: HTTPStatus
    /// Nil unless the response has a field X-Request-Id.
    package let requestID: String?
    package let bodyBytes: Int
}

/// The time of an event by two clocks: one for deadlines, one for the Date field.
///
/// Code without side effects reads no clock, so the caller passes the time of each event. One
/// reading serves all events of a loop's iteration.
package struct HTTPTime: Sendable, Hashable {
    package var secondsSince1970: Int64

    /// The monotonic time since a reference that is the same for the whole process.
    ///
    /// It is a duration, because an instant's layout is unknown to the compiler, which makes it
    /// slow.
    var elapsed: Duration

    private static let reference: ContinuousClock.Instant = .now

    package init(monotonic: ContinuousClock.Instant, secondsSince1970: Int64) {
        elapsed = Self.reference.duration(to: monotonic)
        self.secondsSince1970 = secondsSince1970
    }

    package var monotonic: ContinuousClock.Instant {
        get { Self.instant(elapsed) }
        set { elapsed = Self.reference.duration(to: newValue) }
    }

    static func instant(_ elapsed: Duration) -> ContinuousClock.Instant {
        reference.advanced(by: elapsed)
    }
}
