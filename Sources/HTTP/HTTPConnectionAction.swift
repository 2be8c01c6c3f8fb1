package enum HTTPConnectionAction: Hashable, Sendable {
    /// Wait for bytes, then report `bytesReceived` or `peerClosed`.
    case receive

    /// Let the handler decide about an announced body, then report `bodyAdmitted`.
    ///
    /// For a response that does not depend on the body, report `responseReady` or `handlerFailed`.
    case admit

    /// Let the handler respond to `request`, then report `responseReady` or `handlerFailed`.
    ///
    /// Or report `responseDeferred` first, and one of the two later.
    case respond

    case waitForResponse

    /// Write the output and report `bytesWritten`, or `outputDrained` when it is empty.
    ///
    /// Nothing is read meanwhile.
    case write

    /// Wait until the body stream is woken, then report `streamReady`.
    ///
    /// Input is watched meanwhile, so that the loop notices a client that disconnects.
    case waitForStream

    /// Shut down the sending side after the written bytes (FIN), then proceed as for `receive`.
    ///
    /// Input is read and dropped until `close`, so that a reset does not destroy the last response.
    case linger

    case close

    /// Close with a reset (SO_LINGER 0), so that no client takes half a response for a whole one.
    case abort

    case proceed
}
