import HTTP
import Listings
import System

/// Requests that workers handle.
extension Middleware {
    /// Whether a worker handles a request.
    ///
    /// The loop handles what reads no list, and lists that it may read.
    func needsWorker(
        _ request: borrowing HTTPRequest,
        in context: inout RequestContext
    ) -> Bool {
        guard loop.workers != nil else { return false }
        let match = RequestDispatcher.match(request, in: context)
        context.match = match
        guard case .found(let route, let captures) = match else { return false }
        context.trace.route = route
        switch route {
        case .live, .version, .metrics, .description, .asset, .problem, .documentation, .importing,
            .imported:
            return false
        case .program: return true
        case .directory, .ready, .lists: return !context.lists.isImmediate
        case .list where FormatSuffix(captures[0]).name.isEmpty:
            return !context.lists.isImmediate
        default: break
        }
        guard let name = context.listName(at: request.path) else {
            return context.service.options.lists?.mayLook ?? false
        }
        guard let endpoint = context.lists[name] else { return true }
        guard request.method.isReading else {
            // Writers wait for locks and the disk.
            return endpoint.writer != nil || !endpoint.isImmediate || endpoint.reader.isBlocking
        }
        // The loop has the streams, whose pages workers read.
        let isStream = route == .view && captures[1] == "changes"
        return !endpoint.isImmediate && !(isStream && ChangesHandler.wantsStream(request))
    }

    /// Offloads a request to a worker.
    func offload(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext,
        since start: MonotonicTime,
        _ cached: ResponseCache.Response?,
        with response: inout HTTPResponse
    ) {
        guard let workers = loop.workers else { preconditionFailure("no worker takes the request") }
        response.reset()
        let offloaded = OffloadedRequest(request, in: context, cached?.source)
        response.deferral = Offload(offloaded, since: start, cached, for: self, workers)
    }

    /// Completes the response to an offloaded request.
    ///
    /// - Throws: The error of the handler.
    func finish(
        _ offload: Offload,
        with result: consuming OffloadedResponse,
        _ response: inout HTTPResponse
    ) throws {
        let (offloaded, start) = (offload.offloaded, offload.start)
        let request = offloaded.request
        var context = offloaded.resume(loop, result.trace)
        context.problem = result.problem
        if result.isUnchanged, let cached = offload.cached {
            return send(cached, request, in: &context, with: &response, since: start)
        }
        if result.waitsForChange {
            context.clientIsCurrent = true
            RequestDispatcher.respond(to: request, in: &context, with: &response)
            return finishUnlessWaiting(&response, to: request, in: &context, since: start)
        }
        if let refusal = result.refusal {
            context.refuse(refusal, request, with: &response)
        } else {
            // A page of a former service is not cached.
            let isOfNow =
                result.service === loop.service && result.callerScope == context.callerScope
            context.cacheable = isOfNow ? result.cacheable : nil
            response = result.response
        }
        finish(&response, to: request, in: &context, since: start)
    }
}
