public import Bytes

/// Answers requests.
///
/// The server makes one instance per event loop and calls it from that loop's thread only, so it
/// may keep database connections, statements and buffers of its own without locks. A call must not
/// block for long: every connection of the loop waits meanwhile.
public protocol HTTPHandler: AnyObject {
    /// Fills the response to a complete request.
    ///
    /// - Parameters:
    ///   - request: The request, its body included; lent for the call.
    ///   - response: An empty answer of status 200. A HEAD request is answered as GET would be: the
    ///     server sends its Content-Length and leaves the body out.
    /// - Throws: Anything; the client gets a problem of status 500 and the error is logged.
    func respond(to request: borrowing HTTPRequest, with response: inout HTTPResponse) throws
}

/// Produces a body piece by piece.
///
/// Asked for the next piece only when the socket has taken the last, and released when the client
/// vanishes.
public protocol HTTPBodyStream: AnyObject {
    /// Appends the next piece.
    ///
    /// A piece may be of any size; a few kilobytes suit best. Pieces are gathered up to 16 KiB
    /// before they are sent, so a call may follow another at once.
    ///
    /// - Parameter buffer: What to append to; what it holds already must be left alone.
    /// - Returns: Whether there is more to come.
    /// - Throws: Anything; the connection is reset, so that no client takes the part for the whole.
    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState
}

/// Whether a body stream goes on.
public enum HTTPStreamState: Hashable, Sendable {
    /// Ask again. A piece that stays empty for ever keeps the loop busy for ever.
    case more
    /// The body is complete.
    case finished
}
