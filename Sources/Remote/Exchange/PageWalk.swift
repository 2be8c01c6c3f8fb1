import Database

/// Reads all pages of a list, one after another.
struct PageWalk {
    private let exchange: RemoteExchange
    private let first: RemoteRequest
    private var pages: [RemotePage] = []
    private var byteCount = 0
    private var visited: Set<RemoteAddress> = []

    private var configuration: RemoteConfiguration { exchange.configuration }

    /// Reads a list.
    ///
    /// - Throws: ``RemoteError``; nothing is kept of a list that breaks off.
    static func pages(
        of endpoint: Endpoint,
        _ configuration: RemoteConfiguration,
        over transport: any RemoteTransport
    ) async throws(RemoteError) -> [RemotePage] {
        var walk = PageWalk(
            exchange: RemoteExchange(configuration: configuration, transport: transport),
            first: try endpoint.request(configuration)
        )
        try await walk.run()
        return walk.pages
    }

    private init(exchange: RemoteExchange, first: RemoteRequest) {
        self.exchange = exchange
        self.first = first
    }

    private mutating func run() async throws(RemoteError) {
        let items = configuration.paging.items(ofPage: 0)
        var request = first
        if !items.isEmpty { request.address = first.address.setting(items) }
        while let next = try await read(request) {
            guard pages.count < configuration.limits.maximumPages else {
                throw .tooManyPages(maximum: configuration.limits.maximumPages)
            }
            request = next
        }
    }

    /// Reads a page; the result asks for the next one.
    private mutating func read(
        _ request: RemoteRequest
    ) async throws(RemoteError) -> RemoteRequest? {
        guard visited.insert(request.address).inserted else {
            throw .repeatedPage(request.address.masked)
        }
        let (address, response) = try await exchange.response(to: request)
        byteCount += response.body.count
        guard byteCount <= configuration.limits.maximumTotalBytes else {
            throw .tooLarge(maximumBytes: configuration.limits.maximumTotalBytes)
        }
        let page = try RemotePage(number: pages.count + 1, from: address, response)
        let isFull = configuration.paging.size.map { page.rowCount >= $0 } ?? true
        // A server that does not know the parameter answers the first page for ever.
        if configuration.paging.size != nil, let last = pages.last, page.rowCount > 0,
            page.rows == last.rows
        {
            throw .repeatedPage(address.masked)
        }
        pages.append(page)
        return isFull ? try next(after: page, request, response, from: address) : nil
    }

    private func next(
        after page: RemotePage,
        _ request: RemoteRequest,
        _ response: RemoteResponse,
        from address: RemoteAddress
    ) throws(RemoteError) -> RemoteRequest? {
        switch configuration.paging {
        case .single: return nil
        case .links:
            guard let reference = try nextReference(page, response) else { return nil }
            guard page.format == .json else {
                throw .decoding(RemoteDecodingError(page: page.number, .pagedFormat(page.format)))
            }
            var current = request
            current.address = address
            return try exchange.request(current, at: try address.resolving(reference))
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
