import HTTP
import Rendering

/// The format of an answer, and how the address asked for it.
struct Representation {
    let format: PageFormat
    /// The format, if the address named it by a suffix.
    let suffix: PageFormat?

    /// Chooses a format; the result is nil when none is acceptable.
    ///
    /// - Parameters:
    ///   - suffix: The format named by the address; wins.
    ///   - accept: The Accept field; nil accepts everything.
    ///   - formats: What the address offers, the preferred one first.
    init?(suffix: PageFormat?, accept: String?, among formats: [PageFormat]) {
        self.suffix = suffix
        if let suffix {
            guard formats.contains(suffix) else { return nil }
            format = suffix
            return
        }
        let types = formats.map(\.negotiated)
        guard let best = Negotiation.best(accept: accept, among: types),
            let index = types.firstIndex(of: best)
        else { return nil }
        format = formats[index]
    }

    /// The format of an answer that must be given, whatever is acceptable.
    init(forced format: PageFormat, suffix: PageFormat?) {
        self.format = format
        self.suffix = suffix
    }
}

/// The choice made last: most requests ask like the one before, and to read what a client accepts
/// takes as long as to draw twenty rows.
struct RepresentationChoice {
    private var known: (formats: [PageFormat], suffix: PageFormat?, accept: String?)?
    private var representation: Representation?

    /// Chooses a format; nil when none is acceptable.
    mutating func choice(
        among formats: [PageFormat],
        _ suffix: PageFormat?,
        accept: String?
    ) -> Representation? {
        if let known, known.accept == accept, known.suffix == suffix, known.formats == formats {
            return representation
        }
        representation = Representation(suffix: suffix, accept: accept, among: formats)
        known = (formats, suffix, accept)
        return representation
    }
}

extension PageFormat {
    /// The media type as negotiation knows it.
    var negotiated: MediaType {
        switch self {
        case .html: MediaType("text", "html")
        case .json: MediaType("application", "json")
        case .csv: MediaType("text", "csv")
        case .ndjson: MediaType("application", "x-ndjson")
        }
    }

    /// The value of the Content-Type field (RFC 9110 §8.3; RFC 4180 §3 for the header row).
    var contentType: StaticString {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .json: "application/json"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .ndjson: "application/x-ndjson"
        }
    }
}
