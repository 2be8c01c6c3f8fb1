import Bytes

/// Content that does not change while the server runs: a public file.
///
/// It handles conditions, ranges and codings by RFC 9110. The uncompressed and the compressed form
/// are two representations, so each has its own strong tag.
package struct StaticContent: Sendable {
    package enum Source: Sendable {
        case memory([UInt8])
        /// In an open file; the owner closes it when it is released.
        case file(owner: any AnyObject & Sendable, rawDescriptor: Int32, count: Int)

        package var count: Int {
            switch self {
            case .memory(let bytes): bytes.count
            case .file(_, _, let count): count
            }
        }
    }

    package enum Outcome: Hashable, Sendable {
        /// The response is complete: 200, 206 or 304.
        case answered
        case preconditionFailed
        /// The response must be 416, and its Content-Range has been added.
        case rangeNotSatisfiable
        /// The response must be 406: the client accepts neither the uncompressed nor the compressed
        /// form.
        case notAcceptable
    }

    package let mediaType: MediaType
    package let source: Source
    /// Nil if compression gains nothing.
    package let gzip: [UInt8]?
    /// A hash of the uncompressed bytes, different for different bytes.
    package let hash: String
    package let lastModified: HTTPDate?

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

    /// The method is GET or HEAD.
    ///
    /// The response is empty.
    package func respond(
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

    /// Chooses the coding, uncompressed for ranges because no client requests parts of gzip bytes.
    private func coding(for request: borrowing HTTPRequest) -> ContentCoding? {
        let isPart = request.hasField(.range) && request.method == .get
        let offered: [ContentCoding] =
            gzip == nil ? [.identity] : isPart ? [.identity, .gzip] : [.gzip, .identity]
        let accepted = request.field(.acceptEncoding)
        let best = Negotiation.best(acceptEncoding: accepted, among: offered)
        guard isPart, best == .gzip else { return best }
        return Negotiation.best(acceptEncoding: accepted, among: [.identity]) ?? .gzip
    }

    /// Whether the Range field counts by If-Range (RFC 9110 §13.1.5): a strong tag or the exact
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
            // The date is never later than Date (RFC 9110 §8.8.2.1).
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
