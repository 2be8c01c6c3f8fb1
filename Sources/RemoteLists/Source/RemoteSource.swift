public import Listings
import Locks
import System

/// A list of models of another service.
///
/// It fetches on request and stores the last result. Reading never waits for the network. Refreshes
/// never overlap: a second caller shares the outcome of the running one.
public final class RemoteSource<Model>: Sendable
where Model: Identifiable & Sendable, Model.ID: CustomStringConvertible & Sendable {
    typealias Outcome = Result<ListVersion, RemoteError>

    struct Storage {
        var state = RemoteState.idle
        var models: [Model] = []
        var version: ListVersion?
        var isStale = false
        var marks: [Validators] = []
        var running: Task<Outcome, Never>?
        /// The error of the last refresh.
        var failure: RemoteError?
        var failureCount = 0
        /// The time until which refreshes requested by clients are ignored.
        var pauseEnd: ContinuousClock.Instant?
        var watchers: [Int: AsyncStream<RemoteState>.Continuation] = [:]
        var watcherCount = 0
        var onLoad: (@Sendable (RemoteSnapshot<Model>) -> Void)?
    }

    /// The endpoint of the list.
    public let endpoint: Endpoint
    /// The configuration of the server.
    public let configuration: RemoteConfiguration
    private let format: RemoteFormat<Model>
    private let transport: any RemoteTransport
    private let epoch = UInt64(UInt32.random(in: 1...UInt32.max))
    private let storage = Locked(Storage())

    /// Creates a source that has not sent a request yet.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the list.
    ///   - configuration: The configuration of the server.
    ///   - format: The conversion of rows to models.
    ///   - transport: The transport for requests. A stub of the configuration replaces it.
    public init(
        _ endpoint: Endpoint = Endpoint(),
        of configuration: RemoteConfiguration,
        as format: RemoteFormat<Model>,
        over transport: any RemoteTransport
    ) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.format = format
        self.transport = configuration.stub ?? transport
    }

    deinit {
        storage.withLock { storage in
            for watcher in storage.watchers.values { watcher.finish() }
        }
    }

    /// The current state of the list.
    public var state: RemoteState { storage.withLock { $0.state } }

    /// The models of the last successful refresh.
    ///
    /// - Complexity: O(1).
    public var snapshot: RemoteSnapshot<Model> { storage.withLock { $0.snapshot } }

    /// Returns a stream of the states, beginning with the current one.
    ///
    /// A slow consumer misses intermediate states, but never the last one. The stream ends with the
    /// source.
    public func states() -> AsyncStream<RemoteState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RemoteState.self,
            bufferingPolicy: .bufferingNewest(8)
        )
        let number = storage.withLock { storage in
            storage.watcherCount += 1
            storage.watchers[storage.watcherCount] = continuation
            continuation.yield(storage.state)
            return storage.watcherCount
        }
        continuation.onTermination = { [weak self] _ in
            self?.storage.withLock { $0.watchers[number] = nil }
        }
        return stream
    }

    /// The closure runs in the task of the refresh, before the new state is visible.
    ///
    /// It replaces the closure set before.
    package func onLoad(_ body: @escaping @Sendable (RemoteSnapshot<Model>) -> Void) {
        storage.withLock { $0.onLoad = body }
    }
}

extension RemoteSource {
    /// Fetches the list again.
    ///
    /// - Returns: The version of the models. It is unchanged if the models are.
    /// - Throws: ``RemoteError``. The models of the last successful refresh then stay, marked as
    ///   stale.
    @discardableResult
    public func refresh() async throws(RemoteError) -> ListVersion {
        try await startRefresh().value.get()
    }

    @discardableResult
    func startRefresh() -> Task<Outcome, Never> {
        storage.withLock { storage in
            if let running = storage.running { return running }
            let task = Task.detached { await self.load() }
            storage.running = task
            storage.show(.loading)
            return task
        }
    }

    /// Starts a refresh for a client, unless one is running or has ended recently.
    ///
    /// The pause prevents clients from causing unlimited requests to the upstream.
    package func requestRefresh() {
        if !pauses { startRefresh() }
    }

    private var pauses: Bool {
        storage.withLock { storage in storage.pauseEnd.map { ContinuousClock.now < $0 } ?? false }
    }

    /// Waits for the first successful refresh, for a client.
    package func waitForModels() async throws(RemoteError) {
        guard snapshot.version == nil else { return }
        if pauses, let failure = storage.withLock({ $0.failure }) { throw failure }
        try await refresh()
    }

