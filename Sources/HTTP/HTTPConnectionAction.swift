/// What a connection has to do next.
package enum HTTPConnectionAction: Hashable, Sendable {
    /// Wait for bytes, then report `bytesReceived` or `peerClosed`.
    case receive

    /// Let the handler answer `request`, then report `responseReady` or `handlerFailed`.
    case respond

    /// Write the output, reporting `bytesWritten`; when it is empty, report `outputDrained`.
    /// Nothing is read meanwhile.
    case write

    /// Send FIN after what was written (shut down the sending side), then go on as for `receive`:
    /// input is read and dropped until `close`, so that a reset does not destroy the last answer.
    case linger

    /// Close. Nothing is left to be sent.
    case close

    /// Close with a reset (SO_LINGER 0), so that nobody takes half an answer for a whole one.
    case abort

    /// Go on with what the last action said.
    case proceed
}
