import Bytes

/// How the end of an answer's body is known (RFC 9112 §6).
enum ResponseFraming: Equatable {
    /// There is no body, and nothing says how long one would be: 1xx, 204, 304.
    case absent
    /// Content-Length.
    case length(Int)
    /// Transfer-Encoding: chunked.
    case chunked
    /// The connection closes behind it.
    case untilClose
}

/// Writes the heads of answers and the frames of chunks.
enum ResponseEncoder {
    /// What the Connection field says.
    enum Connection: Equatable {
        /// Nothing: HTTP/1.1 keeps the connection.
        case kept
        /// `keep-alive`: HTTP/1.0 would close it.
        case keptForHTTP10
        /// `close`.
        case closes
    }

    /// Appends status line, fields and empty line.
    ///
    /// - Parameters:
    ///   - response: The answer; its body and stream are not looked at.
    ///   - framing: How the end of the body is known.
    ///   - connection: What happens to the connection afterwards.
    ///   - dateLine: The Date field line with its end; empty when the clock is not to be trusted.
    ///   - buffer: What to append to.
    static func writeHead(
        of response: borrowing HTTPResponse,
        framing: ResponseFraming,
        connection: Connection,
        dateLine: [UInt8],
        into buffer: inout ByteBuffer
    ) {
        let reason = response.status.reason
        let longest =
            longestOwnText + reason.utf8CodeUnitCount + dateLine.count + response.fieldLines.count
        buffer.append(atMost: longest) { head in
            head.append("HTTP/1.1 " as StaticString)
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

    /// The bytes that a head has at most besides reason, date and fields: room is made for them.
    private static let longestOwnText = 128

    /// Appends the line in front of a chunk's data.
    static func writeChunkLine(size: Int, into buffer: inout ByteBuffer) {
        buffer.append(hexadecimal: UInt64(size))
        buffer.append("\r\n")
    }
}
