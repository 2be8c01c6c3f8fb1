package import Bytes

/// Bytes on their way to the socket, in two pieces that leave by one gathered write.
///
/// One is reused by every connection of an event loop. When the socket does not take everything,
/// the connection keeps the output (the loop makes itself a new one) until it is drained.
package struct HTTPOutput: ~Copyable {
    /// What goes first: earlier pipelined answers whole, then the head of the last.
    package private(set) var head: ByteBuffer

    /// What follows: the body of the last answer, unless it is a kept one.
    package private(set) var body: ByteBuffer

    /// What follows instead, and stays where it is.
    private var kept: KeptBody?

    /// What comes last: a part of a file, sent once both pieces are.
    package private(set) var file: HTTPFilePart?

    /// How many of the bytes of the two pieces the socket has taken.
    private var sent = 0

    /// The second whose Date field line `dateLine` is.
    private var dateSecond: Int64?

    /// The Date field line, made once for all answers of a second.
    private var dateLine: [UInt8] = []

    private let place = InPlace()

    /// Creates an empty output.
    package init() {
        head = ByteBuffer(minimumCapacity: 1024)
        body = ByteBuffer(minimumCapacity: 1024)
    }

    /// The bytes the socket has not taken yet.
    package var count: Int { heldBytes - sent + (file?.count ?? 0) }

    /// The bytes of memory that wait to be sent, and those sent of the same pieces.
    package var heldBytes: Int { head.count + (kept?.count ?? body.count) }

    /// Whether only the part of a file is left to be sent.
    package var isAtFile: Bool { file != nil && sent == heldBytes }

    /// Whether the socket has taken everything.
    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes the socket has not taken yet, the first of the two pieces first.
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

    /// Forgets bytes the socket has taken, and empties the output when it has taken all.
    ///
    /// - Parameter written: 0...`count`.
    package mutating func removeFirst(_ written: Int) {
        precondition(written >= 0 && written <= count, "\(written) of \(count) bytes written")
        let inPieces = min(written, heldBytes - sent)
        sent += inPieces
        file?.removeFirst(written - inPieces)
        if isEmpty { removeAll() }
    }

    /// Forgets everything, and gives back memory that an unusually large answer took.
    ///
    /// - Parameter maximumCapacity: The bytes of memory that may stay with the body, or with the head.
    package mutating func removeAll(keepingAtMost maximumCapacity: Int = 256 * 1024) {
        head.removeAll(keepingAtMost: min(maximumCapacity, 128 * 1024))
        body.removeAll(keepingAtMost: maximumCapacity)
        kept = nil
        file = nil
        sent = 0
    }
}

extension HTTPOutput {
    /// Appends an answer: its head, and its body when the framing gives it a length.
    ///
    /// What the output holds already goes first. The response's body is exchanged for an empty
    /// buffer, not copied; a kept one stays where it is, until another answer follows.
    mutating func append(
        _ response: inout HTTPResponse,
        framing: ResponseFraming,
        connection: ResponseEncoder.Connection,
        sendsBody: Bool,
        at now: HTTPTime
    ) {
        joinPieces()
        renewDateLine(second: now.secondsSince1970)
        ResponseEncoder.writeHead(
            of: response,
            framing: framing,
            connection: connection,
            dateLine: dateLine,
            into: &head
        )
        guard sendsBody else { return }
        if let part = response.file.take() {
            if part.count > 0 { file = part }
        } else if let body = response.keptBody.take() {
            kept = body
        } else {
            swap(&body, &response.body)
        }
    }

    /// Appends an interim answer that lets the client send its body (RFC 9110 §10.1.1).
    mutating func appendContinue() {
        joinPieces()
        head.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// Appends one piece of a body, read from its stream.
    ///
    /// Pieces are gathered up to 16 KiB; an empty one is asked for again.
    ///
    /// - Returns: Whether the stream is finished, and so the body complete.
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

    /// Moves the second piece behind the first, so that another answer can follow.
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
