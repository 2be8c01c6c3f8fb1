import HTTP
import Listings
import Locks

/// The loop reads the version of every followed list five times a second and after a signal.
///
/// After a change, each page of the list is read once.
final class Subscriptions {
    static let period = Duration.milliseconds(200)
    /// The minimum time between two checks; changes within it are sent together.
    static let coalescing = Duration.milliseconds(100)
    /// The maximum time for reading pages before the loop handles other requests.
    private static let slice = Duration.milliseconds(20)

    private final class Group {
        private struct State: Hashable, Sendable {
            let version: ListVersion
            let isStale: Bool
        }

        let endpoint: ServedList
        private var state: State?
        private var pending: Mailbox<Result<State, any Error>>?
        var pages: [String: Subscription] = [:]
        let observation: (any Sendable)?

        init(_ endpoint: ServedList, waker: HTTPStreamWaker?) {
            self.endpoint = endpoint
            observation = endpoint.definition.source.observe { waker?.wake() }
        }

        deinit { pending?.cancel() }

        /// A worker reads the state if that could wait, and the result comes later.
        func hasChanged(_ workers: ServiceWorkers?, waking waker: HTTPStreamWaker?) -> Bool {
            guard pending == nil else { return takeChange() }
            do throws(SourceError) {
                if let version = try endpoint.reader.version(mayWait: workers == nil) {
                    return take(State(version: version, isStale: endpoint.reader.isStale))
                }
                pending = endpoint.origin.flatMap { origin in
                    workers?.ask(.following, of: origin, waking: waker) { _, endpoint in
                        let reader = endpoint.reader
                        return State(version: try reader.version(), isStale: reader.isStale)
                    }
                }
            } catch {
                // A failed read is repeated at the next check.
            }
            return false
        }

        func takeChange() -> Bool {
            guard let result = pending?.take() else { return false }
            pending = nil
            guard case .success(let now) = result else { return false }
            return take(now)
        }

        private func take(_ now: State) -> Bool {
            defer { state = now }
            return now != state
        }
    }

    var waker: HTTPStreamWaker?
    var workers: ServiceWorkers?
    private let changeSignal: ChangeSignal
    private var listener: ChangeSignal.Listener?
    private var groups: [ObjectIdentifier: Group] = [:]
    private var polls: [ObjectIdentifier: LongPoll] = [:]
    private var due: [ObjectIdentifier: Subscription] = [:]
    private var postponed: [ObjectIdentifier: Subscription] = [:]
    private var awaited: [Subscription] = []
    private var lastCheck: ContinuousClock.Instant?

    init(_ changeSignal: ChangeSignal) { self.changeSignal = changeSignal }

    func page(of endpoint: ServedList, at address: String) -> Subscription? {
        let page = groups[ObjectIdentifier(endpoint)]?.pages[address]
        return page?.isAllowed ?? false ? page : nil
    }

    func insert(_ page: Subscription) {
        let key = ObjectIdentifier(page.endpoint)
        if groups.isEmpty {
            listener = waker.map { changeSignal.add($0) }
            lastCheck = nil
            waker?.wake()
        }
        let group = groups[key] ?? Group(page.endpoint, waker: waker)
        groups[key] = group
        group.pages[page.address] = page
    }

    func remove(_ page: Subscription) {
        let key = ObjectIdentifier(page.endpoint)
        guard let group = groups[key], group.pages[page.address] === page else { return }
        group.pages[page.address] = nil
        if group.pages.isEmpty { groups[key] = nil }
        if groups.isEmpty { listener = nil }
    }

    func insert(_ poll: LongPoll) { polls[ObjectIdentifier(poll)] = poll }

    func remove(_ poll: LongPoll) { polls[ObjectIdentifier(poll)] = nil }

    func expect(_ page: Subscription) { awaited.append(page) }

    private func takeResults() {
        awaited.removeAll { page in
            guard let isRead = page.takeRenewal() else { return false }
            if !isRead { postponed[ObjectIdentifier(page)] = page }
            return true
        }
        for group in groups.values where group.takeChange() { add(group) }
    }

    private func add(_ group: Group) {
        for page in group.pages.values { due[ObjectIdentifier(page)] = page }
    }

    /// Wakes the clients of lists whose definition was replaced, so that they reconnect.
    private func endRetired() {
        for (key, group) in groups where group.endpoint.isRetired {
            groups[key] = nil
            for page in group.pages.values { page.wake() }
        }
    }

    /// Returns the time of the next check; nil while no page is followed.
    func tick(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        takeResults()
        guard !groups.isEmpty else {
            due.removeAll()
            postponed.removeAll()
            return nil
        }
        if due.isEmpty {
            if let next = lastCheck?.advanced(by: Self.coalescing), next > now { return next }
            lastCheck = now
            swap(&due, &postponed)
            for poll in polls.values
            where poll.until <= now || poll.page.isEnding || poll.page.endpoint.isRetired {
                poll.end()
            }
            endRetired()
            for group in groups.values where group.hasChanged(workers, waking: waker) { add(group) }
        }
        let end = ContinuousClock.now.advanced(by: Self.slice)
        while let (key, page) = due.popFirst() {
            if page.isFollowed, !page.renew() { postponed[key] = page }
            if ContinuousClock.now >= end { break }
        }
        return due.isEmpty ? now.advanced(by: Self.period) : now
    }
}

/// Loops also poll the lists that they follow, so a change without a signal is noticed later.
final class ChangeSignal: Sendable {
    private struct State {
        var wakers: [UInt64: HTTPStreamWaker] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Registers the waker of a loop, until the result is released.
    func add(_ waker: HTTPStreamWaker) -> Listener {
        state.withLock { state in
            state.lastID += 1
            state.wakers[state.lastID] = waker
            return Listener(self, id: state.lastID)
        }
    }

    func notify() {
        for waker in state.withLock({ Array($0.wakers.values) }) { waker.wake() }
    }

    final class Listener: Sendable {
        private let changeSignal: ChangeSignal
        private let id: UInt64

        fileprivate init(_ changeSignal: ChangeSignal, id: UInt64) {
            self.changeSignal = changeSignal
            self.id = id
        }

        deinit { changeSignal.state.withLock { $0.wakers[id] = nil } }
    }
}
