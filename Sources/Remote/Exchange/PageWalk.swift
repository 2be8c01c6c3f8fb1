import Database

/// Reads all pages of a list, one after another.
struct PageWalk {
    /// What a walk has found.
    enum Finding: Sendable {
        /// Every page is as it was.
        case unchanged
        /// These pages, and what to ask next time; nothing where a page does not say enough.
        case pages([RemotePage], marks: [PageMark])
    }

    private typealias Answer = (request: RemoteRequest, response: RemoteResponse)

    private let exchange: RemoteExchange
    private let first: RemoteRequest
    private let start = ContinuousClock.now
    private var pages: [RemotePage] = []
    private var marks: [PageMark] = []
    private var byteCount = 0
    private var visited: Set<RemoteAddress> = []

    private var configuration: RemoteConfiguration { exchange.configuration }

    /// Reads a list, unless it is as it was.
    ///
    /// - Parameters:
    ///   - endpoint: The list.
    ///   - configuration: Whom to ask.
    ///   - transport: Carries the requests.
    ///   - known: The pages as they were, in their order; empty reads them all.
    /// - Returns: The pages, or that they are unchanged.
    /// - Throws: ``RemoteError``; nothing is kept of a list that breaks off.
    static func finding(
        of endpoint: Endpoint,
        _ configuration: RemoteConfiguration,
        over transport: any RemoteTransport,
        known: [PageMark]
    ) async throws(RemoteError) -> Finding {
        var walk = PageWalk(
            exchange: RemoteExchange(configuration: configuration, transport: transport),
            first: try endpoint.request(configuration)
        )
        var firstAnswer: Answer?
        for (index, mark) in known.enumerated() {
            try walk.checkTime()
            let answer = try await walk.exchange.response(to: mark.request, unless: mark)
            if answer.response.status != 304 {
                // Pages that have not changed did not come, so all of them are asked for again.
                if index == 0 { firstAnswer = answer }
                try await walk.run(firstAnswer)
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

    private init(exchange: RemoteExchange, first: RemoteRequest) {
        self.exchange = exchange
        self.first = first
    }

    private mutating func run(_ firstAnswer: Answer?) async throws(RemoteError) {
        let items = configuration.paging.items(ofPage: 0)
        var request = first
        if !items.isEmpty { request.address = first.address.setting(items) }
        var given = firstAnswer
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

    /// Reads a page, whose answer may be there already; the result asks for the next one.
    private mutating func read(
        _ request: RemoteRequest,
        given: Answer?
    ) async throws(RemoteError) -> RemoteRequest? {
        guard visited.insert(request.address).inserted else {
            throw .repeatedPage(request.address.masked)
        }
        let answer: Answer
        if let given { answer = given } else { answer = try await exchange.response(to: request) }
        let (sent, response) = answer
        let address = sent.address
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
        if let mark = PageMark(request, from: address, response) { marks.append(mark) }
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
