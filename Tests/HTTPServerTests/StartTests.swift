import Glibc
import HTTP
import HTTPServer
import System
import TestSupport
import Testing

@Suite("Starting a server")
struct StartTests {
    private func start(
        _ configure: (inout HTTPServer.Configuration) -> Void
    ) throws(ServerError) -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configuration.port = 0
        configuration.handlesSignals = false
        configure(&configuration)
        return try HTTPServer(configuration) { _ in SampleHandler() }
    }

    @Test("a port that another server has is refused", arguments: [1, 2])
    func addressInUse(loops: Int) throws {
        let first = try start { $0.loops = loops }
        let port = UInt16(first.port)
        #expect(throws: ServerError.addressInUse(host: "127.0.0.1", port: first.port)) {
            _ = try start { $0.port = port }
        }
    }

    @Test("an address that is none, or of another machine, is refused")
    func hosts() {
        #expect(throws: ServerError.unknownHost("no such host")) {
            _ = try start { $0.host = "no such host" }
        }
        #expect(throws: ServerError.addressUnavailable(host: "192.0.2.1", port: 0)) {
            _ = try start { $0.host = "192.0.2.1" }
        }
    }

    @Test("addresses are told as in a URL")
    func addresses() throws {
        let server = try start { $0.host = "::1" }
        #expect(server.addresses.map(\.description) == ["[::1]:\(server.port)"])
        #expect(server.port > 0)
    }

    @Test("more connections than there can be descriptors are refused at the start")
    func descriptors() async {
        await #expect(processExitsWith: .exitCode(0)) {
            limitDescriptors(to: 200)
            var configuration = HTTPServer.Configuration()
            configuration.port = 0
            configuration.limits.maximumConnections = 151
            do {
                _ = try HTTPServer(configuration) { _ in SampleHandler() }
            } catch ServerError.tooFewDescriptors(connections: 151, descriptorLimit: 200) {
                configuration.limits.maximumConnections = 150
                _ = try HTTPServer(configuration) { _ in SampleHandler() }
                terminate(0)
            } catch {}
            terminate(1)
        }
    }
}
