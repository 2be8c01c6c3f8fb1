/// The limits of a connection: sizes, counts, times and rates.
///
/// The defaults suit a public list service. Each property names its range and the response when it
/// is exceeded. A server refuses to start with a value out of range.
public struct HTTPLimits: Sendable, Equatable {
    // MARK: Request line and fields

    /// Empty lines skipped before a request line.
    ///
    /// Default 2, 0...16. Exceeded: 400 and close (RFC 9112 §2.2).
    public var maximumEmptyLines = 2

    /// Bytes of a method.
    ///
    /// Default 32, 7...256. Exceeded: 501 and close.
    public var maximumMethodBytes = 32

    /// Bytes of a request line without its line end.
    ///
    /// Default 16 KiB, 8000...1 MiB. Exceeded: 414 and close (RFC 9112 §3).
    public var maximumRequestLineBytes = 16 * 1024

    /// Bytes of one field line without its line end.
    ///
    /// Default 16 KiB, 256...1 MiB. Exceeded: 431 and close (RFC 6585 §5).
    public var maximumFieldLineBytes = 16 * 1024

    /// Bytes of all field lines together, line ends included.
    ///
    /// Default 32 KiB, 1 KiB...4 MiB. Exceeded: 431 and close.
    public var maximumFieldSectionBytes = 32 * 1024

    /// Fields of one request.
    ///
    /// Default 128, 16...4096. Exceeded: 431 and close.
    public var maximumFields = 128

    /// Segments of a path.
    ///
    /// Default 64, 8...1024. Exceeded: no route matches, 404.
    public var maximumPathSegments = 64

    /// Bytes of a path after percent-decoding.
    ///
    /// Default 4 KiB, 256...64 KiB. Exceeded: no route matches, 404.
    public var maximumPathBytes = 4 * 1024

    // MARK: Body

    /// Bytes of a body after decoding.
    ///
    /// Default 1 MiB, 0...1 GiB. Exceeded: 413 and close, before reading if the length is declared.
    public var maximumBodyBytes = 1024 * 1024

    /// Bytes of a decoded body that a handler takes piece by piece with
    /// ``HTTPBodyDecision/hand(to:)``.
    ///
    /// Default 0, at most 1 TiB. With 0, no handler decides about bodies in chunks. Exceeded: 413
    /// and close.
    public var maximumHandedBodyBytes = 0

    var largestBodyBytes: Int { max(maximumBodyBytes, maximumHandedBodyBytes) }

    /// Bytes of a chunk-size line with its extensions, without its line end.
    ///
    /// Default 256, 16...16 KiB. Exceeded: 400 and close.
    public var maximumChunkLineBytes = 256

    /// Bytes of all chunk extensions of one body.
    ///
    /// Default 4 KiB, 0...64 KiB. Exceeded: 400 and close.
    public var maximumChunkExtensionBytes = 4 * 1024

    /// Bytes of all trailer field lines together, line ends included.
    ///
    /// Default 8 KiB, 0...64 KiB. Exceeded: 431 and close.
    public var maximumTrailerBytes = 8 * 1024

    /// Trailer fields of one body.
    ///
    /// Default 32, 0...1024. Exceeded: 431 and close.
    public var maximumTrailerFields = 32

    /// Bytes of an unused body that are read and dropped to keep the connection.
    ///
    /// Default 64 KiB, 0...1 MiB. Exceeded: the connection closes after the response.
    public var maximumDroppedBodyBytes = 64 * 1024

    // MARK: Connection

    /// Bytes of one read from the socket, and so the maximum of pipelined input that is held.
    ///
    /// Default 64 KiB, 4 KiB...1 MiB.
    public var receiveBufferBytes = 64 * 1024

    /// Bytes of responses to pipelined requests that are gathered before they are written.
    ///
    /// Default 64 KiB, 0...1 MiB. 0 writes every response by itself.
    public var maximumGatheredBytes = 64 * 1024

