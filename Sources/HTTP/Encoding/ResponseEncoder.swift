package import Bytes

/// The framing of a response's body (RFC 9112 §6).
enum ResponseFraming: Equatable {
    /// There is no body, and no field states a length: 1xx, 204, 304.
    case absent
    case length(Int)
    case chunked
    /// The connection closes after it.
    case untilClose
}

enum ResponseEncoder {
    enum Connection: Equatable {
        /// No field: HTTP/1.1 keeps the connection.
        case kept
        /// `keep-alive`, because HTTP/1.0 would close the connection.
        case keptForHTTP10
        case closes
    }

    /// Appends the head: status line, fields and empty line.
    ///
    /// The body and the stream of the response are not read. `dateLine` has its end, and is empty
    /// if the clock is not reliable. The name of the protocol is omitted if it was sent before.
    static func writeHead(
        of response: borrowing HTTPResponse,
        isBegun: Bool,
        framing: ResponseFraming,
        connection: Connection,
        dateLine: [UInt8],
        into buffer: inout ByteBuffer
    ) {
        let reason = response.status.reason
        let longest =
            longestOwnText + reason.utf8CodeUnitCount + dateLine.count + response.fieldLines.count
        buffer.append(atMost: longest) { head in
            if !isBegun { head.append(protocolName) }
            head.append(decimal: UInt64(response.status.code))
            head.append(UInt8.space)
            head.append(reason)
            head.append("\r\n" as StaticString)
            head.append(dateLine.span)
            head.append(0..<response.fieldLines.count, of: response.fieldLines)
            switch framing {
            case .absent, .untilClose: break
            case .length(let length):
                head.append("Content-Length: " as StaticString)
                head.append(decimal: UInt64(length))
                head.append("\r\n" as StaticString)
            case .chunked: head.append("Transfer-Encoding: chunked\r\n" as StaticString)
            }
            switch connection {
            case .kept: break
            case .keptForHTTP10: head.append("Connection: keep-alive\r\n" as StaticString)
            case .closes: head.append("Connection: close\r\n" as StaticString)
            }
            head.append("\r\n" as StaticString)
        }
    }

    /// The first bytes of every response, also of one to HTTP/1.0 (RFC 9110 §2.5).
    static let protocolName: StaticString = "HTTP/1.1 "

    /// The maximum bytes of a head besides reason, date and fields, for the reservation.
    private static let longestOwnText = 128

    static func writeChunkLine(size: Int, into buffer: inout ByteBuffer) {
        buffer.append(hexadecimal: UInt64(size))
        buffer.append("\r\n")
    }
}

