import Bytes
import HTTP
import System

/// The senders of requests, and the settings that a reload replaces.
extension Middleware {
    /// Determines the sender of a request and the URL that its client used.
    ///
    /// - Returns: The URL parts as the client sees them; nil where no proxy or base path changes
    ///   them.
    /// - Throws: `ForwardedClient.Fault` for an invalid field of a trusted proxy.
    func findSender(
        of request: borrowing HTTPRequest
    ) throws(ForwardedClient.Fault) -> ExternalAddress? {
        guard !isDirect else {
            if peer != nil || sender.client != nil { sender = ForwardedClient(peer) }
            return nil
        }
        sender = try ForwardedClient(request, peer, settings.trustedProxies)
        return sender.externalAddress(settings.basePath)
    }

    /// Refuses a request with an invalid field of a trusted proxy.
    func refuse(
        _ fault: ForwardedClient.Fault,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        let start = MonotonicTime.now
        api.state.use(Address(under: settings.basePath))
        var context = RequestContext(api.state, id: RequestID.sent(with: request))
        let detail = "\(fault.field), as the proxy sent it, is not \(fault.allowed)."
        context.refuse(.malformedRequest, detail, request, with: &response)
        finish(&response, to: request, in: &context, since: start)
    }

    /// Adopts the settings of a reload.
    func adoptReload() {
        api.state.adoptReload()
        guard api.state.reloadGeneration != reloadGeneration, let new = api.state.reloads?.current
        else { return }
        reloadGeneration = api.state.reloadGeneration
        let hosts = settings.allowedHosts
        settings = new.middleware
        // The reload does not know the hosts of a server that listens on loopback only.
        settings.allowedHosts = new.middleware.allowedHosts ?? hosts
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        cache = ResponseCache(maximumBytes: api.state.options.pageCacheBytes)
        allowedHead = nil
        knownHost.removeAll()
    }
}
