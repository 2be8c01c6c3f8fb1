public import HTTP
import HTTPServer

/// Reads requests as an event loop does: one after the other, from connections that share memory.
public final class RequestReader {
    private let rules = HTTPConnectionConfiguration(
        limits: HTTPLimits(),
        takeHeadNumbers: RequestHeadIDs.takeBlock
    )

    /// Creates a reader that has read nothing.
    public init() {}

    /// Reads a request without a body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The request target.
    ///   - fields: Fields in order; Host is added when it is missing.
    /// - Returns: The request as a handler is given it; nil for one that is refused.
    public func read(
        _ method: HTTPMethod = .get,
        _ target: String,
        _ fields: [(FieldName, String)] = []
    ) -> HTTPRequest? {
        var text = "\(method.name) \(target) HTTP/1.1\r\n"
        if !fields.contains(where: { $0.0 == .host }) { text += "Host: localhost\r\n" }
        for (name, value) in fields { text += "\(name.name): \(value)\r\n" }
        return read(Array((text + "\r\n").utf8))
    }

    /// Reads a request, and answers it so that the next one can be read.
    public func read(_ bytes: [UInt8]) -> HTTPRequest? {
        let time = HTTPTime(monotonic: .now, secondsSince1970: 784_111_777)
        var machine = HTTPConnectionStateMachine(rules: rules, at: time)
        var output = HTTPOutput()
        var response = HTTPResponse()
        _ = machine.bytesReceived(bytes.span, at: time, into: &output)
        guard machine.isResponding else { return nil }
        let request = machine.request
        _ = machine.responseReady(&response, at: time, into: &output)
        output.removeAll()
        _ = machine.outputDrained(at: time, into: &output)
        return request
    }
}
