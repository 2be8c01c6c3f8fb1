import Bytes
import HTTP
import Testing

/// A connection machine with a handler and a socket that takes as much as it is told to.
///
/// Obeys every action until there is nothing left to do.
struct Conversation: ~Copyable {
    typealias Handler = (borrowing HTTPRequest, inout HTTPResponse) throws -> Void

    enum Ending: Equatable {
        case open
        case lingering
        case closed
        case reset
    }

    private(set) var machine: HTTPConnectionStateMachine
    private var output = HTTPOutput()
    private var response = HTTPResponse()
    private let handler: Handler
    private let rules: HTTPConnectionConfiguration

    /// Decides about bodies that are announced; nil reads them all.
    var admit: ((borrowing HTTPRequest, inout HTTPResponse) throws -> HTTPBodyDecision)?

    private(set) var streamWaits = 0
    private var now: HTTPTime

    private(set) var sent: [UInt8] = []

    /// What the handler was asked, as `METHOD /path body`.
    private(set) var requests: [String] = []

    private(set) var writes = 0

    private(set) var ending: Ending = .open

    /// Bytes the socket takes from now on; nil takes everything.
    var room: Int?

    init(limits: HTTPLimits = HTTPLimits(), handler: @escaping Handler = Conversation.echo) {
        self.init(sharing: HTTPConnectionConfiguration(limits: limits), handler: handler)
    }

    init(sharing rules: HTTPConnectionConfiguration, handler: @escaping Handler = Conversation.echo)
    {
        now = HTTPTime(monotonic: .now, secondsSince1970: 784_111_777)
        machine = HTTPConnectionStateMachine(rules: rules, at: now)
        self.rules = rules
        self.handler = handler
    }

    static func echo(_ request: borrowing HTTPRequest, _ response: inout HTTPResponse) {
        response.addField(.contentType, "text/plain")
        response.body.append("\(request.method.name) \(request.path.rawPath) ")
        response.body.append(request.body)
    }

    var text: String { String(decoding: sent, as: UTF8.self) }

    /// The answers so far, read as a client would.
    var answers: [ClientAnswer] {
        ClientAnswer.all(in: sent, methods: requests.map { String($0.prefix { $0 != " " }) })
    }

    /// Whether the machine waits for a time to pass.
    var hasDeadline: Bool { machine.deadline != nil }

    mutating func receive(_ text: String) {
        receive(Array(text.utf8))
    }

    mutating func receive(_ bytes: [UInt8]) {
        guard ending == .open || ending == .lingering else { return }
        obey(machine.bytesReceived(bytes.span, at: now, into: &output))
    }

    mutating func finishSending() {
        guard ending == .open || ending == .lingering else { return }
        obey(machine.peerClosed(at: now, into: &output))
    }

    mutating func drain() {
        obey(machine.drainRequested(at: now, into: &output))
    }

    /// Lets time pass and reports the deadline if it is reached.
    ///
    /// `waiting` is the number of sent bytes that the client has not taken.
    mutating func wait(_ time: Duration, waiting: Int? = nil) {
        now.monotonic += time
        obey(machine.deadlinePassed(at: now, waiting: waiting, into: &output))
    }

    mutating func wakeStream() {
        obey(machine.streamReady(at: now, into: &output))
    }

    mutating func makeRoom(_ bytes: Int?) {
        room = bytes
        obey(.write)
    }

    /// Has done with a request before its answer is sent.
    mutating func releaseRequest() -> Bool { machine.releaseRequest() }

    /// The status of an answer the machine has made by itself.
    func takeRefusal() -> HTTPStatus? { rules.takeRefusal()?.status }

    private mutating func obey(_ first: HTTPConnectionAction) {
        var action = first
        while true {
            switch action {
            case .respond:
                action = respond()
            case .write:
                guard write() else { return }
                action = machine.outputDrained(at: now, into: &output)
            case .linger:
                ending = .lingering
                return
            case .close:
                ending = .closed
                return
            case .abort:
                ending = .reset
                return
            case .admit:
                action = admitBody()
            case .waitForStream:
                streamWaits += 1
                return
            case .receive, .waitForResponse, .proceed:
                return
            }
        }
    }

    private mutating func admitBody() -> HTTPConnectionAction {
        guard let admit else { return machine.bodyAdmitted(at: now, into: &output) }
        do {
            switch try admit(machine.request, &response) {
            case .read: return machine.bodyAdmitted(at: now, into: &output)
            case .hand(let sink):
                return machine.bodyAdmitted(to: sink, at: now, into: &output)
            case .respond: return machine.responseReady(&response, at: now, into: &output)
            }
        } catch {
            response = HTTPResponse()
            return machine.handlerFailed(at: now, into: &output)
        }
    }

    private mutating func respond() -> HTTPConnectionAction {
        let body = String(decoding: machine.request.body, as: UTF8.self)
        let request = "\(machine.request.method.name) \(machine.request.path.rawPath) \(body)"
        requests.append(request)
        do {
            try handler(machine.request, &response)
        } catch {
            response = HTTPResponse()
            return machine.handlerFailed(at: now, into: &output)
        }
        return machine.responseReady(&response, at: now, into: &output)
    }

    /// Writes what the socket takes; false when something is left.
    private mutating func write() -> Bool {
        let limit = room ?? .max
        var taken: [UInt8] = []
        output.withPieces { head, body in
            for index in head.indices where taken.count < limit { taken.append(head[index]) }
            for index in body.indices where taken.count < limit { taken.append(body[index]) }
        }
        writes += 1
        sent += taken
        room = room.map { $0 - taken.count }
        machine.bytesWritten(taken.count, at: now)
        output.removeFirst(taken.count)
        return output.isEmpty
    }
}
