import Bytes
import HTTP
import System

/// Each event loop has one, because the encoder state and the second buffer are reused.
final class ResponseCompressor {
    /// The minimum size to compress; a smaller response fits in one packet either way.
    static let minimumBytes = 1024

    enum Outcome: Hashable {
        case ready
        /// The response must be 406, because the client refuses the only available coding.
        case notAcceptable
    }

    private var encoder: GzipEncoder?
    /// The last checked media type, because most responses have the same one.
    private var judged = (type: "", isCompressible: false)
    private var spare = ByteBuffer(minimumCapacity: 16 * 1024)

    /// A response with a strong tag is not compressed, because writes use the tag for exact bytes.
    func code(
        _ response: inout HTTPResponse,
        for request: borrowing HTTPRequest
    ) -> Outcome {
        guard !isLeftAlone(&response) else { return .ready }
        let accepted = request.field(.acceptEncoding)
        let isCompressible = isCompressible(response)
        if isCompressible { addVary(to: &response) }
        // Without Accept-Encoding, the client gets the uncoded response.
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
            // A small response is compressed only if the client refuses the uncoded one.
            let refusesIdentity =
                Negotiation.best(acceptEncoding: accepted, among: [.identity]) == nil
            let isLarge = response.stream != nil || response.body.count >= Self.minimumBytes
            guard isLarge || refusesIdentity else { return .ready }
            compress(&response, tag: tag)
            return .ready
        }
    }

    /// Responses about a row are uncoded, so the check must come before the write.
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
        // A 304 has no type, but has the fields of the response that would be compressed.
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

    private func renew(_ tag: String, knownAs known: String, in response: inout HTTPResponse) {
        let coded = CodedTag.gzip(tag)
        guard tag.hasPrefix("W/"), known.contains(coded.dropFirst(2)) else { return }
        response.removeField(.etag)
        response.addField(.etag, coded)
    }
}

enum CodedTag {
    private static let suffix = "-gzip"

    /// Returns the tag of the compressed response: `W/"a"` becomes `W/"a-gzip"`.
    static func gzip(_ tag: String) -> String { "\(tag.dropLast())\(suffix)\"" }

    static func gzip(_ tag: EntityTag) -> EntityTag {
        EntityTag(tag.opaque + suffix, isWeak: tag.isWeak)
    }

    static func known(_ field: String, of tag: EntityTag) -> EntityTag? {
        guard let condition = EntityTagCondition(parsing: field) else { return nil }
        let coded = gzip(tag)
        guard condition.matchesWeakly(tag) || tag.isWeak && condition.matchesWeakly(coded) else {
            return nil
        }
        return tag.isWeak && field.contains("\"\(coded.opaque)\"") ? coded : tag
    }
}

final class GzipStream: HTTPBodyStream {
    private let stream: any HTTPBodyStream
    private let encoder: GzipEncoder
    private var piece = ByteBuffer(minimumCapacity: 16 * 1024)

    init(_ stream: any HTTPBodyStream, _ encoder: GzipEncoder) {
        self.stream = stream
        self.encoder = encoder
        encoder.begin()
    }

    func begin(waker: HTTPStreamWaker) { stream.begin(waker: waker) }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        piece.removeAll()
        let before = buffer.count
        let state = try stream.write(into: &piece)
        if piece.count > 0 { piece.withBytes { encoder.write($0, into: &buffer) } }
        if state == .finished { encoder.finish(into: &buffer) }
        // The encoder may take much input before any output, so other connections get a turn.
        return state == .more && buffer.count == before ? .waiting(atMost: .zero) : state
    }
}
