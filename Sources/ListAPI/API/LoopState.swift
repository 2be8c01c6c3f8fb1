/// The open lists of an event loop, its counters, and the pages that clients follow.
final class LoopState {
    let lists: OpenLists
    /// The counters of the loop.
    let metrics: ServiceMetrics
    /// The pages that clients follow.
    let subscriptions: Subscriptions
    /// The number of the last request without an id of its own.
    private var requestCount: UInt64 = 0

    init(_ store: ServiceStore) {
        lists = OpenLists(of: store)
        let options = lists.service.options
        metrics = ServiceMetrics(lists: store.countedNames)
        if options.operations != .alone { options.board.add(metrics) }
        subscriptions = Subscriptions(options.changeSignal)
        (lists.loop, lists.requestPrefix) = (self, RequestID.makePrefix())
        for name in lists.service.names { _ = lists[name] }
    }

    var service: Service { lists.service }
    /// The workers for requests that may wait; nil where the loop handles all.
    var workers: ServiceWorkers? { lists.workers }

    /// Hands requests that may wait to workers from now on.
    func share(_ workers: ServiceWorkers) {
        lists.workers = workers
        subscriptions.workers = workers
    }

    /// Returns the number of a request without an id of its own.
    func nextRequestNumber() -> UInt64 {
        requestCount += 1
        return requestCount
    }
}
