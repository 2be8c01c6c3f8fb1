/// Chooses what suits a client best among what there is (RFC 9110 §12).
package enum Negotiation {
    /// Chooses a media type by an Accept field.
    ///
    /// The most specific range that matches a type gives it its quality; a type with quality 0 is
    /// excluded; equal qualities leave the server's order. Members that break the grammar are
    /// ignored, and a field without a valid member counts as missing. A `charset` in a range is not
    /// compared: what is offered is UTF-8. A range with other parameters, such as `profile`, names
    /// a type without them where no range names it better.
    ///
    /// - Parameters:
    ///   - accept: The field's value; nil when it was not sent.
    ///   - offered: What there is, the server's favourite first.
    /// - Returns: nil when nothing suits (406).
    package static func best(accept: String?, among offered: [MediaType]) -> MediaType? {
        guard let accept else { return offered.first }
        let ranges = QualityList(accept).members.compactMap { MediaRange($0) }
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
    /// - Parameters:
    ///   - acceptEncoding: The field's value; nil when it was not sent, which asks for `identity`.
    ///   - offered: What there is, the server's favourite first.
    /// - Returns: nil when nothing suits (406), which takes an explicit refusal of `identity`.
    package static func best(
        acceptEncoding: String?,
        among offered: [ContentCoding]
    ) -> ContentCoding? {
        guard let acceptEncoding else { return offered.contains(.identity) ? .identity : nil }
        var qualities: [String: Int] = [:]
        for member in QualityList(acceptEncoding).members where member.parameters.isEmpty {
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
    /// A range is cut at its last hyphen until it names a language there is, so that `de-AT` finds
    /// `de`. Equal qualities leave the client's order.
    ///
    /// - Parameters:
    ///   - acceptLanguage: The field's value; nil when it was not sent.
    ///   - offered: What there is, in lower case, the server's favourite first; not empty.
    /// - Returns: The favourite where nothing suits: a page in a foreign language beats none.
    package static func best(acceptLanguage: String?, among offered: [String]) -> String {
        guard let acceptLanguage else { return offered[0] }
        var best: (language: String, quality: Int)?
        for member in QualityList(acceptLanguage).members where member.parameters.isEmpty {
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

    /// In two thousandths, so that an `identity` nobody spoke of comes behind all that was named.
    private static func quality(of coding: ContentCoding, in qualities: [String: Int]) -> Int {
        if let quality = qualities[coding.rawValue] ?? qualities["*"] { return quality * 2 }
        return coding == .identity ? 1 : 0
    }
}

/// How content is coded for the way (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// As it is.
    case identity
    /// RFC 1952; `x-gzip` is the same.
    case gzip
}

/// One range of an Accept field.
private struct MediaRange {
    private let type: String
    private let subtype: String
    private let parameters: [String]
    let quality: Int

    /// nil when the member is not a media range.
    init?(_ member: QualityList.Member) {
        let parts = member.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        guard parts[0] != "*" || parts[1] == "*" else { return nil }
        type = String(parts[0])
        subtype = String(parts[1])
        parameters = member.parameters.filter { !$0.hasPrefix("charset=") }
        quality = member.quality
    }

    /// The closeness of the range to a type: 0 for `*/*`, 1 for `type/*`, 2 for the type with
    /// parameters that it does not have, 3 and more for the type itself with parameters; nil when it
    /// does not.
    func specificity(for offered: MediaType) -> Int? {
        if type == "*" { return parameters.isEmpty ? 0 : nil }
        guard type == offered.type else { return nil }
        if subtype == "*" { return parameters.isEmpty ? 1 : nil }
        guard subtype == offered.subtype else { return nil }
        let own = offered.parameters?.split(separator: ";").map { $0.trimmingASCIIBlanks() } ?? []
        return parameters.allSatisfy(own.contains) ? 3 + parameters.count : 2
    }
}