    /// Bytes of unsent responses of all clients in the process, in equal shares for all loops.
    ///
    /// Default 256 MiB, 1 MiB...1 TiB. Exceeded: the connection that has taken nothing for the
    /// longest time is reset.
    public var maximumUnsentBytes = 256 * 1024 * 1024

    /// Requests of one connection.
    ///
    /// Default 10 000, 1...1 000 000. The last response closes the connection.
    public var maximumRequestsPerConnection = 10_000

    /// Connections open at once in the process.
    ///
    /// Default nil: the process's limit of descriptors, less 64. At least 1.
    public var maximumConnections: Int?

    /// Connections one client address may have open at once.
    ///
    /// An IPv6 network of 64 bits counts as one address. Connections of Unix sockets are not
    /// counted.
    ///
    /// Default nil: any number, because behind a proxy all clients share its address. At least 1.
    /// Exceeded: the new connection is closed.
    public var maximumConnectionsPerAddress: Int?

    /// Endless streams, such as event streams, open at once in the process.
    ///
    /// They never exceed three quarters of the connections.
    ///
    /// Default 10 000, 1...1 000 000. Exceeded: 503 with Retry-After.
    public var maximumStreams = 10_000

    /// Endless streams that one client address may have open at once.
    ///
    /// Addresses count as for ``maximumConnectionsPerAddress``.
    ///
    /// Default nil: any number. At least 1. Exceeded: 503 with Retry-After.
    public var maximumStreamsPerAddress: Int?

    // MARK: Time

    /// The longest wait for the first byte of a request, after accepting and between requests.
    ///
    /// Default 30 s, 1 s...1 h. Exceeded: closed quietly.
    public var idleTimeout: Duration = .seconds(30)

    /// The longest wait for a complete request head, from its first byte.
    ///
    /// Default 10 s, 1 s...10 min. Exceeded: 408 and close (RFC 9110 §15.5.9).
    public var headTimeout: Duration = .seconds(10)

    /// The longest wait for a byte of a body, and the time after which its rate is checked.
    ///
    /// Default 10 s, 1 s...10 min. Exceeded: 408 and close.
    public var bodyTimeout: Duration = .seconds(10)

    /// The longest wait for the client to take a byte of a response.
    ///
    /// Default 20 s, 1 s...10 min. Exceeded: the connection is reset. The system's send queue is
    /// checked only when the time has passed, so that the reset may take twice as long.
    public var writeTimeout: Duration = .seconds(20)

    /// The time after which the rate of a response is checked.
    ///
    /// Default 30 s, 1 s...10 min.
    public var writeRateGrace: Duration = .seconds(30)

    /// The minimum average rate of a body and of a response, in bytes per second.
    ///
    /// Default 1024, 0...1 MiB; 0 sets no minimum. Not reached: as for `bodyTimeout` and
    /// `writeTimeout`.
    public var minimumBytesPerSecond = 1024

    /// The longest time a handler may take.
    ///
    /// Default 30 s, 1 s...1 h. Exceeded: 503 and close.
    public var handlerTimeout: Duration = .seconds(30)

    /// The longest time input is read and dropped after the last response.
    ///
    /// This keeps a reset from destroying the response in transit (RFC 9112 §9.6).
    ///
    /// Default 5 s, 0 s...1 min. Exceeded: closed.
    public var lingerTimeout: Duration = .seconds(5)

    /// Bytes of input read and dropped after the last response.
    ///
    /// Default 8 MiB, 0...1 GiB. Exceeded: closed.
    public var maximumLingerBytes = 8 * 1024 * 1024

    /// Creates the default limits.
    public init() {}
}

/// A limit whose value is out of range.
public struct HTTPLimitError: Error, Equatable {
    /// The property's name, as in `maximumFields`.
    public let name: String
    /// The value, with its unit when it is a time.
    public let value: String
    /// The range, in the same unit.
    public let allowed: String
}

