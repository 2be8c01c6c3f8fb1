package import HTTP
package import HTTPServer
import Locks
import System

/// A server on a free port of this machine, on a thread of its own, that ends with its last
/// reference.
package final class TestServer {
    package let server: HTTPServer

    private var threads: ThreadGroup?
    private let result = Locked<Result<HTTPServer.Ending, any Error>?>(nil)

    /// Starts a server with one loop on 127.0.0.1 that leaves signals alone.
    package init(
        configure: (inout HTTPServer.Configuration) -> Void = { _ in },
        beforeRunning: (_ port: UInt16) throws -> Void = { _ in },
        makeHandler: @escaping @Sendable (_ loop: Int) throws -> any HTTPHandler
    ) throws {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.loops = 1
        configuration.handlesSignals = false
        configure(&configuration)
        let server = try HTTPServer(configuration, makeHandler: makeHandler)
        self.server = server
        try beforeRunning(UInt16(server.port))
        var threads = ThreadGroup()
        try threads.start(named: "test-server") { [result] in
            let ending = Result { try server.run() }
            result.withLock { $0 = ending }
        }
        self.threads = consume threads
    }

    /// Starts a server as above with the default configuration and a closure as its handler.
    package convenience init(respond: @escaping ClosureHandler.Respond) throws {
        try self.init(makeHandler: { _ in ClosureHandler(respond) })
    }

    deinit {
        server.stopAtOnce()
    }

    package var port: UInt16 { UInt16(server.port) }

    package func connect(host: String = "127.0.0.1") throws -> RawConnection {
        try RawConnection(port: port, host: host)
    }

    /// Waits until the server has ended.
    package func waitForEnding() throws -> HTTPServer.Ending {
        threads.take()?.join()
        guard let result = result.withLock({ $0 }) else { throw TestServerError.notEnded }
        return try result.get()
    }

    /// Drains the server and waits until it has ended.
    @discardableResult
    package func stop() throws -> HTTPServer.Ending {
        server.stop()
        return try waitForEnding()
    }
}

package enum TestServerError: Error {
    /// Its thread has ended without a result.
    case notEnded
}

package final class ClosureHandler: HTTPHandler {
    package typealias Respond =
        @Sendable (_ request: borrowing HTTPRequest, _ response: inout HTTPResponse) throws -> Void

    private let body: Respond

    package init(_ body: @escaping Respond) {
        self.body = body
    }

    package func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        try body(request, &response)
    }
}
