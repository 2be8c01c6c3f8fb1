import Bytes
import HTTP
import Listings

/// A cache of one event loop's responses, which are valid while their list has the same version.
///
/// The key consists of the target, the negotiation fields as sent, and the scope of the caller. The
/// entry of a repeated target also holds its ``PreparedRequest``. The page is rendered from it when
/// the list has another version.
///
/// The cache is bounded in bytes. It evicts entries that were not requested since the last round of
/// the clock algorithm. Eviction takes constant time on average. A hit allocates nothing.
struct ResponseCache: ~Copyable {
    enum Finding {
        case current(Response)
        /// A response whose list version only a worker reads.
        case unsettled(Response)
        case prepared(PreparedRequest)
        case missing
    }

    final class Response {
        let source: CacheableResponse
        private let endpoint: ServedList
        fileprivate let fields: ByteBuffer
        fileprivate let body: SharedBody
        fileprivate let unchangedFields: ByteBuffer
        fileprivate let gzipTag: EntityTag

        fileprivate init(
            _ source: CacheableResponse,
            of endpoint: ServedList,
            _ response: borrowing HTTPResponse
        ) {
            self.source = source
            self.endpoint = endpoint
            gzipTag = CodedTag.gzip(source.tag)
            fields = response.fieldLines.copy()
            body = SharedBody(response.body.copy())
            var lines = ByteBuffer()
            response.writeFields(except: ResponseCache.fieldsOfContent, to: &lines)
            unchangedFields = lines.copy()
        }

        fileprivate var byteCount: Int { fields.count + body.count + unchangedFields.count + 256 }

        /// Nil where reading the version could wait; false for a list that cannot be read.
        fileprivate func isCurrent(mayWait: Bool) -> Bool? {
            guard !endpoint.isRetired else { return false }
            do throws(SourceError) {
                guard let current = try endpoint.reader.version(mayWait: mayWait) else {
                    return nil
                }
                return current == source.version && !endpoint.reader.isStale
            } catch {
                return false
            }
        }
    }

    private final class Entry {
        let key: ByteBuffer
        let hash: Int
        let request: PreparedRequest?
        let response: Response?
        var isReferenced = true

        init(
            _ key: borrowing ByteBuffer,
            _ hash: Int,
            _ request: PreparedRequest?,
            _ response: Response?
        ) {
            self.key = key.copy()
            self.hash = hash
            self.request = request
            self.response = response
        }

        var byteCount: Int {
            key.count + 256 + (response?.byteCount ?? 0)
                + (request == nil ? 0 : ResponseCache.bytesOfPreparedRequest)
        }
    }

    /// The fields that a 304 leaves out, and the tag, which depends on the client.
    private static let fieldsOfContent: [FieldName] = [
        .contentType, .contentEncoding, .etag, .link, "preference-applied",
    ]
    private static let bytesOfPreparedRequest = 4_096
    private static let maximumKeyBytes = 2_048
    private static let bytesWithoutResponses = 256 * 1_024

    private let keepsResponses: Bool
    private let maximumBytes: Int
    private var entries: [Entry?] = []
    private var freeSlots: [Int] = []
    private var slotOfHash: [Int: Int] = [:]
    private(set) var byteCount = 0
    private(set) var responseCount = 0
    private var hand = 0
    private var key = ByteBuffer()
    private var hash = 0
    private var isCacheable = false
    private var clientTags = ByteBuffer()
    private var keySource: (head: UInt64, scope: UInt64)?

    /// Zero bytes cache no responses.
    init(maximumBytes: Int) {
        keepsResponses = maximumBytes > 0
        self.maximumBytes = keepsResponses ? maximumBytes : Self.bytesWithoutResponses
    }

    /// A found response is ready to be sent by ``send(_:_:from:with:)``.
    mutating func find(
        _ request: borrowing HTTPRequest,
        from scope: UInt64,
        mayWait: Bool
    ) -> Finding {
        guard readKey(of: request, from: scope), let entry = entry() else { return .missing }
        entry.isReferenced = true
        if let response = entry.response {
            switch response.isCurrent(mayWait: mayWait) {
            case true?: return .current(response)
            case false?: break
            case nil: return .unsettled(response)
            }
        }
        return entry.request.map { .prepared($0) } ?? .missing
    }

    private func entry() -> Entry? {
        guard let slot = slotOfHash[hash], let entry = entries[slot], entry.key.isEqual(to: key)
        else { return nil }
        return entry
    }

    mutating func send(
        _ cached: Response,
        _ request: borrowing HTTPRequest,
        from scope: UInt64,
        with response: inout HTTPResponse
    ) {
        // The key may be of another request if this one has waited for a worker.
        _ = readKey(of: request, from: scope)
        guard let tag = clientTag(request, cached) else {
            response.addFields(cached.fields)
            response.sharedBody = cached.body
            return
        }
        response.status = .notModified
        response.addFields(cached.unchangedFields)
        response.addField(.etag) { tag.write(into: &$0) }
    }

