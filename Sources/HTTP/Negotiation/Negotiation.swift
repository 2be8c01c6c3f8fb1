/// Content negotiation: chooses the best offer for a client (RFC 9110 §12).
package enum Negotiation {
    /// Chooses a media type by an Accept field.
    ///
    /// The most specific range that matches a type sets its quality. A type with quality 0 is
    /// excluded. Equal qualities keep the server's order. Malformed members are ignored, and a
    /// field without a valid member counts as missing. A `charset` in a range is not compared,
    /// because every offer is UTF-8. A range with other parameters, such as `profile`, also matches
    /// a type without them if no other range matches it better.
    ///
    /// Without a field, `accept` is nil. The server's favourite comes first. Nil if no type is
    /// acceptable (406).
    package static func best(accept: String?, among offered: [MediaType]) -> MediaType? {
        guard let accept else { return offered.first }
        let ranges = WeightedList(accept).members.compactMap { MediaRange($0) }
        guard !ranges.isEmpty else { return offered.first }
        var best: (type: MediaType, quality: Int)?
        for type in offered {
            let quality = quality(of: type, in: ranges)
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        return best?.type
    }

    /// Chooses a content coding by an Accept-Encoding field (RFC 9110 §12.5.3).
    ///
    /// A missing field selects `identity`. The server's favourite comes first. Nil if no coding is
    /// acceptable, such as a refused `identity` (406).
    package static func best(
        acceptEncoding: String?,
        among offered: [ContentCoding]
    ) -> ContentCoding? {
        guard let acceptEncoding else { return offered.contains(.identity) ? .identity : nil }
        var qualities: [String: Int] = [:]
        for member in WeightedList(acceptEncoding).members where member.parameters.isEmpty {
            let name = member.name == "x-gzip" ? "gzip" : member.name
            qualities[name] = max(qualities[name] ?? 0, member.quality)
        }
        var best: (coding: ContentCoding, quality: Int)?
        for coding in offered {
            let quality = quality(of: coding, in: qualities)
            if quality > best?.quality ?? 0 { best = (coding, quality) }
        }
        return best?.coding
    }

    /// Chooses a language by an Accept-Language field (RFC 9110 §12.5.4; RFC 4647 §3.4, lookup).
    ///
    /// A range is cut at its last hyphen until it names an offered language, so that `de-AT` finds
    /// `de`. Equal qualities keep the client's order.
    ///
    /// The languages are in lower case, the server's favourite first, and at least one. Without a
    /// match the favourite is the result, not a refusal.
    package static func best(acceptLanguage: String?, among offered: [String]) -> String {
        guard let acceptLanguage else { return offered[0] }
        var best: (language: String, quality: Int)?
        for member in WeightedList(acceptLanguage).members where member.parameters.isEmpty {
            guard member.quality > best?.quality ?? 0,
                let language = lookUp(member.name, among: offered)
            else { continue }
            best = (language, member.quality)
        }
        return best?.language ?? offered[0]
    }

    private static func lookUp(_ range: String, among offered: [String]) -> String? {
        guard range != "*" else { return offered[0] }
        var parts = range.split(separator: "-")
        while !parts.isEmpty {
            let language = parts.joined(separator: "-")
            if offered.contains(language) { return language }
            parts.removeLast()
        }
        return nil
    }

    private static func quality(of type: MediaType, in ranges: [MediaRange]) -> Int {
        var best = (specificity: -1, quality: 0)
        for range in ranges {
            guard let specificity = range.specificity(for: type) else { continue }
            if (specificity, range.quality) > best { best = (specificity, range.quality) }
        }
        return best.quality
    }

    /// Returns the quality in two thousandths, so that an unnamed `identity` ranks last.
    private static func quality(of coding: ContentCoding, in qualities: [String: Int]) -> Int {
        if let quality = qualities[coding.rawValue] ?? qualities["*"] { return quality * 2 }
        return coding == .identity ? 1 : 0
    }
}

/// A coding of content for transfer (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    case identity
    /// RFC 1952; `x-gzip` is the same.
    case gzip
}

private struct MediaRange {
    private let type: String
    private let subtype: String
    private let parameters: [String]
    let quality: Int

    /// Nil if the member is not a media range.
    init?(_ member: WeightedList.Member) {
        let parts = member.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        guard parts[0] != "*" || parts[1] == "*" else { return nil }
        type = String(parts[0])
        subtype = String(parts[1])
        parameters = member.parameters.filter { !$0.hasPrefix("charset=") }
        quality = member.quality
    }

    /// Nil if the range does not match the type.
    ///
    /// It is 0 for `*/*`, 1 for `type/*`, and 2 for the type with parameters that the offer lacks.
    /// It is 3 or more for the type with its parameters.
    func specificity(for offered: MediaType) -> Int? {
        if type == "*" { return parameters.isEmpty ? 0 : nil }
        guard type == offered.type else { return nil }
        if subtype == "*" { return parameters.isEmpty ? 1 : nil }
        guard subtype == offered.subtype else { return nil }
        let own = offered.parameters?.split(separator: ";").map { $0.trimmingASCIIBlanks() } ?? []
        return parameters.allSatisfy(own.contains) ? 3 + parameters.count : 2
    }
}
