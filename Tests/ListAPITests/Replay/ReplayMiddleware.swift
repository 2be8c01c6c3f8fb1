import Bytes
import HTTP
import HTTPServer
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

/// A gateway that answers from bytes to bytes, as one loop does for its connections.
final class ReplayMiddleware {
    private static let time = HTTPTime(monotonic: .now, secondsSince1970: 784_111_777)

    private let middleware: Middleware
    private let rules = HTTPConnectionConfiguration(
        limits: HTTPLimits(),
        takeHeadNumbers: RequestHeadIDs.takeBlock
    )

    init(_ lists: [ListDefinition], _ options: ServiceOptions, pageCacheBytes: Int) throws {
        var options = options
        options.pageCacheBytes = pageCacheBytes
        options.readingTimes.rows = .seconds(60)
        options.readingTimes.counts = .seconds(60)
        options.readingTimes.facets = .seconds(60)
        middleware = Middleware(try APIHandler(lists, options: options, isDraining: { false }))
    }

    func answer(_ request: ReplayRequest) throws -> ReplayAnswer {
        var machine = HTTPConnectionStateMachine(rules: rules, at: Self.time)
        var output = HTTPOutput()
        var response = HTTPResponse()
        var sent: [UInt8] = []
        let bytes = request.bytes
        var action = machine.bytesReceived(bytes.span, at: Self.time, into: &output)
        while true {
            switch action {
            case .admit:
                switch try middleware.admitBody(of: machine.request, with: &response) {
                case .read: action = machine.bodyAdmitted(at: Self.time, into: &output)
                case .hand(let sink):
                    action = machine.bodyAdmitted(to: sink, at: Self.time, into: &output)
                case .respond:
                    action = machine.responseReady(&response, at: Self.time, into: &output)
                }
            case .respond:
                try middleware.respond(to: machine.request, with: &response)
                #expect(response.deferral == nil, "\(request.target) is answered elsewhere")
                action = machine.responseReady(&response, at: Self.time, into: &output)
            case .write:
                output.withPieces { head, body in
                    for index in head.indices { sent.append(head[index]) }
                    for index in body.indices { sent.append(body[index]) }
                }
                machine.bytesWritten(output.count, at: Self.time)
                output.removeAll()
                action = machine.outputDrained(at: Self.time, into: &output)
            default: return try ReplayAnswer(sent, toHead: request.method == "HEAD")
            }
        }
    }
}
