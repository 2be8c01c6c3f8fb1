import HTTP
import Listings

/// What a client would like of the answer (RFC 7240); what is not known is ignored, as §2 asks.
struct Preferences: Hashable, Sendable {
    /// Whether an answer without content is enough: `return=minimal`.
    private(set) var wantsMinimal = false
    /// Whether the client asks for the content: `return=representation`.
    private(set) var wantsRepresentation = false
    /// Whether as much is to be done as can be: `handling=lenient`.
    private(set) var isLenient = false
    /// How far rows are to be counted: `count=exact` and the other words of the parameter.
    private(set) var counting: ListQuery.Counting?

    /// How many seconds the client would wait for an answer that is worth it: `wait=30`.
    private(set) var wait: Int?

    /// Reads the field Prefer; of a preference that stands twice the first counts.
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
