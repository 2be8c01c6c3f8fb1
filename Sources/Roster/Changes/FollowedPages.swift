import HTTP
import Listings

/// The pages that clients of a loop follow.
///
/// Every list of theirs is asked for its version five times a second, and at once when somebody says
/// that it may have changed; if it did, each of its pages is read once. Where nobody follows
/// anything, nothing is done.
final class FollowedPages {
    /// The time between two looks, unless somebody rings.
    static let period = Duration.milliseconds(200)
    /// The shortest time between two looks: what happens in it is told at once.
    static let coalescing = Duration.milliseconds(100)
    /// The time for reading pages before other requests have their turn.
    private static let turn = Duration.milliseconds(20)

    /// The followed pages of a list.
    private final class Group {
        /// What a list is at a time.
        private struct State: Hashable, Sendable {
            let version: ListVersion
            let isStale: Bool

            init(_ reader: any ListReader) throws(SourceError) {
                version = try reader.version()
                isStale = reader.isStale
            }
        }

        let endpoint: ListEndpoint
        private var state: State?
        /// What is found out elsewhere.
        private var asked: Handback<Result<State, any Error>>?
        var pages: [String: FollowedPage] = [:]
        let observation: (any Sendable)?

        init(_ endpoint: ListEndpoint, waker: HTTPStreamWaker?) {
            self.endpoint = endpoint
            observation = endpoint.definition.source.observe { waker?.wake() }
        }

        deinit { asked?.cancel() }

        /// Whether the list may show something else than when this was asked last; where it takes
        /// longer than a turn to find out, that is told in a moment.
        func hasMoved(_ workers: ServiceWorkers?, waking waker: HTTPStreamWaker?) -> Bool {
            guard asked == nil else { return hasMovedAsAsked() }
            do throws(SourceError) {
                let now = try endpoint.inTurn { () throws(SourceError) in try State(endpoint.reader)
                }
                if let now { return take(now) }
                asked = workers?.ask(.following, of: endpoint, waking: waker) { _, endpoint in
                    try State(endpoint.reader)
                }
            } catch {
                // What cannot be asked now is asked again.
            }
            return false
        }

        /// The same by what was found out elsewhere; false while it is not.
        func hasMovedAsAsked() -> Bool {
            guard let result = asked?.take() else { return false }
            asked = nil
            guard case .success(let now) = result else { return false }
            return take(now)
        }

        private func take(_ now: State) -> Bool {
            defer { state = now }
            return now != state
        }
    }

    /// Makes the loop look; nil where there is no loop.
    var waker: HTTPStreamWaker?
    /// Who finds out what takes longer than a turn.
    var workers: ServiceWorkers?
    private let bell: ChangeBell
    private var listener: ChangeBell.Listener?
    private var groups: [ObjectIdentifier: Group] = [:]
    private var polls: [ObjectIdentifier: LongPoll] = [:]
    /// The pages whose lists have moved since they were read.
    private var due: [ObjectIdentifier: FollowedPage] = [:]
    /// Those that could not be read, which are tried at the next look again.
    private var postponed: [ObjectIdentifier: FollowedPage] = [:]
    /// The pages that somebody else reads.
    private var awaited: [FollowedPage] = []
    private var lastLook: ContinuousClock.Instant?

    /// Follows nothing yet.
    init(_ bell: ChangeBell) { self.bell = bell }

    /// The page at an address, if somebody follows it.
    func page(of endpoint: ListEndpoint, at address: String) -> FollowedPage? {
        let page = groups[ObjectIdentifier(endpoint)]?.pages[address]
        return page?.isAllowed ?? false ? page : nil
    }

    /// Takes in a page that somebody begins to follow.
    func insert(_ page: FollowedPage) {
        let key = ObjectIdentifier(page.endpoint)
        if groups.isEmpty {
            listener = waker.map { bell.add($0) }
            lastLook = nil
            waker?.wake()
        }
        let group = groups[key] ?? Group(page.endpoint, waker: waker)
        groups[key] = group
        group.pages[page.address] = page
    }

    /// Drops a page that nobody follows any more.
    func remove(_ page: FollowedPage) {
        let key = ObjectIdentifier(page.endpoint)
        guard let group = groups[key], group.pages[page.address] === page else { return }
        group.pages[page.address] = nil
        if group.pages.isEmpty { groups[key] = nil }
        if groups.isEmpty { listener = nil }
    }

    /// Takes in somebody who waits for so long at most.
    func insert(_ poll: LongPoll) { polls[ObjectIdentifier(poll)] = poll }

    /// Forgets somebody who has waited.
    func remove(_ poll: LongPoll) { polls[ObjectIdentifier(poll)] = nil }

    /// Takes in a page that somebody else reads.
    func expect(_ page: FollowedPage) { awaited.append(page) }

    /// Takes over what somebody else has found out.
    private func takeFindings() {
        awaited.removeAll { page in
            guard let isRead = page.takeRenewal() else { return false }
            if !isRead { postponed[ObjectIdentifier(page)] = page }
            return true
        }
        for group in groups.values where group.hasMovedAsAsked() { add(group) }
    }

    private func add(_ group: Group) {
        for page in group.pages.values { due[ObjectIdentifier(page)] = page }
    }

    /// Wakes those who follow pages of lists that have another definition now: they ask again.
    private func endRetired() {
        for (key, group) in groups where group.endpoint.isRetired {
            groups[key] = nil
            for page in group.pages.values { page.wake() }
        }
    }

    /// Looks whether lists have changed, and reads the pages of those that have.
    ///
    /// - Returns: When to look again; nil while nobody follows anything.
    func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        takeFindings()
        guard !groups.isEmpty else {
            due.removeAll()
            postponed.removeAll()
            return nil
        }
        if due.isEmpty {
            if let next = lastLook?.advanced(by: Self.coalescing), next > now { return next }
            lastLook = now
            swap(&due, &postponed)
            for poll in polls.values
            where poll.until <= now || poll.page.isEnding || poll.page.endpoint.isRetired {
                poll.end()
            }
            endRetired()
            for group in groups.values where group.hasMoved(workers, waking: waker) { add(group) }
        }
        let end = ContinuousClock.now.advanced(by: Self.turn)
        while let (key, page) = due.popFirst() {
            if page.isFollowed, !page.renew() { postponed[key] = page }
            if ContinuousClock.now >= end { break }
        }
        return due.isEmpty ? now.advanced(by: Self.period) : now
    }
}