/// Bytes for the socket, in two pieces that are sent by one gathered write.
///
/// All connections of an event loop reuse one output. If the socket does not take everything, the
/// connection holds the output until it is drained. The loop then makes a new one.
package struct HTTPOutput: ~Copyable {
    /// The first piece: complete earlier pipelined responses, then the head of the last one.
    package private(set) var head: ByteBuffer

    /// The second piece: the body of the last response, unless that body is shared.
    package private(set) var body: ByteBuffer

    /// A shared body that is sent instead of `body`, without a copy.
    private var kept: SharedBody?

    /// A part of a file, sent after both pieces.
    package private(set) var file: HTTPFilePart?

    private var sent = 0

    private var dateSecond: Int64?

    /// Made once for all responses of a second.
    private var dateLine: [UInt8] = []

    private let addressOnly = AddressOnly()

    package init() {
        head = ByteBuffer(minimumCapacity: 1024)
        body = ByteBuffer(minimumCapacity: 1024)
    }

    /// Those that the socket has not taken yet.
    package var count: Int { heldBytes - sent + (file?.count ?? 0) }

    /// Includes bytes already sent.
    package var heldBytes: Int { head.count + (kept?.count ?? body.count) }

    package var isAtFile: Bool { file != nil && sent == heldBytes }

    package var isEmpty: Bool { count == 0 }

    /// Passes the bytes that the socket has not taken yet.
    ///
    /// Either piece may be empty.
    package borrowing func withPieces<R, E: Error>(
        _ write: (borrowing Span<UInt8>, borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let sentOfHead = min(sent, head.count)
        let sentOfBody = sent - sentOfHead
        return try head.withBytes { (head) throws(E) in
            if let kept {
                return try kept.bytes.withBytes { (body) throws(E) in
                    try write(head.extracting(sentOfHead...), body.extracting(sentOfBody...))
                }
            }
            return try body.withBytes { (body) throws(E) in
                try write(head.extracting(sentOfHead...), body.extracting(sentOfBody...))
            }
        }
    }

    /// Removes bytes that the socket has taken, and empties the output when it has taken all.
    ///
    /// - Parameter written: 0...`count`.
    package mutating func removeFirst(_ written: Int) {
        precondition(written >= 0 && written <= count, "\(written) of \(count) bytes written")
        let inPieces = min(written, heldBytes - sent)
        sent += inPieces
        file?.removeFirst(written - inPieces)
        if isEmpty { removeAll() }
    }

    /// Removes everything, and frees the memory of an unusually large response.
    ///
    /// The capacity is that of the body, or of the head.
    package mutating func removeAll(keepingAtMost maximumCapacity: Int = 256 * 1024) {
        head.removeAll(keepingAtMost: min(maximumCapacity, 128 * 1024))
        body.removeAll(keepingAtMost: maximumCapacity)
        kept = nil
        file = nil
        sent = 0
    }
}

extension HTTPOutput {
    /// Appends the head of a response, and its body if the framing gives it a length.
    ///
    /// Bytes in the output come first. The response's body is exchanged for an empty buffer, not
    /// copied. A shared body is not copied either, until another response follows.
    mutating func append(
        _ response: inout HTTPResponse,
        isBegun: Bool,
        framing: ResponseFraming,
        connection: ResponseEncoder.Connection,
        sendsBody: Bool,
        at now: HTTPTime
    ) {
        joinPieces()
        renewDateLine(second: now.secondsSince1970)
        ResponseEncoder.writeHead(
            of: response,
            isBegun: isBegun,
            framing: framing,
            connection: connection,
            dateLine: dateLine,
            into: &head
        )
        guard sendsBody else { return }
        if let part = response.file.take() {
            if part.count > 0 { file = part }
        } else if let body = response.sharedBody.take() {
            kept = body
        } else {
            swap(&body, &response.body)
        }
    }

    /// Appends an interim response, after which the client sends its body (RFC 9110 §10.1.1).
    mutating func appendContinue() {
        joinPieces()
        head.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// Appends the name of the protocol, with which the head of every response begins.
    mutating func beginHead() {
        joinPieces()
        head.append(ResponseEncoder.protocolName)
    }

    /// Appends one piece of a body, read from its stream.
    ///
    /// Pieces are gathered up to 16 KiB. After an empty piece the stream is read again.
    ///
    /// - Returns: The state of the stream. The body is complete with `.finished`.
    mutating func appendPiece(
        of stream: any HTTPBodyStream,
        isChunked: Bool
    ) throws -> HTTPStreamState {
        precondition(body.isEmpty, "\(body.count) bytes wait before the piece")
        var streamState: HTTPStreamState
        repeat {
            streamState = try stream.write(into: &body)
        } while streamState == .more && body.count < Self.pieceBytes
        guard isChunked else { return streamState }
        if !body.isEmpty {
            ResponseEncoder.writeChunkLine(size: body.count, into: &head)
            body.append("\r\n")
        }
        if streamState == .finished { body.append("0\r\n\r\n") }
        return streamState
    }

    private static let pieceBytes = 16 * 1024

    /// Moves the second piece after the first, so that another response can follow.
    private mutating func joinPieces() {
        if let kept = kept.take() {
            head.append(kept.bytes)
        } else if !body.isEmpty {
            head.append(body)
            body.removeAll()
        }
    }

    private mutating func renewDateLine(second: Int64) {
        guard dateSecond != second else { return }
        dateSecond = second
        dateLine.removeAll(keepingCapacity: true)
        guard let date = HTTPDate(secondsSince1970: second) else { return }
        var line = ByteBuffer(minimumCapacity: 64)
        line.append("Date: ")
        date.write(into: &line)
        line.append("\r\n")
        dateLine = line.array()
    }
}
