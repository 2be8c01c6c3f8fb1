import HTTP
import Rendering

/// The negotiated format of a response, and the suffix that named it.
struct Representation {
    let format: PageFormat
    /// The format in the suffix of the address; nil without one.
    let suffix: PageFormat?

    /// Chooses a format; the result is nil when none is acceptable.
    ///
    /// - Parameters:
    ///   - suffix: The format in the suffix of the address, which wins.
    ///   - accept: The Accept field; nil accepts everything.
    ///   - formats: The formats of the address, the preferred one first.
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

    /// Takes the format of a response that is sent even if it is not acceptable.
    init(forced format: PageFormat, suffix: PageFormat?) {
        self.format = format
        self.suffix = suffix
    }
}

/// The last choice of a format, cached because parsing Accept fields is slow.
///
/// Most requests have the same Accept field as the one before.
struct RepresentationChoice {
    private var known: (formats: [PageFormat], suffix: PageFormat?, accept: String?)?
    private var representation: Representation?

    /// Returns the chosen format; nil when none is acceptable.
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
    /// The media type for negotiation.
    var negotiated: MediaType {
        let parts = mediaType.description.split(separator: "/")
        return MediaType(String(parts[0]), String(parts[1]))
    }
}
