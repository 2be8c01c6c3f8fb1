import TableFiles

struct PageCrawler {
    enum Finding: Sendable {
        case unchanged
        /// The pages, and their marks for the next refresh. There are no marks if a page lacks one.
        case pages([RemotePage], marks: [Validators])
    }

    private typealias Received = (request: RemoteRequest, response: RemoteResponse)

    private let exchange: RemoteClient
    private let first: RemoteRequest
    private let start = ContinuousClock.now
    private var pages: [RemotePage] = []
    private var marks: [Validators] = []
    private var byteCount = 0
    private var visited: Set<RemoteAddress> = []

    private var configuration: RemoteConfiguration { exchange.configuration }

    /// The known marks are those of the last pages in order.
    ///
    /// Empty reads all pages. The pages of an incomplete list are discarded.
    static func finding(
        of endpoint: Endpoint,
        _ configuration: RemoteConfiguration,
        over transport: any RemoteTransport,
        known: [Validators]
    ) async throws(RemoteError) -> Finding {
        var walk = PageCrawler(
            exchange: RemoteClient(configuration: configuration, transport: transport),
            first: try endpoint.request(configuration)
        )
        var firstReceived: Received?
        for (index, mark) in known.enumerated() {
            try walk.checkTime()
            let received = try await walk.exchange.response(to: mark.request, unless: mark)
            if received.response.status != 304 {
                // Unchanged pages come without a body, so all pages are requested again.
                if index == 0 { firstReceived = received }
                try await walk.run(firstReceived)
                return walk.finding
            }
        }
        guard known.isEmpty else { return .unchanged }
        try await walk.run(nil)
        return walk.finding
    }

    private var finding: Finding {
        .pages(pages, marks: marks.count == pages.count ? marks : [])
    }

    private init(exchange: RemoteClient, first: RemoteRequest) {
        self.exchange = exchange
        self.first = first
    }

    private mutating func run(_ firstReceived: Received?) async throws(RemoteError) {
        let items = configuration.paging.items(ofPage: 0)
        var request = first
        if !items.isEmpty { request.address = first.address.setting(items) }
        var given = firstReceived
        while let next = try await read(request, given: given.take()) {
            try checkTime()
            guard pages.count < configuration.limits.maximumPages else {
                throw .tooManyPages(maximum: configuration.limits.maximumPages)
            }
            request = next
        }
    }

    private func checkTime() throws(RemoteError) {
        let maximum = configuration.limits.maximumDuration
        guard start.duration(to: .now) <= maximum else { throw .tooSlow(maximum: maximum) }
    }

    /// Reads a page, from `given` if it is not nil.
    ///
    /// Returns the request for the next page.
    private mutating func read(
        _ request: RemoteRequest,
        given: Received?
    ) async throws(RemoteError) -> RemoteRequest? {
        guard visited.insert(request.address).inserted else {
            throw .repeatedPage(request.address.masked)
        }
        let received: Received
        if let given {
            received = given
        } else {
            received = try await exchange.response(to: request)
        }
        let (sent, response) = received
        let address = sent.address
        byteCount += response.body.count
        guard byteCount <= configuration.limits.maximumTotalBytes else {
            throw .tooLarge(maximumBytes: configuration.limits.maximumTotalBytes)
        }
        let page = try RemotePage(number: pages.count + 1, from: address, response)
        let isFull = configuration.paging.size.map { page.rowCount >= $0 } ?? true
        // A server that does not know the parameter sends the first page forever.
        if configuration.paging.size != nil, let last = pages.last, page.rowCount > 0,
            page.rows == last.rows
        {
            throw .repeatedPage(address.masked)
        }
        pages.append(page)
        if let mark = Validators(request, from: address, response) { marks.append(mark) }
        return isFull ? try next(after: page, sent, response) : nil
    }

    private func next(
        after page: RemotePage,
        _ request: RemoteRequest,
        _ response: RemoteResponse
    ) throws(RemoteError) -> RemoteRequest? {
        switch configuration.paging {
        case .single: return nil
        case .links:
            guard let reference = try nextReference(page, response) else { return nil }
            guard page.format == .json else {
                throw .decoding(RemoteDecodingError(page: page.number, .pagedFormat(page.format)))
            }
            return try exchange.request(request, at: try request.address.resolving(reference))
        case .numbers, .offsets:
            var next = first
            next.address = first.address.setting(configuration.paging.items(ofPage: pages.count))
            return next
        }
    }

    private func nextReference(
        _ page: RemotePage,
        _ response: RemoteResponse
    ) throws(RemoteError) -> String? {
        guard let field = response.field("link") else { return page.next }
        switch LinkField.next(in: field) {
        case .success(let next): return next ?? page.next
        case .failure: throw .invalidField("Link")
        }
    }
}
