/// What a connection has to do next.
package enum HTTPConnectionAction: Hashable, Sendable {
    /// Wait for bytes, then report `bytesReceived` or `peerClosed`.
    case receive

    /// Ask the handler whether it will read the body that is announced, then report `bodyAdmitted`,
    /// or `responseReady` or `handlerFailed` for an answer that does not depend on it.
    case admit

    /// Let the handler answer `request`, then report `responseReady` or `handlerFailed`; or
    /// `answerDeferred`, and one of the two later.
    case respond

    /// Wait until the answer is made that was deferred, or its next piece. Nothing is read meanwhile.
    case waitForAnswer

    /// Write the output, reporting `bytesWritten`; when it is empty, report `outputDrained`.
    /// Nothing is read meanwhile.
    case write

    /// Wait until the body stream is woken, then report `streamReady`. Input is watched meanwhile, so
    /// that a client that leaves is noticed.
    case waitForStream

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
