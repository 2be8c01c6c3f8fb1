import Bytes
import HTTP
import Sockets

/// The senders of requests, and the settings that a reload replaces.
extension Gateway {
    /// Finds out who sends a request, and how its client has addressed it.
    ///
    /// - Returns: The address as the client sees it; nil for a request that came as it was sent.
    /// - Throws: `ProxiedSender.Fault`.
    func findSender(
        of request: borrowing HTTPRequest
    ) throws(ProxiedSender.Fault) -> ExternalAddress? {
        guard !isDirect else {
            if peer != nil || sender.client != nil { sender = ProxiedSender(peer) }
            return nil
        }
        sender = try ProxiedSender(request, peer, settings.trustedProxies)
        return sender.externalAddress(settings.basePath)
    }

    /// Refuses a request whose proxy says what cannot be read.
    func refuse(
        _ fault: ProxiedSender.Fault,
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

    /// Adopts what a reload has replaced.
    func adoptReload() {
        service.adoptReload()
        guard service.reloadGeneration != reloadGeneration, let new = service.reloads?.current
        else { return }
        reloadGeneration = service.reloadGeneration
        let hosts = settings.allowedHosts
        settings = new.gateway
        // The hosts of a server of this machine are known to its loops alone.
        settings.allowedHosts = new.gateway.allowedHosts ?? hosts
        isDirect = settings.trustedProxies.isEmpty && settings.basePath.isRoot
        cache = ResponseCache(maximumBytes: service.options.pageCacheBytes)
        allowedHead = nil
        knownHost.removeAll()
    }
}
