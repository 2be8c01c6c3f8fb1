import HTTP
import HTTPServer
import Sockets

/// What the program tells its operator, line by line on standard error.
enum Diagnostics {
    /// Writes a line.
    static func write(_ text: String) { StandardError.write("roster: \(text)\n") }

    /// Writes what an operator should know of the running server.
    static func write(_ event: ServerEvent) {
        switch event {
        case .handlerFailed(let method, let target, let error):
            write("\(method.name) \(target): \(error)")
        case .acceptingPaused(let code):
            let reason = SystemError(call: "accept", code: code).reason
            write("no more connections for a while: \(reason)")
        case .addressAtLimit(let host):
            write("\(host) has as many connections as one address may have; more are closed")
        case .leavingBegan(let delay):
            write("not ready any more; stopping in \(delay.components.seconds) s")
        case .drainingBegan(_, 0): break
        case .drainingBegan(_, let connections):
            write("stopping; finishing \(connections) open connections")
        }
    }
}
