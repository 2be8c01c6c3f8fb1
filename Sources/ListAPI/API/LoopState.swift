import HTTP

final class LoopState {
    let lists: OpenLists
    let metrics: ServiceMetrics
    let subscriptions: Subscriptions
    private var ids = RequestID.Sequence()

    init(_ store: ServiceStore) {
        lists = OpenLists(of: store)
        let options = lists.service.options
        metrics = ServiceMetrics(lists: store.countedNames)
        if options.operations != .alone { options.metrics.add(metrics) }
        subscriptions = Subscriptions(options.changeSignal)
        lists.loop = self
        for name in lists.service.names { _ = lists[name] }
    }

    var service: Service { lists.service }
    var workers: ServiceWorkers? { lists.workers }

    func share(_ workers: ServiceWorkers) {
        lists.workers = workers
        subscriptions.workers = workers
    }

    func call(
        _ request: HTTPRequest,
        below base: BasePath? = nil,
        filling response: consuming HTTPResponse = HTTPResponse()
    ) -> Call {
        Call(request, lists, id(of: request), below: base, filling: response)
    }

    func id(of request: borrowing HTTPRequest) -> RequestID { RequestID(of: request) ?? ids.next() }
}
