import Bytes

/// Content that stays as it is while the server runs: a public file.
///
/// Answers conditions, ranges and codings as RFC 9110 asks. The plain and the compressed form are
/// two representations, so each has a strong tag of its own.
package struct StaticContent: Sendable {
    /// Where the bytes are.
    package enum Source: Sendable {
        /// In memory.
        case memory([UInt8])
        /// In an open file; the owner closes it when it is released.
        case file(owner: any AnyObject & Sendable, rawDescriptor: Int32, count: Int)

        /// The number of bytes.
        package var count: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .file(_, _, let count): count
            }
        }
    }

    /// What became of a request.
    package enum Outcome: Hashable, Sendable {
        /// The response is complete: 200, 206 or 304.
        case answered
        /// 412 is to be answered.
        case preconditionFailed
        /// 416 is to be answered; its Content-Range has been added.
        case rangeNotSatisfiable
        /// 406 is to be answered: the client refuses both the plain and the compressed form.
        case notAcceptable
    }

    /// What the bytes are.
    package let mediaType: MediaType
    /// The plain bytes.
    package let source: Source
    /// The bytes compressed; nil where that gains nothing.
    package let gzip: [UInt8]?
    /// Names the plain bytes: other bytes have another hash.
    package let hash: String
    /// When the bytes were written; nil when that is not known.
    package let lastModified: HTTPDate?

    /// Creates content.
    package init(
        _ source: Source,
        mediaType: MediaType,
        hash: String,
        gzip: [UInt8]? = nil,
        lastModified: HTTPDate? = nil
    ) {
        self.source = source
        self.mediaType = mediaType
        self.hash = hash
        self.gzip = gzip
        self.lastModified = lastModified
    }

    /// Answers a GET or HEAD request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cacheControl: How long the answer may be kept.
    ///   - now: The time of the answer.
    ///   - response: An empty response.
    /// - Returns: Whether it is answered, or which refusal is due.
    package func answer(
        _ request: borrowing HTTPRequest,
        cacheControl: StaticString,
        now: HTTPDate,
        with response: inout HTTPResponse
    ) -> Outcome {
        if gzip != nil { response.addField(.vary, "Accept-Encoding" as StaticString) }
        guard let coding = coding(for: request) else { return .notAcceptable }
        let tag = EntityTag(coding == .gzip ? hash + "-gzip" : hash, isWeak: false)
        let outcome = Preconditions(of: request)
            .judge(tag: tag, lastModified: lastModified, now: now)
        guard outcome != .failed else { return .preconditionFailed }
        var range = ByteRange.whole
        if outcome == .proceed, coding == .identity, request.method == .get,
            isRangeMeant(request, tag: tag, now: now)
        {
            range = ByteRange(request.field(.range), size: source.count)
        }
        if range == .unsatisfiable {
            response.addField(.contentRange, "bytes */\(source.count)")
            return .rangeNotSatisfiable
        }
        addFields(tag: tag, cacheControl: cacheControl, now: now, to: &response)
        if outcome == .notModified {
            response.status = .notModified
            return .answered
        }
        response.addField(.contentType, mediaType.value)
        fill(&response, coding: coding, range: range)
        return .answered
    }

    /// Parts are parts of the plain bytes; nobody asks for parts of the compressed ones.
    private func coding(for request: borrowing HTTPRequest) -> ContentCoding? {
        let isPart = request.hasField(.range) && request.method == .get
        let offered: [ContentCoding] =
            gzip == nil ? [.identity] : isPart ? [.identity, .gzip] : [.gzip, .identity]
        let accepted = request.field(.acceptEncoding)
        let best = Negotiation.best(acceptEncoding: accepted, among: offered)
        guard isPart, best == .gzip else { return best }
        return Negotiation.best(acceptEncoding: accepted, among: [.identity]) ?? .gzip
    }

    /// Whether If-Range lets the Range field count (RFC 9110 §13.1.5): a strong tag or the exact
    /// date.
    private func isRangeMeant(
        _ request: borrowing HTTPRequest,
        tag: EntityTag,
        now: HTTPDate
    ) -> Bool {
        guard let value = request.field(.ifRange) else { return true }
        if let condition = EntityTagCondition(parsing: value), condition != .any {
            return condition.matchesStrongly(tag)
        }
        guard let lastModified, let date = HTTPDate(parsing: value, now: now) else { return false }
        return date == lastModified
    }

    private func addFields(
        tag: EntityTag,
        cacheControl: StaticString,
        now: HTTPDate,
        to response: inout HTTPResponse
    ) {
        response.addField(.cacheControl, cacheControl)
        response.addField(.etag) { tag.write(into: &$0) }
        if let lastModified {
            // Never later than Date (RFC 9110 §8.8.2.1).
            response.addField(.lastModified) { min(lastModified, now).write(into: &$0) }
        }
        response.addField(.acceptRanges, "bytes" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
    }

    private func fill(_ response: inout HTTPResponse, coding: ContentCoding, range: ByteRange) {
        if coding == .gzip, let gzip {
            response.addField(.contentEncoding, "gzip" as StaticString)
            response.body.append(gzip)
            return
        }
        var part = 0..<source.count
        if case .part(let wanted) = range {
            part = wanted
            response.status = .partialContent
            response.addField(.contentRange) { value in
                value.append("bytes ")
                value.append(decimal: wanted.lowerBound)
                value.append(UInt8(ascii: "-"))
                value.append(decimal: wanted.upperBound - 1)
                value.append(UInt8(ascii: "/"))
                value.append(decimal: source.count)
            }
        }
        switch source {
        case .memory(let bytes):
            response.body.append(bytes.span.extracting(part))
        case .file(let owner, let rawDescriptor, _):
            response.file = HTTPFilePart(
                owner: owner,
                rawDescriptor: rawDescriptor,
                offset: Int64(part.lowerBound),
                count: part.count
            )
        }
    }
}
