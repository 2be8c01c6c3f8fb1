import Bytes
import HTTP
import Listings

/// Answers of one event loop that are sent again for as long as the list they show is the same.
///
/// An answer is found by what chose it: the target, and the fields of negotiation, as they were
/// sent. What a list looks like is its version's business, so an answer is good while its list has
/// the version it was read at, and its entity tag tells who has it already (304). Nothing that
/// depends on who asks comes in.
///
/// Bounded in bytes: where there is no room, those go that were not asked for since the last round.
/// An answer that is found costs no allocation.
struct PageCache: ~Copyable {
    /// A list as it was when a page of it was read.
    struct State {
        let endpoint: ListEndpoint
        let version: ListVersion
        /// What is known of a request that is answered by the page.
        let trace: RequestTrace

        /// Whether the list is still the same; one that cannot be asked is not.
        var isCurrent: Bool {
            !endpoint.isRetired && (try? endpoint.reader.version()) == version
                && !endpoint.reader.isStale
        }
    }

    /// What there is for a request.
    enum Finding {
        /// The response was filled with this.
        case answered(Answer)
        /// There is an answer, good if the list is the same, which cannot be asked on this thread.
        case unsettled(Answer)
        /// There is nothing.
        case missing
    }

    /// The answer to one question in one representation.
    final class Answer {
        fileprivate let key: ByteBuffer
        fileprivate let hash: Int
        let state: State
        /// Its field lines and its body.
        fileprivate let fields: ByteBuffer
        fileprivate let body: KeptBody
        /// The field lines for who has it already, but its tag.
        fileprivate let unchangedFields: ByteBuffer
        /// The tag of the form that is not compressed, and of the one that is.
        fileprivate let tag: EntityTag
        fileprivate let gzipTag: EntityTag
        /// Whether it was asked for since the last round.
        fileprivate var isWanted = true

        fileprivate init(
            key: borrowing ByteBuffer,
            hash: Int,
            state: State,
            tag: EntityTag,
            response: borrowing HTTPResponse
        ) {
            self.key = key.copy()
            self.hash = hash
            self.state = state
            self.tag = tag
            gzipTag = CodedTag.gzip(tag)
            fields = response.fieldLines.copy()
            body = KeptBody(response.body.copy())
            var lines = ByteBuffer()
            response.writeFields(except: PageCache.fieldsOfContent, to: &lines)
            unchangedFields = lines.copy()
        }

        /// The memory it takes, what keeps it included.
        fileprivate var byteCount: Int {
            key.count + fields.count + body.count + unchangedFields.count + 512
        }
    }

    /// What describes content, and the tag: an answer to who has it already goes without.
    private static let fieldsOfContent: [FieldName] = [
        .contentType, .contentEncoding, .etag, .link, "preference-applied",
    ]

    private let maximumBytes: Int
    private var answers: [Answer?] = []
    private var freeSlots: [Int] = []
    private var slotOfHash: [Int: Int] = [:]
    /// The memory that the answers take.
    private(set) var byteCount = 0
    /// Where the next round goes on.
    private var hand = 0
    /// What the request asks for, as the answers are found by it.
    private var key = ByteBuffer()
    private var hash = 0
    /// Whether it is anybody's: it reads, and does not say who asks.
    private var isForAll = false
    /// What its client has, as it was sent; empty where nothing was.
    private var known = ByteBuffer()
    /// The head that asks for it.
    private var keyHead: UInt64?
    /// The answer that was found for it; nil where none was, or it has gone.
    private var found: Answer?

    /// Creates a cache without answers.
    ///
    /// - Parameter maximumBytes: The memory that answers may take; 0 keeps none.
    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// The answers kept.
    var count: Int { slotOfHash.count }

    /// Fills the response to a request from what is kept.
    mutating func answer(
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) -> Finding {
        guard readKey(of: request), let answer = found ?? find() else { return .missing }
        guard answer.state.isCurrent else {
            if answer.state.endpoint.isLeft { return .unsettled(answer) }
            if let slot = slotOfHash[hash] { forget(slot) }
            return .missing
        }
        send(answer, request, with: &response)
        return .answered(answer)
    }

