import Bytes

/// The framing of a response's body (RFC 9112 §6).
enum ResponseFraming: Equatable {
    /// There is no body, and no field states a length: 1xx, 204, 304.
    case absent
    /// Content-Length.
    case length(Int)
    /// Transfer-Encoding: chunked.
    case chunked
    /// The connection closes after it.
    case untilClose
}

/// An encoder of response heads and of chunk frames.
enum ResponseEncoder {
    /// The content of the Connection field.
    enum Connection: Equatable {
        /// No field: HTTP/1.1 keeps the connection.
        case kept
        /// `keep-alive`, because HTTP/1.0 would close the connection.
        case keptForHTTP10
        /// `close`.
        case closes
    }

    /// Appends status line, fields and empty line.
    ///
    /// - Parameters:
    ///   - response: The response. Its body and stream are not read.
    ///   - framing: The framing of the body.
    ///   - connection: The content of the Connection field.
    ///   - dateLine: The Date field line with its end; empty if the clock is not reliable.
    ///   - buffer: The buffer to append to.
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

    /// The maximum bytes of a head besides reason, date and fields, for the reservation.
    private static let longestOwnText = 128

    /// Appends the line before a chunk's data.
    static func writeChunkLine(size: Int, into buffer: inout ByteBuffer) {
        buffer.append(hexadecimal: UInt64(size))
        buffer.append("\r\n")
    }
}
