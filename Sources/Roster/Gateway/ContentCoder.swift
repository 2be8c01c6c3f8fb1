import Bytes
import Compression
import HTTP

/// Compresses answers for clients that want it (RFC 9110 §12.5.3).
///
/// One per event loop: the encoder's state and the second buffer are used for every answer.
final class ContentCoder {
    /// The bytes from which on compressing pays: below, both forms fill one packet.
    static let minimumBytes = 1024

    /// What became of an answer.
    enum Outcome: Hashable {
        /// It may be sent.
        case ready
        /// 406 is to be answered: the client refuses the only form there is.
        case notAcceptable
    }

    private var encoder: GzipEncoder?
    /// The type that was asked about last: most answers have the same.
    private var judged = (type: "", isCompressible: false)
    private var spare = ByteBuffer(minimumCapacity: 16 * 1024)

    /// Codes an answer as the client wants it.
    ///
    /// A strong tag names exact bytes that a write may ask for, so what has one stays as it is; a
    /// weak one gets a suffix.
    func code(
        _ response: inout HTTPResponse,
        for request: borrowing HTTPRequest
    ) -> Outcome {
        guard !isLeftAlone(&response) else { return .ready }
        let accepted = request.field(.acceptEncoding)
        let isCompressible = isCompressible(response)
        if isCompressible { addVary(to: &response) }
        // Who asks for nothing gets what there is.
        if accepted == nil, response.status != .notModified { return .ready }
        let tag = response.field(.etag)
        if response.status == .notModified {
            if let tag, let known = request.field(.ifNoneMatch) {
                renew(tag, knownAs: known, in: &response)
            }
            return .ready
        }
        let hasStrongTag = tag?.hasPrefix("\"") ?? false
        let mayCompress = isCompressible && !hasStrongTag
        let offered: [ContentCoding] = mayCompress ? [.gzip, .identity] : [.identity]
        switch Negotiation.best(acceptEncoding: accepted, among: offered) {
        case nil:
            return response.status.code < 400 ? .notAcceptable : .ready
        case .identity:
            return .ready
        case .gzip:
            // A small one is compressed only where nothing else is accepted.
            let refusesIdentity =
                Negotiation.best(acceptEncoding: accepted, among: [.identity]) == nil
            let isLarge = response.stream != nil || response.body.count >= Self.minimumBytes
            guard isLarge || refusesIdentity else { return .ready }
            compress(&response, tag: tag)
            return .ready
        }
    }

    /// Whether a request does something and does not accept an answer without a coding, which those
    /// have that name a row: to be found out before it is done.
    static func refusesAnswer(toWriting request: borrowing HTTPRequest) -> Bool {
        switch request.method {
        case .post, .put, .patch, .delete:
            let accepted = request.field(.acceptEncoding)
            return Negotiation.best(acceptEncoding: accepted, among: [.identity]) == nil
        case .get, .head, .options, .trace, .query, .connect: return false
        }
    }

    private func isLeftAlone(_ response: inout HTTPResponse) -> Bool {
        if response.file != nil || response.isLasting { return true }
        switch response.status {
        case .noContent, .partialContent, .rangeNotSatisfiable: return true
        default: break
        }
        let added = response.addedFields
        return added.mayHold(.contentEncoding) && response.field(.contentEncoding) != nil
            || added.mayHold(.acceptRanges) && response.field(.acceptRanges) != nil
    }

    private func isCompressible(_ response: borrowing HTTPResponse) -> Bool {
        if response.isField(.contentType, judged.type) { return judged.isCompressible }
        // A 304 says no type; it has the fields of the answer that would be compressed.
        guard let value = response.field(.contentType) else {
            return response.status == .notModified
        }
        let essence = value.prefix { $0 != ";" }
        let parts = essence.split(separator: "/")
        guard parts.count == 2 else { return false }
        judged = (value, MediaType(String(parts[0]), String(parts[1])).isCompressible)
        return judged.isCompressible
    }

    private func addVary(to response: inout HTTPResponse) {
        guard response.addedFields.mayHold(.vary) else {
            return response.addField(.vary, "Accept-Encoding" as StaticString)
        }
        guard !response.holds("Accept-Encoding", in: .vary) else { return }
        guard let vary = response.field(.vary) else {
            return response.addField(.vary, "Accept-Encoding" as StaticString)
        }
        response.removeField(.vary)
        response.addField(.vary, "\(vary), Accept-Encoding")
    }

    private func compress(_ response: inout HTTPResponse, tag: String?) {
        if let stream = response.stream {
            guard let encoder = GzipEncoder() else { return }
            response.stream = GzipStream(stream, encoder)
        } else {
            guard let encoder = encoder ?? GzipEncoder() else { return }
            self.encoder = encoder
            spare.removeAll(keepingAtMost: 256 * 1024)
            response.body.withBytes { encoder.compress($0, into: &spare) }
            swap(&response.body, &spare)
        }
        response.addField(.contentEncoding, "gzip" as StaticString)
        guard let tag else { return }
        response.removeField(.etag)
        response.addField(.etag, CodedTag.gzip(tag))
    }

    /// Gives the tag of the form the client has.
    private func renew(_ tag: String, knownAs known: String, in response: inout HTTPResponse) {
        let coded = CodedTag.gzip(tag)
        guard tag.hasPrefix("W/"), known.contains(coded.dropFirst(2)) else { return }
        response.removeField(.etag)
        response.addField(.etag, coded)
    }
}

/// The tags of compressed answers.
enum CodedTag {
    private static let suffix = "-gzip"

    /// The tag of the compressed form: `W/"a"` becomes `W/"a-gzip"`.
    static func gzip(_ tag: String) -> String { "\(tag.dropLast())\(suffix)\"" }

    /// The tag of the compressed form.
    static func gzip(_ tag: EntityTag) -> EntityTag {
        EntityTag(tag.opaque + suffix, isWeak: tag.isWeak)
    }

    /// The tag of the form that a client has by its If-None-Match field; nil when it has none.
    static func known(_ field: String, of tag: EntityTag) -> EntityTag? {
        guard let condition = EntityTagCondition(parsing: field) else { return nil }
        let coded = gzip(tag)
        guard condition.matchesWeakly(tag) || tag.isWeak && condition.matchesWeakly(coded) else {
            return nil
        }
        return tag.isWeak && field.contains("\"\(coded.opaque)\"") ? coded : tag
    }
}
