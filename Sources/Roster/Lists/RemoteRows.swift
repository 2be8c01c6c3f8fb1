import ListAPI
import Listings
import RemoteCodable
import RemoteCurl
import RemoteLists

extension List
where Model: Decodable & Identifiable, Model.ID: CustomStringConvertible & Sendable {
    /// Creates a list whose models another service has, as a JSON array or in pages of it.
    ///
    /// ```swift
    /// List("users", from: "https://api.example.org/users", every: .seconds(60)) {
    ///     Column(\User.name)
    ///     Column(\User.email)
    /// }
    /// ```
    ///
    /// The first fetch begins with the program, and requests wait for it. If it fails, they receive
    /// 503. If a later one fails, the rows stay and the page marks them as stale. The log names the
    /// status, or the path in the response that could not be decoded.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - address: The `http` or `https` address of the models.
    ///   - interval: The time from the end of a fetch to the next one. Failures prolong it.
    ///   - fields: The fields of the requests, such as `Authorization`.
    ///   - columns: The columns of the rows.
    public init(
        _ name: String,
        title: String? = nil,
        from address: String,
        every interval: Duration,
        fields: [String: String] = [:],
        @ColumnBuilder<Model> columns: () -> some Columns<Model>
    ) {
        let models = Models<Model>()
        self.init(name, title: title, live: models, columns: columns)
        guard interval >= .seconds(1) else {
            declaration.error = "it is fetched every \(interval); allowed: at least 1 s"
            return
        }
        do throws(RemoteError) {
            var configuration = RemoteConfiguration(try RemoteAddress(address))
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                configuration.fields.append(try RemoteField(name, value))
            }
            let pause = configuration.limits.shortestPause
            configuration.limits.shortestPause = min(pause, interval)
            configuration.log = RemoteLog(.failures) { line in
                Diagnostics.write("\(name): \(line)", .warning)
            }
            let source = RemoteSource<Model>(
                of: configuration,
                as: .decoded,
                over: FetchStub.current ?? CurlTransport()
            )
            source.onLoad { snapshot in models.update { $0 = snapshot.models } }
            declaration.remote = RemoteRows(source, every: interval, deadline: rows.deadline)
        } catch {
            declaration.error = "\(error)"
        }
    }
}

/// Responds to the fetches of a test.
struct FetchStub: RemoteTransport {
    typealias Response = @Sendable (String) async throws -> (status: Int, body: String)

    @TaskLocal static var current: FetchStub?

    let response: Response

    func send(_ request: RemoteRequest) async throws(RemoteError) -> RemoteResponse {
        do {
            let (status, body) = try await response(request.address.description)
            let type = try RemoteField("Content-Type", "application/json")
            return RemoteResponse(status: status, fields: [type], body: Array(body.utf8))
        } catch {
            throw .transport(.connectionLost)
        }
    }

    func refreshEnded() {}
}

/// The rows of another service, without the type of their models.
struct RemoteRows: Sendable {
    let state: @Sendable () -> RefreshState
    let snapshot: @Sendable () -> (isLoaded: Bool, isStale: Bool)
    let refresh: @Sendable () -> Void
    let wait: @Sendable () throws(SourceError) -> Void
    /// Begins the fetches.
    let begin: @Sendable () -> Void

    init<Model>(_ source: RemoteSource<Model>, every interval: Duration, deadline: Duration) {
        state = { RefreshState(source.state) }
        snapshot = { (source.snapshot.version != nil, source.snapshot.isStale) }
        refresh = { source.requestRefresh() }
        begin = { source.keepFresh(every: interval) }
        wait = { () throws(SourceError) in
            guard source.snapshot.version == nil else { return }
            do {
                try Waiting.result(within: deadline) { try await source.waitForModels() }
            } catch let error as RemoteError {
                throw .notFetched(RefreshFailure(error), reason: "\(error)")
            } catch {
                throw error as? SourceError ?? .unavailable(reason: "\(error)")
            }
        }
    }
}