extension HTTPLimits {
    /// Checks every limit against its range.
    ///
    /// - Throws: The first limit that is out of its range.
    public func validate() throws(HTTPLimitError) {
        let kibibyte = 1024
        let mebibyte = 1024 * kibibyte
        try check("maximumEmptyLines", maximumEmptyLines, 0...16)
        try check("maximumMethodBytes", maximumMethodBytes, 7...256)
        try check("maximumRequestLineBytes", maximumRequestLineBytes, 8000...mebibyte)
        try check("maximumFieldLineBytes", maximumFieldLineBytes, 256...mebibyte)
        try check("maximumFieldSectionBytes", maximumFieldSectionBytes, kibibyte...4 * mebibyte)
        try check("maximumFields", maximumFields, 16...4096)
        try check("maximumPathSegments", maximumPathSegments, 8...1024)
        try check("maximumPathBytes", maximumPathBytes, 256...64 * kibibyte)
        try check("maximumBodyBytes", maximumBodyBytes, 0...1024 * mebibyte)
        try check("maximumHandedBodyBytes", maximumHandedBodyBytes, 0...1024 * 1024 * mebibyte)
        try check("maximumChunkLineBytes", maximumChunkLineBytes, 16...16 * kibibyte)
        try check("maximumChunkExtensionBytes", maximumChunkExtensionBytes, 0...64 * kibibyte)
        try check("maximumTrailerBytes", maximumTrailerBytes, 0...64 * kibibyte)
        try check("maximumTrailerFields", maximumTrailerFields, 0...1024)
        try check("maximumDroppedBodyBytes", maximumDroppedBodyBytes, 0...mebibyte)
        try check("receiveBufferBytes", receiveBufferBytes, 4 * kibibyte...mebibyte)
        try check("maximumGatheredBytes", maximumGatheredBytes, 0...mebibyte)
        try check("maximumUnsentBytes", maximumUnsentBytes, mebibyte...1024 * 1024 * mebibyte)
        try check("maximumRequestsPerConnection", maximumRequestsPerConnection, 1...1_000_000)
        try check("maximumConnections", maximumConnections ?? 1, 1...Int.max)
        let perAddress = maximumConnectionsPerAddress ?? 1
        try check("maximumConnectionsPerAddress", perAddress, 1...Int.max)
        try check("maximumStreams", maximumStreams, 1...1_000_000)
        try check("maximumStreamsPerAddress", maximumStreamsPerAddress ?? 1, 1...Int.max)
        try check("minimumBytesPerSecond", minimumBytesPerSecond, 0...mebibyte)
        try check("maximumLingerBytes", maximumLingerBytes, 0...1024 * mebibyte)
        try check("idleTimeout", idleTimeout, 1...3600)
        try check("headTimeout", headTimeout, 1...600)
        try check("bodyTimeout", bodyTimeout, 1...600)
        try check("writeTimeout", writeTimeout, 1...600)
        try check("writeRateGrace", writeRateGrace, 1...600)
        try check("handlerTimeout", handlerTimeout, 1...3600)
        try check("lingerTimeout", lingerTimeout, 0...60)
    }

    private func check(
        _ name: String,
        _ value: Int,
        _ range: ClosedRange<Int>
    ) throws(HTTPLimitError) {
        guard !range.contains(value) else { return }
        throw HTTPLimitError(name: name, value: "\(value)", allowed: "\(range)")
    }

    private func check(
        _ name: String,
        _ value: Duration,
        _ seconds: ClosedRange<Int>
    ) throws(HTTPLimitError) {
        let range = Duration.seconds(seconds.lowerBound)...Duration.seconds(seconds.upperBound)
        guard !range.contains(value) else { return }
        throw HTTPLimitError(name: name, value: "\(value)", allowed: "\(seconds) seconds")
    }
}
