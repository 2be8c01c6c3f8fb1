import Bytes
import HTTP
import HTTPServer
import Locks
import RemoteLists
import System
import TestSupport

/// A service that others have, on this machine: what it answers can be changed while it runs.
final class Upstream: Sendable {
    struct Answer: Sendable {
        var status: HTTPStatus = .ok
        var body: [UInt8] = []
        var fields: [(FieldName, String)] = [(.contentType, "application/json")]

        static func json(_ text: String, link: String? = nil) -> Answer {
            var answer = Answer(body: Array(text.utf8))
            if let link { answer.fields.append((.link, link)) }
            return answer
        }

        static func status(_ status: HTTPStatus, _ text: String = "") -> Answer {
            Answer(status: status, body: Array(text.utf8))
        }

        static func redirect(to location: String, _ status: HTTPStatus) -> Answer {
            Answer(status: status, fields: [(.location, location)])
        }
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var targets: [String] = []
        var statuses: [Int] = []
        var fields: [String: String] = [:]
        var body: [UInt8] = []
    }

    private let state: Locked<State>
    private let server: Locked<TestServer?>
    private let host: String
    let port: UInt16

    init(host: String = "127.0.0.1") throws {
        self.host = host
        let state = Locked(State())
        self.state = state
        let respond: ClosureHandler.Respond = { request, response in
            let target = request.query.map { request.path.rawPath + "?" + $0 }
            let key = target ?? request.path.rawPath
            var fields: [String: String] = [:]
            let names = [
                "authorization", "cookie", "accept", "x-key", "if-none-match", "if-modified-since",
            ]
            for name in names {
                fields[name] = request.field(FieldName(name))
            }
            let (seen, body) = (fields, request.body)
            let answer = state.withLock { state in
                state.targets.append(key)
                state.fields = seen
                state.body = body
                var answer = state.answers[key]
                let tag = answer?.fields.first { $0.0 == .etag }?.1
                if let tag, tag == seen["if-none-match"] { answer = .status(.notModified) }
                state.statuses.append(answer.map { Int($0.status.code) } ?? 404)
                return answer
            }
            guard let answer else {
                response.status = .notFound
                return
            }
            response.status = answer.status
            for (name, value) in answer.fields { response.addField(name, value) }
            response.body.append(answer.body)
        }
        let server = try TestServer(
            configure: { $0.host = host },
            makeHandler: { _ in ClosureHandler(respond) }
        )
        port = server.port
        self.server = Locked(server)
    }

    /// What was asked, in order.
    var targets: [String] { state.withLock { $0.targets } }
    /// The statuses of the answers, in order.
    var statuses: [Int] { state.withLock { $0.statuses } }
    var lastFields: [String: String] { state.withLock { $0.fields } }
    var lastBody: [UInt8] { state.withLock { $0.body } }

    func answer(_ target: String, _ answer: Answer) {
        state.withLock { $0.answers[target] = answer }
    }

    func answer(_ target: String, _ json: String) { self.answer(target, .json(json)) }

    /// Takes no more connections.
    func stop() { server.withLock { $0 = nil } }

    func address(_ path: String = "/") throws -> RemoteAddress {
        try RemoteAddress("http://\(host):\(port)\(path)")
    }
}
