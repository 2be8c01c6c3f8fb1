import Bytes
import HTTP
import System

/// The senders of requests, and the settings that a reload replaces.
extension Gateway {
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
        service.addresses = Address(under: settings.basePath)
        service.beginRequest(named: RequestID.sent(with: request))
        let detail = "\(fault.field), as the proxy sent it, is not \(fault.allowed)."
        service.refuse(.malformedRequest, detail, request, with: &response)
        finish(&response, to: request, since: start)
    }

    /// Adopts the settings of a reload.
    func adoptReload() {
        service.adoptReload()
        guard service.reloadGeneration != reloadGeneration, let new = service.reloads?.current
        else { return }
        reloadGeneration = service.reloadGeneration
        let hosts = settings.allowedHosts
        settings = new.gateway
        // The reload does not know the hosts of a server that listens on loopback only.
        settings.allowedHosts = new.gateway.allowedHosts ?? hosts
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        cache = ResponseCache(maximumBytes: service.options.pageCacheBytes)
        allowedHead = nil
        knownHost.removeAll()
    }
}