    /// Refreshes the list repeatedly, at once if no refresh has started yet.
    ///
    /// Failures change the state but do not end the loop. Each consecutive failure doubles the
    /// pause, up to the lesser of eight times the interval and 15 minutes.
    ///
    /// - Parameters:
    ///   - interval: The time from the end of one refresh to the start of the next, at least 1 ms.
    ///   - clock: The clock that measures the interval.
    /// - Returns: The task, which ends with the source or by cancellation.
    @discardableResult
    public func keepFresh(
        every interval: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Task<Void, Never> {
        precondition(interval >= .milliseconds(1), "a refresh every \(interval)")
        let isFirst = state == .idle
        return Task.detached { [weak self] in
            var pause = isFirst ? .zero : interval
            while true {
                // Only cancellation ends the sleep early.
                if pause > .zero, (try? await clock.sleep(for: pause)) == nil { return }
                guard let self else { return }
                pause = max(pause, interval)
                switch await self.startRefresh().value {
                case .success: pause = interval
                case .failure:
                    let longest = max(interval, min(interval * 8, .seconds(900)))
                    pause = min(pause * 2, longest)
                }
            }
        }
    }

    private func load() async -> Outcome {
        let start = ContinuousClock.now
        let outcome: Result<Loaded, RemoteError>
        do throws(RemoteError) {
            let finding = try await PageCrawler.finding(
                of: endpoint,
                configuration,
                over: transport,
                known: storage.withLock { $0.marks }
            )
            switch finding {
            case .unchanged: outcome = .success(.unchanged)
            case .pages(let pages, let marks):
                let models = try withoutRepeatedIDs(try format.decode(pages), pages)
                outcome = .success(.models(models, marks))
            }
        } catch {
            outcome = .failure(error)
        }
        transport.refreshEnded()
        pause(after: outcome, since: start)
        tell(of: outcome)
        return settle(outcome)
    }

    private enum Loaded {
        case unchanged
        /// With the marks for the next refresh.
        case models([Model], [Validators])
    }

    private func tell(of outcome: Result<Loaded, RemoteError>) {
        var failure: RemoteError?
        if case .failure(let error) = outcome { failure = error }
        let (old, hasRows) = storage.withLock { storage in
            defer { storage.failure = failure }
            return (storage.failure, storage.version != nil)
        }
        guard failure != old else { return }
        guard let failure else { return configuration.log.refreshRecovered() }
        configuration.log.refreshFailed(failure, at: configuration.address, hasRows: hasRows)
    }

    /// Each consecutive failure doubles it, up to eight times.
    private func pause(
        after outcome: Result<Loaded, RemoteError>,
        since start: ContinuousClock.Instant
    ) {
        let now = ContinuousClock.now
        let pause = max(configuration.limits.shortestPause, (now - start) * 2)
        storage.withLock { storage in
            if case .success = outcome {
                storage.failureCount = 0
            } else {
                storage.failureCount += 1
            }
            storage.pauseEnd = now + pause * (1 << min(storage.failureCount, 3))
        }
    }

    private func settle(_ outcome: Result<Loaded, RemoteError>) -> Outcome {
        switch outcome {
        case .failure(let error):
            storage.withLock { storage in
                storage.running = nil
                storage.isStale = storage.version != nil
                storage.show(.failed(error))
            }
            return .failure(error)
        case .success(.unchanged):
            return storage.withLock { storage in
                guard let version = storage.version else {
                    preconditionFailure("nothing was asked for what is unchanged")
                }
                storage.isStale = false
                storage.running = nil
                storage.show(.loaded(version))
                return .success(version)
            }
        case .success(.models(let models, let marks)):
            let old = snapshot
            let version = self.version(of: models, after: old)
            if version != old.version {
                let snapshot = RemoteSnapshot(models: models, version: version, isStale: false)
                storage.withLock { $0.onLoad }?(snapshot)
            }
            storage.withLock { storage in
                if version != old.version { storage.models = models }
                storage.version = version
                storage.marks = marks
                storage.isStale = false
                storage.running = nil
                storage.show(.loaded(version))
            }
            return .success(version)
        }
    }

    private func version(of models: [Model], after old: RemoteSnapshot<Model>) -> ListVersion {
        guard let version = old.version else { return ListVersion(epoch: epoch, counter: 1) }
        guard !format.areEqual(old.models, models) else { return version }
        return ListVersion(epoch: epoch, counter: version.counter &+ 1)
    }

    private func withoutRepeatedIDs(
        _ models: [Model],
        _ pages: [RemotePage]
    ) throws(RemoteError) -> [Model] {
        var firstLocations: [String: Int] = [:]
        firstLocations.reserveCapacity(models.count)
        var repeated: [Int] = []
        for (index, model) in models.enumerated() {
            let id = model.id.description
            guard let first = firstLocations[id] else {
                firstLocations[id] = index
                continue
            }
            guard configuration.repeatedIDs == .firstKept else {
                let locations = RowLocations(pages)
                throw .repeatedID(
                    id,
                    first: locations.location(first),
                    second: locations.location(index)
                )
            }
            repeated.append(index)
        }
        guard let first = repeated.first else { return models }
        configuration.log.rowsDropped(repeated.count, firstID: models[first].id.description)
        let dropped = Set(repeated)
        return models.indices.filter { !dropped.contains($0) }.map { models[$0] }
    }
}

extension RemoteSource.Storage {
    fileprivate var snapshot: RemoteSnapshot<Model> {
        RemoteSnapshot(models: models, version: version, isStale: isStale)
    }

    fileprivate mutating func show(_ state: RemoteState) {
        self.state = state
        for watcher in watchers.values { watcher.yield(state) }
    }
}

private struct RowLocations {
    private let counts: [Int]

    init(_ pages: [RemotePage]) { counts = pages.map(\.rowCount) }

    func location(_ index: Int) -> RemoteLocation {
        var row = index
        for (page, count) in counts.enumerated() {
            // Formats other than JSON have one page and no row counts.
            if row < count || page == counts.count - 1 {
                return RemoteLocation(page: page + 1, row: row + 1)
            }
            row -= count
        }
        return RemoteLocation(page: 1, row: row + 1)
    }
}

/// The state of a remote list.
public enum RemoteState: Hashable, Sendable {
    /// No request has been sent yet.
    case idle
    /// A refresh is running. Rows loaded before are still shown.
    case loading
    /// The rows are those of the last refresh.
    case loaded(ListVersion)
    /// The last refresh failed. Rows loaded before are still shown, marked as stale.
    case failed(RemoteError)
}

/// The models of a remote list at one time.
public struct RemoteSnapshot<Model: Sendable>: Sendable {
    /// The models of the last successful refresh.
    public let models: [Model]
    /// The version of the models, or nil before the first successful refresh.
    public let version: ListVersion?
    /// Whether a refresh has failed since.
    public let isStale: Bool
}
