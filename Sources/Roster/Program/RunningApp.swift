import HTTPServer

/// An app that is being served.
///
/// ```swift
/// try await Notes().run(port: 0) { app in print("port \(app.port)") }
/// ```
public struct RunningApp: Sendable {
    private let server: HTTPServer

    init(_ server: HTTPServer) { self.server = server }

    /// The bound port; 0 for a Unix socket.
    public var port: Int { server.port }

    /// The bound addresses, as in `127.0.0.1:8080`.
    public var addresses: [String] { server.addresses.map(\.description) }

    /// Finishes open requests, and then ends ``ListApp/run(host:port:handlesSignals:onStart:)``.
    public func stop() { server.stop() }
}

/// An error of an app that cannot be served.
///
/// ```swift
/// do { try await Notes().run() } catch let error as AppError { exit(error.exitCode) }
/// ```
public struct AppError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The reason, as `roster` writes it.
    public let description: String
    /// The exit code of a program that ends for this reason.
    public let exitCode: Int32
}
