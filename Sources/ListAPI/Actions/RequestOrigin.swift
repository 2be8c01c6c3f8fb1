import HTTP

/// A check for requests that a browser sends from a page of another site.
///
/// Browsers report the site by Sec-Fetch-Site (Fetch Metadata) or Origin (RFC 6454). Other clients
/// send neither field, and have no ambient credentials to abuse.
enum RequestOrigin {
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
        // A proxy that terminates TLS may not report it, so that only the names can be compared.
        return sender.name != receiver.lowercased() && sender.full != receiver.lowercased()
    }

    /// Nil for `null` and any other value that is not the origin of a page.
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
