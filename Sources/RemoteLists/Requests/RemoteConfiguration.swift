/// The configuration of a server and of the requests to it.
public struct RemoteConfiguration: Sendable {
    /// The limits for an upstream.
    ///
    /// A response that exceeds one is rejected.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of a response, in bytes of its decoded body.
        ///
        /// Default 64 MiB.
        public var maximumResponseBytes = 64 << 20
        /// The maximum number of bytes of all pages of one refresh.
        ///
        /// Default 256 MiB.
        public var maximumTotalBytes = 256 << 20
        /// The maximum number of pages of one refresh.
        ///
        /// Default 10,000.
        public var maximumPages = 10_000
        /// The maximum time after which a refresh may still read a further page.
        ///
        /// Default 10 min.
        public var maximumDuration = Duration.seconds(600)
        /// The maximum number of redirects of one request.
        ///
        /// Default 5.
        public var maximumRedirects = 5

        /// The minimum time from the end of a refresh to the next one that a client requests.
        ///
        /// Default 5 s. The pause is at least twice the refresh's duration, and longer after
        /// failures.
        public var shortestPause = Duration.seconds(5)

        /// Creates the default limits.
        public init() {}
    }

    /// The allowed targets of redirects and links to further pages.
    ///
    /// Targets must use `http` or `https`, and never `http` after `https`. An upstream that may
    /// redirect anywhere could read private addresses through this process (server-side request
    /// forgery). ``Reach/anyHost`` is for trusted upstreams only, because host names are not
    /// resolved and checked.
    public enum Reach: Hashable, Sendable {
        /// The configured host and port. From `http`, `https` on the same host is allowed too.
        case sameHost
        /// Any host. The fields of configuration and endpoint are not sent to other hosts.
        case anyHost
    }

    /// The treatment of rows with the same id.
    public enum RepeatedIDs: Hashable, Sendable {
        /// The refresh fails with ``RemoteError/repeatedID(_:first:second:)``.
        case refused
        /// The first row is used. The others are counted and logged.
        case firstKept
    }

    /// The base address of all endpoints.
    public var address: RemoteAddress
    /// The fields sent with every request, for example Authorization.
    public var fields: [RemoteField]
    /// The maximum time for one response, unless the endpoint sets its own.
    ///
    /// Default 60 s.
    public var timeout = Duration.seconds(60)
    /// The limits for responses.
    public var limits = Limits()
    /// The method to find the next page.
    ///
    /// Default ``Paging/links``.
    public var paging = Paging.links
    /// The allowed targets of redirects and links to further pages.
    ///
    /// Default ``Reach/sameHost``.
    public var reach = Reach.sameHost
    /// The treatment of rows with the same id.
    ///
    /// Default ``RepeatedIDs/refused``.
    public var repeatedIDs = RepeatedIDs.refused
    /// The stub that replaces the server, or nil to request the server.
    public var stub: RemoteStub?
    /// The log of requests and responses.
    ///
    /// Default ``RemoteLog/failures``.
    public var log = RemoteLog.failures

    /// Creates the configuration of a server.
    public init(_ address: RemoteAddress, fields: [RemoteField] = []) {
        self.address = address
        self.fields = fields
    }
}

extension RemoteConfiguration {
    func permits(_ target: RemoteAddress, from address: RemoteAddress) -> Bool {
        if address.scheme == .https, target.scheme == .http { return false }
        switch reach {
        case .anyHost: return true
        case .sameHost:
            if target.isSameOrigin(as: address) { return true }
            // Servers may redirect from http to https at their standard ports.
            return target.host == address.host && address.scheme == .http
                && target.scheme == .https && address.port == 80 && target.port == 443
        }
    }
}

/// The method to find the next page of a list.
public enum Paging: Hashable, Sendable {
    /// By links: a Link field with `rel="next"` (RFC 8288), else `links.next`, `_links.next.href`
    /// or `next` in the body. Without any of them the list ends.
    case links
    /// By page number, until a page has fewer than `size` rows.
    case numbers(parameter: String, first: Int, sizeParameter: String?, size: Int)
    /// By the number of preceding rows, until a page has fewer than `size` rows.
    case offsets(parameter: String, sizeParameter: String?, size: Int)
    /// One page only. Links in the response are ignored.
    case single

    /// Pages count from 0.
    func items(ofPage page: Int) -> [Endpoint.QueryItem] {
        switch self {
        case .links, .single: []
        case .numbers(let parameter, let first, let sizeParameter, let size):
            [Endpoint.QueryItem(parameter, "\(first + page)")]
                + (sizeParameter.map { [Endpoint.QueryItem($0, "\(size)")] } ?? [])
        case .offsets(let parameter, let sizeParameter, let size):
            [Endpoint.QueryItem(parameter, "\(page * size)")]
                + (sizeParameter.map { [Endpoint.QueryItem($0, "\(size)")] } ?? [])
        }
    }

    /// The number of rows of a full page, or nil if the response says whether another follows.
    var size: Int? {
        switch self {
        case .links, .single: nil
        case .numbers(_, _, _, let size), .offsets(_, _, let size): size
        }
    }
}