    mutating func insert(_ call: borrowing Call, _ lists: OpenLists) {
        guard readKey(of: call.request, from: call.callerScope) else { return }
        let prepared = call.prepared
        let known = slotOfHash[hash]
        let isRepeated = entry() != nil
        var cached: Response?
        if keepsResponses, let source = call.cacheable, call.response.status == .ok,
            call.response.stream == nil, let endpoint = source.endpoint(in: lists)
        {
            let new = Response(source, of: endpoint, call.response)
            cached = new.byteCount <= maximumBytes / 4 ? new : nil
        }
        if cached == nil, prepared == nil { return }
        if cached == nil, let known, entries[known]?.request === prepared { return }
        if let known { remove(known) }
        let entry = Entry(key, hash, isRepeated ? prepared : nil, cached)
        makeRoom(for: entry.byteCount)
        byteCount += entry.byteCount
        responseCount += cached == nil ? 0 : 1
        let slot = freeSlots.popLast() ?? entries.count
        if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
        slotOfHash[hash] = slot
    }

    mutating func removeAll() {
        self = ResponseCache(maximumBytes: keepsResponses ? maximumBytes : 0)
    }

    /// Returns whether the response may be cached.
    private mutating func readKey(of request: borrowing HTTPRequest, from scope: UInt64) -> Bool {
        if let keySource, keySource.head == request.headNumber, keySource.scope == scope {
            return isCacheable
        }
        keySource = request.headNumber.map { ($0, scope) }
        isCacheable = writeKey(of: request, from: scope)
        return isCacheable
    }

    private mutating func writeKey(of request: borrowing HTTPRequest, from scope: UInt64) -> Bool {
        key.removeAll()
        clientTags.removeAll()
        guard request.method == .get || request.method == .head, !request.hasField(.ifMatch)
        else { return false }
        key.append(hexadecimal: scope)
        key.append(UInt8(ascii: " "))
        request.writeTarget(to: &key)
        if request.hasExternalAddress {
            key.append(4)
            key.append(request.basePath.text)
        }
        key.append(0)
        request.writeValues(of: .accept, to: &key)
        key.append(1)
        request.writeValues(of: .acceptLanguage, to: &key)
        key.append(2)
        request.writeValues(of: .prefer, to: &key)
        key.append(3)
        request.writeValues(of: .acceptEncoding, to: &key)
        hash = key.hashOfProcess()
        request.writeValues(of: .ifNoneMatch, to: &clientTags)
        return key.count <= Self.maximumKeyBytes
    }

    private func clientTag(_ request: borrowing HTTPRequest, _ cached: Response) -> EntityTag? {
        guard !clientTags.isEmpty else { return nil }
        // Clients almost always send one tag, as they received it.
        if clientTags.ends(with: cached.source.tag) { return cached.source.tag }
        if clientTags.ends(with: cached.gzipTag) { return cached.gzipTag }
        return request.field(.ifNoneMatch).flatMap { CodedTag.known($0, of: cached.source.tag) }
    }

    private mutating func makeRoom(for count: Int) {
        while byteCount + count > maximumBytes, !slotOfHash.isEmpty {
            hand = hand < entries.count ? hand : 0
            if let entry = entries[hand] {
                if entry.isReferenced { entry.isReferenced = false } else { remove(hand) }
            }
            hand += 1
        }
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = entries[slot] else { return }
        entries[slot] = nil
        slotOfHash[entry.hash] = nil
        freeSlots.append(slot)
        byteCount -= entry.byteCount
        responseCount -= entry.response == nil ? 0 : 1
    }
}

extension ByteBuffer {
    fileprivate borrowing func copy() -> ByteBuffer {
        var copy = ByteBuffer(minimumCapacity: count)
        copy.append(self)
        return copy
    }

    fileprivate borrowing func ends(with tag: EntityTag) -> Bool {
        let opaque = tag.opaque.utf8.span
        guard tag.isWeak, count == opaque.count + 5 else { return false }
        return withBytes { bytes in
            guard bytes[1] == UInt8(ascii: "W"), bytes[2] == UInt8(ascii: "/"),
                bytes[3] == UInt8(ascii: "\""), bytes[count - 1] == UInt8(ascii: "\"")
            else { return false }
            return bytes.extracting(4..<count - 1).equals(opaque)
        }
    }
}

final class CacheableResponse: Sendable {
    let tag: EntityTag
    let list: String
    let segment: String?
    let version: ListVersion
    let trace: RequestTrace

    init(
        tag: EntityTag,
        list: String,
        segment: String?,
        version: ListVersion,
        trace: RequestTrace
    ) {
        self.tag = tag
        self.list = list
        self.segment = segment
        self.version = version
        self.trace = trace
    }

    fileprivate func endpoint(in lists: OpenLists) -> ServedList? {
        lists[list]?.endpoint(ofSegmentOrNil: segment)
    }
}

extension Page {
    var isCacheable: Bool {
        failures.isEmpty && !isStale && version.isLasting && facets.count == query.facets.count
            && aggregates.count == query.aggregates.count
            && statistics?.column == query.statistics
            && (query.counting == .off || total != nil && sections.allSatisfy { $0.count != nil })
    }
}

/// A hash of texts that is the same in every process (FNV-1a, RFC 9923).
struct FNV1a {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    mutating func add(_ buffer: borrowing ByteBuffer) {
        buffer.withBytes { bytes in for index in bytes.indices { add(bytes[index]) } }
    }

    mutating func add(mark: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { add(UInt8(truncatingIfNeeded: mark >> shift)) }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    static func of(_ texts: [String]) -> UInt32 {
        var mark = FNV1a()
        for text in texts {
            mark.add(text)
            mark.add(0xFF)
        }
        return mark.value
    }
}