    /// Finds the answer to what was asked last.
    private mutating func find() -> Answer? {
        guard let slot = slotOfHash[hash], let answer = answers[slot] else { return nil }
        guard answer.key.isEqual(to: key) else {
            forget(slot)
            return nil
        }
        found = answer
        return answer
    }

    /// Fills the response to a request with an answer that is good.
    mutating func send(
        _ answer: Answer,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) {
        answer.isWanted = true
        // Others may have asked while this one waited.
        _ = readKey(of: request)
        guard let tag = tagOfWhatIsKnown(request, answer) else {
            response.addFields(answer.fields)
            response.keptBody = answer.body
            return
        }
        response.status = .notModified
        response.addFields(answer.unchangedFields)
        response.addField(.etag) { tag.write(into: &$0) }
    }

    /// Comes back to a request that was asked for before others.
    mutating func comeBack(to request: borrowing HTTPRequest) { _ = readKey(of: request) }

    /// Keeps the answer to the request that was asked for last and not found.
    ///
    /// - Parameters:
    ///   - response: What is sent to everybody who asks the same.
    ///   - tag: Its entity tag, of the form that is not compressed.
    ///   - state: What it shows.
    ///   - request: The request.
    mutating func keep(
        _ response: borrowing HTTPResponse,
        _ tag: EntityTag,
        _ state: State,
        for request: borrowing HTTPRequest
    ) {
        guard readKey(of: request), response.status == .ok, response.stream == nil else { return }
        let answer = Answer(key: key, hash: hash, state: state, tag: tag, response: response)
        guard answer.byteCount <= maximumBytes / 4 else { return }
        if let slot = slotOfHash[hash] { forget(slot) }
        makeRoom(for: answer.byteCount)
        byteCount += answer.byteCount
        let slot = freeSlots.popLast() ?? answers.count
        if slot == answers.count { answers.append(answer) } else { answers[slot] = answer }
        slotOfHash[hash] = slot
    }

    /// Writes down what a request asks for, unless its head is the one that was written down last.
    ///
    /// - Returns: Whether answers to it may be kept.
    private mutating func readKey(of request: borrowing HTTPRequest) -> Bool {
        guard maximumBytes > 0 else { return false }
        if let head = request.headNumber, head == keyHead { return isForAll }
        keyHead = request.headNumber
        found = nil
        key.removeAll()
        known.removeAll()
        isForAll =
            (request.method == .get || request.method == .head)
            && !request.hasField(.authorization) && !request.hasField(.ifMatch)
        guard isForAll else { return false }
        request.writeTarget(to: &key)
        request.writeNegotiation(to: &key)
        key.append(3)
        request.writeValues(of: .acceptEncoding, to: &key)
        hash = key.hashOfProcess()
        request.writeValues(of: .ifNoneMatch, to: &known)
        return true
    }

    /// The tag under which the client has an answer already; nil when it has not.
    private func tagOfWhatIsKnown(
        _ request: borrowing HTTPRequest,
        _ answer: Answer
    ) -> EntityTag? {
        guard !known.isEmpty else { return nil }
        // What clients send is nearly always the one tag they were given.
        if known.ends(with: answer.tag) { return answer.tag }
        if known.ends(with: answer.gzipTag) { return answer.gzipTag }
        return request.field(.ifNoneMatch).flatMap { CodedTag.known($0, of: answer.tag) }
    }

    private mutating func makeRoom(for count: Int) {
        while byteCount + count > maximumBytes {
            hand = hand < answers.count ? hand : 0
            if let answer = answers[hand] {
                if answer.isWanted { answer.isWanted = false } else { forget(hand) }
            }
            hand += 1
        }
    }

    private mutating func forget(_ slot: Int) {
        guard let answer = answers[slot] else { return }
        answers[slot] = nil
        found = nil
        slotOfHash[answer.hash] = nil
        freeSlots.append(slot)
        byteCount -= answer.byteCount
    }
}

extension ByteBuffer {
    /// A buffer of the same bytes that has no room for more.
    fileprivate borrowing func copy() -> ByteBuffer {
        var copy = ByteBuffer(minimumCapacity: count)
        copy.append(self)
        return copy
    }

    /// Whether the bytes are a line feed and the value of a weak tag.
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
