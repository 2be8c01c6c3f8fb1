import HTTP

/// Tells whether a browser sends a request for a page of somebody else's.
///
/// Browsers say so by Sec-Fetch-Site (Fetch Metadata) or Origin (RFC 6454); programs send neither
/// and carry nobody's rights but their own.
enum RequestOrigin {
    /// Whether the request comes from a page that is not this service's.
    static func isForeign(_ request: borrowing HTTPRequest) -> Bool {
        if let site = request.field("Sec-Fetch-Site") {
            return site != "same-origin" && site != "none"
        }
        guard let origin = request.field(.origin) else { return false }
        guard let sender = authority(of: origin), let receiver = request.authority else {
            return true
        }
        if let scheme = request.external?.scheme, !origin.lowercased().hasPrefix("\(scheme)://") {
            return true
        }
        // Behind an ingress that speaks TLS and does not say so only the names can be compared.
        return sender.name != receiver.lowercased() && sender.full != receiver.lowercased()
    }

    /// The host and port of an origin: without a port that goes without saying, and with it; nil for
    /// `null` and everything else that is no origin of a page.
    private static func authority(of origin: String) -> (name: String, full: String)? {
        let lower = origin.lowercased()
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
        where lower.hasPrefix(scheme) {
            let name = String(lower.dropFirst(scheme.count))
            return (name, name + port)
        }
        return nil
    }
}
