import HTTP
import Listings
import System

/// Requests that workers handle.
extension Middleware {
    /// Offloads a request to a worker.
    func offload(
        _ request: borrowing HTTPRequest,
        in context: borrowing RequestContext,
        since start: MonotonicTime,
        _ cached: ResponseCache.Response?,
        with response: inout HTTPResponse
    ) {
        guard let workers else { preconditionFailure("no worker takes the request") }
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
        var context = offloaded.resume(state, result.trace)
        context.problems = result.problems
        if result.isUnchanged, let cached = offload.cached {
            return send(cached, request, in: &context, with: &response, since: start)
        }
        if request.method.isReading { state.learn(result.findings, of: offloaded.list) }
        if result.waitsForChange {
            context.clientIsCurrent = true
            do throws(SourceError) {
                try api.respond(to: request, in: &context, with: &response)
            } catch {
                context.refuse(error, request, with: &response)
            }
            return finishUnlessWaiting(&response, to: request, in: &context, since: start)
        }
        if let refusal = result.refusal {
            let cause =
                switch refusal {
                case .overload: "Too many requests are in progress."
                case .expired: "The request has waited too long for other writes."
                }
            let detail = "\(cause) Nothing was done; try again later."
            context.refuse(.unavailable, detail, request, with: &response)
        } else if let error = result.error {
            // A list that cannot be opened now may be readable later.
            context.refuse(error, request, with: &response)
        } else {
            // A page rendered before a reload is not cached after it.
            let isOfNow =
                result.reloadGeneration == state.reloadGeneration
                && result.callerScope == context.callerScope
            context.cacheable = isOfNow ? result.cacheable.flatMap(state.own) : nil
            response = result.response
            if let export = response.stream as? ExportStream, !state.adopt(export) {
                response.reset()
                context.refuse(SourceError.redefined, request, with: &response)
            }
        }
        finish(&response, to: request, in: &context, since: start)
    }
}
