import HTTP
import Listings

/// A request that a loop leaves to a thread that may wait, with what is known of it.
struct HandedRequest: Sendable {
    /// A page that the loop keeps, and cannot ask itself whether it still is what the list shows.
    struct KeptPage: Sendable {
        let segment: String?
        let version: ListVersion
    }

    let request: HTTPRequest
    /// What it is called in the answer and in the log.
    let id: String
    /// Who asks, whom the gateway has let in.
    let caller: Caller?
    /// The list that is asked for; nil for what is none's.
    let list: String?
    /// What the loop has found out about the list and its segments.
    let findings: [String: any Sendable]
    let kept: KeptPage?
    /// Whether the answer may be that there is none yet.
    let mayWait: Bool
}

/// The answer to a request that was left, as its service has made it.
///
/// May go to another thread, for it is given away: nothing of it is used any more where it was made.
struct HandedAnswer: ~Copyable, @unchecked Sendable {
    /// What is sent, as far as the gateway has nothing to add; empty where the kept page is still
    /// what the list shows.
    var response = HTTPResponse()
    /// Whether it is.
    var isUnchanged = false
    /// Whether who asked holds what there is, and waits for something else.
    var waitsForChange = false
    /// What is known of the request now.
    var trace = RequestTrace()
    /// The problems that it was told of, for the loop to count.
    var problems: [ProblemKind] = []
    /// The reloads that its service had adopted.
    var reloadGeneration = 0
    /// The page that was shown, of the endpoint that is on the other thread.
    var cacheable: CacheableResponse?
    /// The scope of the caller that it was shown to.
    var callerScope: UInt64 = 0
    /// What is known of the list and its segments now.
    var findings: [String: any Sendable] = [:]
    /// Why there is no answer.
    var error: (any Error)?
    /// Whether there was no thread to make one.
    var isOverload = false
}
