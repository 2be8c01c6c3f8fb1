/// A server and how it is asked.
public struct RemoteConfiguration: Sendable {
    /// How much an upstream may send; what is past a limit is refused.
    public struct Limits: Hashable, Sendable {
        /// The largest answer, in bytes of its decoded body.
        ///
        /// Default 64 MiB.
        public var maximumResponseBytes = 64 << 20
        /// The most bytes of all pages of one refresh.
        ///
        /// Default 256 MiB.
        public var maximumTotalBytes = 256 << 20
        /// The most pages of one refresh.
        ///
        /// Default 10,000.
        public var maximumPages = 10_000
        /// The longest time after which a refresh still goes on to a further page.
        ///
        /// Default 10 min.
        public var maximumDuration = Duration.seconds(600)
        /// The most redirects of one request.
        ///
        /// Default 5.
        public var maximumRedirects = 5

        /// The shortest time from the end of a refresh to the beginning of another one that a client
        /// asks for.
        ///
        /// Default 5 s. At least twice as long as the refresh took, and longer after failures.
        public var shortestPause = Duration.seconds(5)

        /// Creates the limits of nothing said.
        public init() {}
    }

    /// Where redirects and links to further pages may lead.
    ///
    /// Always to `http` or `https`, and never from `https` to `http`. An upstream that may send this
    /// process anywhere could have it read what only this machine can reach (server-side request
    /// forgery); names are not resolved and compared here, so ``Reach/anyHost`` is for upstreams one
    /// trusts with that.
    public enum Reach: Hashable, Sendable {
        /// To the host and port that were named; from `http` also to `https` on the same host.
        case sameHost
        /// Anywhere; the fields of configuration and endpoint are then left out.
        case anyHost
    }

    /// What is done when two rows have one id.
    public enum RepeatedIDs: Hashable, Sendable {
        /// The refresh fails with ``RemoteError/repeatedID(_:first:second:)``.
        case refused
        /// The first row is kept, and the others are counted and logged.
        case firstKept
    }

    /// The address that endpoints stand below.
    public var address: RemoteAddress
    /// Sent with every request, for example Authorization.
    public var fields: [RemoteField]
    /// The longest time for one answer, where an endpoint says nothing.
    ///
    /// Default 60 s.
    public var timeout = Duration.seconds(60)
    /// How much may come.
    public var limits = Limits()
    /// How the next page is found.
    ///
    /// Default ``Paging/links``.
    public var paging = Paging.links
    /// Where redirects and links to further pages may lead.
    ///
    /// Default ``Reach/sameHost``.
    public var reach = Reach.sameHost
    /// What is done when two rows have one id.
    ///
    /// Default ``RepeatedIDs/refused``.
    public var repeatedIDs = RepeatedIDs.refused
    /// Answers in place of the server; nil asks the server.
    public var stub: RemoteStub?
    /// What is told of requests and answers.
    ///
    /// Default nothing.
    public var log = RemoteLog.off

    /// Creates the configuration of a server.
    public init(_ address: RemoteAddress, fields: [RemoteField] = []) {
        self.address = address
        self.fields = fields
    }
}

extension RemoteConfiguration {
    /// Whether an answer may lead from one address to another.
    func permits(_ target: RemoteAddress, from address: RemoteAddress) -> Bool {
        if address.scheme == .https, target.scheme == .http { return false }
        switch reach {
        case .anyHost: return true
        case .sameHost:
            if target.isSameOrigin(as: address) { return true }
            // A server that moves its readers from http to https at their standard ports.
            return target.host == address.host && address.scheme == .http
                && target.scheme == .https && address.port == 80 && target.port == 443
        }
    }
}

/// How the next page of a list is found.
public enum Paging: Hashable, Sendable {
    /// By the answer: a Link field with `rel="next"` (RFC 8288), else `links.next`,
    /// `_links.next.href` or `next` in the body; without any of them the list has ended.
    case links
    /// By number: pages are asked for until one has fewer than `size` rows.
    case numbers(parameter: String, first: Int, sizeParameter: String?, size: Int)
    /// By the rows before it: pages are asked for until one has fewer than `size` rows.
    case offsets(parameter: String, sizeParameter: String?, size: Int)
    /// There is only one page, whatever the answer links to.
    case single

    /// The items of the query that ask for a page, counted from 0.
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

    /// The rows of a full page; nil where the answer says whether there is another.
    var size: Int? {
        switch self {
        case .links, .single: nil
        case .numbers(_, _, _, let size), .offsets(_, _, let size): size
        }
    }
}
