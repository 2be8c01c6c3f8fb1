import HTTP
import Listings

/// The client's preferences for the response (RFC 7240); §2 says to ignore unknown ones.
struct Preferences: Hashable, Sendable {
    /// Whether a response without content is sufficient: `return=minimal`.
    private(set) var wantsMinimal = false
    /// Whether the client prefers the content: `return=representation`.
    private(set) var wantsRepresentation = false
    /// Whether to do as much as possible despite errors: `handling=lenient`.
    private(set) var isLenient = false
    /// The extent of counting: `count=exact` and the other words of the parameter.
    private(set) var counting: ListQuery.Counting?

    /// The number of seconds that the client is willing to wait: `wait=30`.
    private(set) var wait: Int?

    /// Reads the Prefer field; the first of repeated preferences applies.
    init(_ request: borrowing HTTPRequest) {
        var seen: Set<Substring> = []
        for part in (request.field("Prefer") ?? "").lowercased().split(separator: ",") {
            let preference = (part.split(separator: ";").first ?? "").filter {
                $0 != " " && $0 != "\t" && $0 != "\""
            }
            let words = preference.split(separator: "=", maxSplits: 1)
            guard words.count == 2, seen.insert(words[0]).inserted else { continue }
            switch preference {
            case "return=minimal": wantsMinimal = true
            case "return=representation": wantsRepresentation = true
            case "handling=lenient": isLenient = true
            default:
                if words[0] == "count" { counting = ListQuery.Counting(rawValue: String(words[1])) }
                if words[0] == "wait", words[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
                    wait = Int(words[1])
                }
            }
        }
    }
}
