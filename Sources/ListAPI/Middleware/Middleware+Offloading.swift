import HTTP
import Listings
import System

extension Middleware {
    func needsWorker(_ call: inout Call) -> Bool {
        guard loop.workers != nil, case .found(let route, let captures) = call.findRoute() else {
            return false
        }
        switch route {
        case .live, .version, .metrics, .description, .asset, .problem, .documentation, .importing,
            .imported:
            return false
        case .program: return true
        case .directory where call.request.method == .post, .draft: return true
        case .directory, .ready, .lists: return !call.lists.isImmediate
        case .list where FormatSuffix(captures[0]).name.isEmpty: return !call.lists.isImmediate
        default: break
        }
        guard let name = call.listName else {
            return call.service.options.lists?.mayCheck ?? false
        }
        guard let endpoint = call.lists[name] else { return true }
        guard call.request.method.isReading else {
            // Writers wait for locks and the disk.
            return endpoint.writer != nil || !endpoint.isImmediate || endpoint.reader.isBlocking
        }
        // The loop has the streams, whose pages workers read.
        let isStream = route == .view && captures[1] == "changes"
        return !endpoint.isImmediate && !(isStream && ChangesHandler.wantsStream(call.request))
    }

    func offload(_ call: consuming Call, _ cached: ResponseCache.Response?) -> HTTPResponse {
        guard let workers = loop.workers else { preconditionFailure("no worker takes the request") }
        var response = HTTPResponse()
        call.canWait = call.canWait && loop.subscriptions.waker != nil
        let client = call.caller?.name.map { UInt64(truncatingIfNeeded: $0.hashValue) }
        response.deferral = Offload(call, of: client ?? sender.client, cached, for: self, workers)
        return response
    }

    func finish(_ call: consuming Call, _ cached: ResponseCache.Response?) -> HTTPResponse {
        if call.service !== loop.service {
            // A page of a former service is not cached.
            call.cacheable = nil
            call.renew()
        }
        if call.cachedIsCurrent, let cached {
            send(cached, &call)
        } else if call.clientIsCurrent {
            RequestDispatcher.respond(to: &call)
            finishUnlessWaiting(&call)
        } else {
            finish(&call)
        }
        return call.response
    }
}
