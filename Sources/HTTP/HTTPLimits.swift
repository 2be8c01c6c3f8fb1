/// Every bound a connection is held to: sizes, counts, times and rates.
///
/// The defaults suit a public list service; each property says its range and what a client gets
/// that passes it. A server refuses to start with a value out of its range.
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
    /// Default 64, 8...1024. Exceeded: the path leads nowhere, 404.
    public var maximumPathSegments = 64

    /// Bytes of a path after percent-decoding.
    ///
    /// Default 4 KiB, 256...64 KiB. Exceeded: the path leads nowhere, 404.
    public var maximumPathBytes = 4 * 1024

    // MARK: Body

    /// Bytes of a body after decoding.
    ///
    /// Default 1 MiB, 0...1 GiB. Exceeded: 413 and close, before reading when the length is
    /// declared.
    public var maximumBodyBytes = 1024 * 1024

    /// Bytes of a body after decoding that a handler takes piece by piece, as
    /// ``HTTPBodyDecision/hand(to:)`` lets it.
    ///
    /// Default 0, at most 1 TiB; with 0 no handler is asked about bodies in chunks. Exceeded: 413 and
    /// close.
    public var maximumHandedBodyBytes = 0

    /// The longest body that anybody takes.
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

    /// Bytes of a body that are read and dropped to keep the connection when the answer does not
    /// depend on them.
    ///
    /// Default 64 KiB, 0...1 MiB. Exceeded: the connection closes after the answer.
    public var maximumDroppedBodyBytes = 64 * 1024

    // MARK: Connection

    /// Bytes read from the socket at once, and so the most pipelined input that is held.
    ///
    /// Default 64 KiB, 4 KiB...1 MiB.
    public var receiveBufferBytes = 64 * 1024

    /// Bytes of answers to pipelined requests that are gathered before they are written.
    ///
    /// Default 64 KiB, 0...1 MiB. 0 writes every answer by itself.
    public var maximumGatheredBytes = 64 * 1024

    /// Bytes of answers that clients have not taken yet, held in the process for all of them; each
    /// loop has its share.
    ///
    /// Default 256 MiB, 1 MiB...1 TiB. Exceeded: the connection that has taken nothing for the
    /// longest is reset.
    public var maximumUnsentBytes = 256 * 1024 * 1024

    /// Requests answered on one connection.
    ///
    /// Default 10 000, 1...1 000 000. The last answer says close.
    public var maximumRequestsPerConnection = 10_000

    /// Connections open at once in the process.
    ///
    /// Default nil: what the process may open as descriptors, less 64. At least 1.
    public var maximumConnections: Int?

    /// Connections one client address may have open at once; of IPv6 a network of 64 bits counts as
    /// one address, of Unix sockets none is counted.
    ///
    /// Default nil: any number, as behind a proxy all clients have its address. At least 1.
    /// Exceeded: the new connection is closed.
    public var maximumConnectionsPerAddress: Int?

    /// Streams without an end, as of events, open at once in the process; never more than three
    /// quarters of the connections.
    ///
    /// Default 10 000, 1...1 000 000. Exceeded: 503 with Retry-After.
    public var maximumStreams = 10_000

    /// Streams without an end that one client address may have open at once; what an address is, is
    /// said of ``maximumConnectionsPerAddress``.
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

    /// The longest wait for a byte of a body, and the time after which its rate is looked at.
    ///
    /// Default 10 s, 1 s...10 min. Exceeded: 408 and close.
    public var bodyTimeout: Duration = .seconds(10)

    /// The longest wait for the client to take a byte of an answer.
    ///
    /// Default 20 s, 1 s...10 min. Exceeded: the connection is reset.
    public var writeTimeout: Duration = .seconds(20)

    /// The time after which the rate of an answer is looked at.
    ///
    /// Default 30 s, 1 s...10 min.
    public var writeRateGrace: Duration = .seconds(30)

    /// The least average rate of a body and of an answer, in bytes per second.
    ///
    /// Default 1024, 0...1 MiB; 0 asks for none. Not reached: as `bodyTimeout` and `writeTimeout`.
    public var minimumBytesPerSecond = 1024

    /// The longest time a handler may take.
    ///
    /// Default 30 s, 1 s...1 h. Exceeded: 503 and close.
    public var handlerTimeout: Duration = .seconds(30)

    /// The longest time input is read and dropped after the last answer, so that a reset does not
    /// destroy that answer on its way (RFC 9112 §9.6).
    ///
    /// Default 5 s, 0 s...1 min. Exceeded: closed.
    public var lingerTimeout: Duration = .seconds(5)

    /// Bytes of input read and dropped after the last answer.
    ///
    /// Default 8 MiB, 0...1 GiB. Exceeded: closed.
    public var maximumLingerBytes = 8 * 1024 * 1024

    /// Creates the default limits.
    public init() {}
}
