import HTTP
import Listings

/// A request that an event loop offloads to a worker, with its context.
struct OffloadedRequest: Sendable {
    /// The identity of a page in the loop's cache whose version the loop could not check in time.
    struct CachedRemotePage: Sendable {
        let segment: String?
        let version: ListVersion
    }

    let request: HTTPRequest
    /// The ID of the request in the response and the log.
    let id: String
    /// The caller, which the gateway has admitted.
    let caller: Caller?
    /// The requested list; nil for a request of no list.
    let list: String?
    /// The loop's facts about the list and its segments.
    let findings: [String: any Sendable]
    let kept: CachedRemotePage?
    /// Whether the response may be delayed until the page changes.
    let mayWait: Bool
}

/// The response of a worker's service to an offloaded request.
///
/// May be sent to another thread, because the worker gives it away and uses no part of it
/// afterwards.
struct OffloadedResponse: ~Copyable, @unchecked Sendable {
    /// The response without the gateway's additions; empty where the cached page is still valid.
    var response = HTTPResponse()
    /// Whether the cached page is still valid.
    var isUnchanged = false
    /// Whether the client has the current page and waits for a change.
    var waitsForChange = false
    /// The log data of the request.
    var trace = RequestTrace()
    /// The problems that were sent, for the loop to count.
    var problems: [ProblemKind] = []
    /// The number of reloads that the worker's service had adopted.
    var reloadGeneration = 0
    /// The rendered page, with the endpoint of the worker's service.
    var cacheable: CacheableResponse?
    /// The scope of the caller that the page is for.
    var callerScope: UInt64 = 0
    /// The worker's facts about the list and its segments.
    var findings: [String: any Sendable] = [:]
    /// The error that prevented a response.
    var error: (any Error)?
    /// Whether no worker was available.
    var isOverload = false
}
