public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A client that loads pages of a Roster server and follows their changes.
///
/// It provides all that a collection view needs to show a list and its changes:
///
/// ```swift
/// let client = RosterClient(URL(string: "https://lists.example.org")!)
/// var page = try await client.page("/users.json?sort=name")
/// collectionView.reloadData()
/// for try await event in client.events(following: page) {
///     switch event {
///     case .reloaded(let new): page = new; collectionView.reloadData()
///     case .interrupted: showOffline()
///     case .stage(let stage, let new):
///         await collectionView.performBatchUpdates {
///             page = new
///             collectionView.deleteSections(IndexSet(stage.deletedSections.map(\.at)))
///             collectionView.insertSections(IndexSet(stage.insertedSections.map(\.at)))
///             for move in stage.movedSections {
///                 collectionView.moveSection(move.from, toSection: move.to)
///             }
///             collectionView.deleteItems(at: stage.deletedRows.map { IndexPath($0.at) })
///             collectionView.insertItems(at: stage.insertedRows.map { IndexPath($0.at) })
///             for move in stage.movedRows {
///                 collectionView.moveItem(at: IndexPath(move.from), to: IndexPath(move.to))
///             }
///             collectionView.reloadItems(at: stage.reloadedRows.map { IndexPath($0.at) })
///         }
///     }
/// }
/// ```
public struct RosterClient: Sendable {
    private let base: URL
    private let session: URLSession
    /// The maximum time in seconds that the server waits for a change before it responds, 1...60.
    private let patience: Int

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - base: The address of the server. A path in it precedes every address that does not
    ///     begin with it, as links of the server do.
    ///   - patience: The maximum time that the server waits for a change, in seconds, 1...60.
    ///   - session: The session that sends the requests.
    public init(_ base: URL, patience: Int = 30, session: URLSession = .shared) {
        precondition((1...60).contains(patience), "patience is 1...60 seconds")
        self.base = base
        self.patience = patience
        self.session = session
    }

    /// Loads a page.
    ///
    /// - Parameter address: The address on the server, such as `/users.json?sort=name&limit=50`.
    /// - Returns: The current page.
    /// - Throws: ``RosterError``, or what the session throws.
    public func page(_ address: String) async throws -> RosterPage {
        try await read(RosterPage.self, from: address)
    }

    /// Loads the next page.
    ///
    /// ```swift
    /// var page = try await client.page("/users.json?limit=500")
    /// var rows = page.rows
    /// while let next = try await client.page(after: page) {
    ///     rows += next.rows
    ///     page = next
    /// }
    /// ```
    ///
    /// - Parameter page: A page.
    /// - Returns: The page after it, or nil if it is the last one.
    /// - Throws: ``RosterError``, or what the session throws.
    public func page(after page: RosterPage) async throws -> RosterPage? {
        guard let address = page.nextAddress else { return nil }
        return try await self.page(address)
    }

    /// An event of a page that a client follows.
    public enum Event: Sendable {
        /// A stage of changes, and the page after it.
        case stage(RosterStage, RosterPage)
        /// The page was reloaded, because too much changed or the server dropped its version.
        case reloaded(RosterPage)
        /// The server cannot be reached. The client tries again.
        case interrupted(any Error)
    }

    /// Follows a page.
    ///
    /// Every change is checked against the page before it is delivered.
    ///
    /// After a connection error, the client tries again after 1, 2, 4 ... 30 seconds.
    ///
    /// - Parameter page: The page as currently shown.
    /// - Returns: An endless stream of events in order. It ends with ``RosterError`` if the server
    ///   permanently refuses.
    public func events(following page: RosterPage) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await follow(page) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(_ first: RosterPage, _ tell: (Event) -> Void) async throws {
        var page = first
        var pause = 1
        var isOutdated = false
        while !Task.isCancelled {
            do {
                if isOutdated {
                    page = try await self.page(page.address)
                    isOutdated = false
                    tell(.reloaded(page))
                }
                guard let address = page.changesAddress else { throw RosterError.notFollowed }
                let change = try await read(RosterChange.self, from: address, waiting: patience)
                try page.apply(change) { stage, page in tell(.stage(stage, page)) }
                pause = 1
            } catch let error as RosterError {
                switch error {
                case .mismatch, .refused(status: 410, _): isOutdated = true
                case .refused(let status, _) where status == 429 || status >= 500:
                    tell(.interrupted(error))
                    try await rest(&pause)
                case .refused, .notFollowed, .notUnderstood: throw error
                }
            } catch let error as URLError where error.code != .cancelled {
                tell(.interrupted(error))
                try await rest(&pause)
            }
        }
    }

    private func rest(_ pause: inout Int) async throws {
        try await Task.sleep(for: .seconds(pause))
        pause = min(pause * 2, 30)
    }

    private func read<Value: Decodable>(
        _: Value.Type,
        from address: String,
        waiting seconds: Int? = nil
    ) async throws -> Value {
        var request = try request(address)
        if let seconds {
            request.setValue("wait=\(seconds)", forHTTPHeaderField: "Prefer")
            request.timeoutInterval = TimeInterval(seconds + 30)
        }
        return try await decoded(request)
    }

    /// A request with a tag holds only for a row that still has it.
    func request(
        _ address: String,
        _ method: String = "GET",
        content: Data? = nil,
        tag: String? = nil
    ) throws -> URLRequest {
        let path = base.path(percentEncoded: true).trimmed
        let root = base.absoluteString.trimmed
        let isLink = address.hasPrefix(path + "/")
        guard let url = URL(string: (isLink ? String(root.dropLast(path.count)) : root) + address)
        else { throw RosterError.notUnderstood("\(address) is no address") }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = content
        request.setValue(
            content.map { _ in "application/json" },
            forHTTPHeaderField: "Content-Type"
        )
        request.setValue(tag, forHTTPHeaderField: "If-Match")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.cachePolicy = .reloadIgnoringLocalCacheData
        return request
    }

    func decoded<Value: Decodable>(_ request: URLRequest) async throws -> Value {
        let content = try await content(request)
        do {
            return try JSONDecoder().decode(Value.self, from: content)
        } catch let error as DecodingError {
            throw RosterError.notUnderstood("\(error)")
        }
    }

    func content(_ request: URLRequest) async throws -> Data {
        let (content, response) = try await self.response(to: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200...299).contains(status) else {
            let problem = try? JSONDecoder().decode(Problem.self, from: content)
            throw RosterError.refused(status: status, detail: problem?.detail ?? "")
        }
        return content
    }

    private func response(to request: URLRequest) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
        // Cancellation there ends the process or hangs (swift-corelibs-foundation, issue 3296). So
        // the request completes and its result is dropped.
        let task = Task { try await session.data(for: request) }
        let response = try await task.value
        try Task.checkCancellation()
        return response
        #else
        try await session.data(for: request)
        #endif
    }

    private struct Problem: Decodable { let detail: String? }
}

extension String {
    /// The text without a final slash, because addresses begin with one.
    fileprivate var trimmed: String { hasSuffix("/") ? String(dropLast()) : self }
}
