public import Listings
import Locks
import Sockets

/// A list of models that another service has.
///
/// It asks when told to, keeps what it got last, and says how it stands. Reading never waits for the
/// network. Refreshes never overlap: who asks while one runs shares its outcome.
public final class RemoteSource<Model>: Sendable
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    typealias Outcome = Result<ListVersion, RemoteError>

    struct Storage {
        var state = RemoteState.idle
        var models: [Model] = []
        var version: ListVersion?
        var isStale = false
        /// What to ask to learn whether the models have changed; empty where that cannot be asked.
        var marks: [PageMark] = []
        var running: Task<Outcome, Never>?
        /// How many refreshes have failed one after the other.
        var failureCount = 0
        /// Until when no client has the list asked for again.
        var pauseEnd: ContinuousClock.Instant?
        var watchers: [Int: AsyncStream<RemoteState>.Continuation] = [:]
        var watcherCount = 0
        var onLoad: (@Sendable (RemoteSnapshot<Model>) -> Void)?
    }

    /// What is asked.
    public let endpoint: Endpoint
    /// Whom is asked, and how.
    public let configuration: RemoteConfiguration
    private let format: RemoteFormat<Model>
    private let transport: any RemoteTransport
    private let epoch = UInt64(UInt32.random(in: 1...UInt32.max))
    private let storage = Locked(Storage())

    /// Creates a source that has asked nothing yet.
    ///
    /// - Parameters:
    ///   - endpoint: What is asked.
    ///   - configuration: Whom is asked, and how.
    ///   - format: How rows become models.
    ///   - transport: Carries the requests; a stub of the configuration takes its place.
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

    /// How far the list is.
    public var state: RemoteState { storage.withLock { $0.state } }

    /// The models of the last refresh that succeeded.
    ///
    /// - Complexity: O(1).
    public var snapshot: RemoteSnapshot<Model> { storage.withLock { $0.snapshot } }

    /// The states from now on, the present one first.
    ///
    /// A reader who is slow misses states between, never the last one. The stream ends with the
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

    /// Tells of every refresh that has changed the models, before its state is to be seen.
    ///
    /// - Parameter body: Called where the refresh runs; replaces the one set before.
    package func onLoad(_ body: @escaping @Sendable (RemoteSnapshot<Model>) -> Void) {
        storage.withLock { $0.onLoad = body }
    }
}

extension RemoteSource {
    /// Asks for the list again.
    ///
    /// - Returns: The version of the models; the same as before when nothing has changed.
    /// - Throws: ``RemoteError``; the models are then those of the last refresh that succeeded, and
    ///   stale.
    @discardableResult
    public func refresh() async throws(RemoteError) -> ListVersion {
        try await startRefresh().value.get()
    }

    /// Begins to ask for the list again, unless that is being done already.
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

    /// Begins to ask for the list again because a client wants it, unless that is being done already
    /// or was done just now: whoever asks us must not be able to have others asked without end.
    func requestRefresh() {
        let pauses = storage.withLock { storage in
            storage.pauseEnd.map { ContinuousClock.now < $0 } ?? false
        }
        if !pauses { startRefresh() }
    }

    /// Asks for the list again and again.
    ///
    /// Failures are told by the state and do not end it; with each one in a row the time to the next
    /// refresh doubles, up to eight times the interval and a quarter of an hour.
    ///
    /// - Parameters:
    ///   - interval: The time from the end of one refresh to the beginning of the next, at least
    ///     1 ms.
    ///   - clock: Measures it.
    /// - Returns: What ends with the source, or when it is cancelled.
    @discardableResult
    public func keepFresh(
        every interval: Duration,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> Task<Void, Never> {
        precondition(interval >= .milliseconds(1), "a refresh every \(interval)")
        return Task.detached { [weak self] in
            var pause = interval
            // Only cancellation ends the sleep early.
            while (try? await clock.sleep(for: pause)) != nil {
                guard let self else { return }
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
            let finding = try await PageWalk.finding(
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
        return settle(outcome)
    }

    /// What a refresh has brought.
    private enum Loaded {
        /// The models are those there are.
        case unchanged
        /// These models, and what to ask next time.
        case models([Model], [PageMark])
    }

    /// Has clients wait before the list is asked for again: twice as long with each failure in a row,
    /// up to eight times.
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

    /// The version of models: that of the ones before where they are equal, else the next one.
    private func version(of models: [Model], after old: RemoteSnapshot<Model>) -> ListVersion {
        guard let version = old.version else { return ListVersion(epoch: epoch, counter: 1) }
        guard !format.areEqual(old.models, models) else { return version }
        return ListVersion(epoch: epoch, counter: version.counter &+ 1)
    }

    private func withoutRepeatedIDs(
        _ models: [Model],
        _ pages: [RemotePage]
    ) throws(RemoteError) -> [Model] {
        var firstPlaces: [String: Int] = [:]
        firstPlaces.reserveCapacity(models.count)
        var repeated: [Int] = []
        for (index, model) in models.enumerated() {
            let id = model.id.description
            guard let first = firstPlaces[id] else {
                firstPlaces[id] = index
                continue
            }
            guard configuration.repeatedIDs == .firstKept else {
                let places = RowPlaces(pages)
                throw .repeatedID(id, first: places.place(first), second: places.place(index))
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

/// Where the rows of a list stand in its pages.
private struct RowPlaces {
    private let counts: [Int]

    init(_ pages: [RemotePage]) { counts = pages.map(\.rowCount) }

    func place(_ index: Int) -> RemotePlace {
        var row = index
        for (page, count) in counts.enumerated() {
            // Formats other than JSON come in one page and are not counted.
            if row < count || page == counts.count - 1 {
                return RemotePlace(page: page + 1, row: row + 1)
            }
            row -= count
        }
        return RemotePlace(page: 1, row: row + 1)
    }
}
