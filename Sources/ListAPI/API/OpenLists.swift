package import Listings
import Locks
import Synchronization

final class ListPool: Sendable {
    let definition: ListDefinition
    /// The generation of the lists that defined it; see ``ServedLists``.
    let number: Int
    /// The position of its counters in ``ServiceMetrics/lists``; nil for a list that came later.
    let counters: Int?
    private let options: ServiceOptions
    private let idle: IdleLists
    private let isReplaced = Atomic(false)

    init(
        _ definition: ListDefinition,
        _ number: Int,
        _ counters: Int?,
        _ options: ServiceOptions,
        _ idle: IdleLists
    ) {
        self.definition = definition
        self.number = number
        self.counters = counters
        self.options = options
        self.idle = idle
    }

    var isRetired: Bool { isReplaced.load(ordering: .relaxed) }

    /// Closes the lists that no thread uses, and the others when they are given back.
    func retire() {
        isReplaced.store(true, ordering: .relaxed)
        idle.removeAll(of: self)
    }

    func take() throws(SourceError) -> ServedList {
        if let list = idle.take(of: self) {
            list.begin()
            return list
        }
        return try ServedList(definition, options, of: self)
    }

    func giveBack(_ list: ServedList) { if !isRetired { idle.add(list) } }
}

/// The open lists that no thread uses, of which the one that was used last is used first.
final class IdleLists: Sendable {
    private static let longestIdle = Duration.seconds(60)

    /// A list that may be sent to another thread, because no thread uses it.
    private final class Idle: @unchecked Sendable {
        let list: ServedList
        let since = ContinuousClock.now

        init(_ list: ServedList) { self.list = list }
    }

    private let lists = Locked<[Idle]>([])
    private let maximum: Int

    init(lists: Int) { maximum = lists + 2 * ServiceWorkers.readerThreads }

    func take(of pool: ListPool) -> ServedList? {
        lists.withLock { lists in
            lists.lastIndex { $0.list.pool === pool }.map { lists.remove(at: $0) }
        }?.list
    }

    func add(_ list: ServedList) {
        let new = Idle(list)
        // Removed lists close their connections outside the lock.
        _ = lists.withLock { [maximum] lists in
            let gone = lists.prefix { new.since - $0.since > Self.longestIdle }
            lists.removeFirst(gone.count)
            lists.append(new)
            return lists.count > maximum ? gone + [lists.removeFirst()] : gone
        }
    }

    func removeAll(of pool: ListPool) {
        _ = lists.withLock { lists in
            let gone = lists.filter { $0.list.pool === pool }
            lists.removeAll { $0.list.pool === pool }
            return gone
        }
    }
}

struct ListOrigin: Sendable {
    let service: Service
    let store: ServiceStore
    let list: String
    let segment: String?
    let isBlocking: Bool
}

/// An event loop has them for all of its requests, a worker for one request.
package final class OpenLists {
    private static let pause = Duration.seconds(1)

    private(set) var service: Service
    let store: ServiceStore
    /// The loop that has them; nil on a worker.
    unowned(safe) var loop: LoopState?
    /// The workers for what may wait; nil where the loop does everything.
    var workers: ServiceWorkers?
    var choices = RepresentationChoice()
    private var lists: [String: ServedList] = [:]
    private var failures: [String: (error: SourceError, retry: ContinuousClock.Instant)] = [:]

    package convenience init(of store: ServiceStore) { self.init(store.current, of: store, nil) }

    init(_ service: Service, of store: ServiceStore, _ workers: ServiceWorkers?) {
        self.service = service
        self.store = store
        self.workers = workers
    }

    /// Whether opening a list may wait for the locks of other programs: not on a loop with workers.
    private var mayWait: Bool { loop == nil || workers == nil }

    deinit { for list in lists.values { list.pool?.giveBack(list) } }

    subscript(name: String) -> ServedList? { lists[name] ?? (try? open(name)) }

    package func open(_ name: String) throws(SourceError) -> ServedList? {
        if let list = lists[name] { return list }
        guard let pool = service.lists[name] else { return nil }
        if let failure = failures[name], failure.retry > .now { throw failure.error }
        let opened = LockWaiting.$isAllowed.withValue(mayWait) {
            Result { () throws(SourceError) in try pool.take() }
        }
        switch opened {
        case .success(let list):
            list.owner = self
            list.isRelated = service.relations.relates(name)
            (lists[name], failures[name]) = (list, nil)
            return list
        case .failure(let error):
            failures[name] = (error, .now + Self.pause)
            throw error
        }
    }

    var isImmediate: Bool { service.names.allSatisfy { self[$0]?.isImmediate ?? false } }

    func adopt() {
        guard !service.isCurrent else { return }
        service = store.current
        failures = [:]
        for (name, list) in lists {
            if list.pool !== service.lists[name] { lists[name] = nil }
            list.isRelated = service.relations.relates(name)
        }
    }
}
