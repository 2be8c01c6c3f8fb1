import Glibc
import System
import Testing

@Suite("Listeners")
struct ListenerTests {
    private func listener(on host: String, port: UInt16 = 0) throws -> Listener {
        try Listener(try SocketAddress.resolve(host: host, port: port)[0])
    }

    private func client(of address: SocketAddress, host: String? = nil) throws -> FileDescriptor {
        let target = try SocketAddress.resolve(host: host ?? address.host, port: address.port)[0]
        return try .connected(to: target, until: .now.advanced(by: .seconds(10)))
    }

    @Test("any free port is bound and told", arguments: ["127.0.0.1", "::1", "0.0.0.0", "::"])
    func anyPort(host: String) throws {
        let listener = try listener(on: host)
        let address = try listener.address
        #expect(address.port > 0)
        #expect(address.host == host)
        #expect(
            address.description == (host.contains(":") ? "[\(host)]" : host) + ":\(address.port)"
        )
    }

    @Test(
        "clients are told apart by their IPv4 address or their IPv6 network",
        arguments: [
            ("127.0.0.1", "127.0.0.2", false), ("127.0.0.1", "127.0.0.1", true),
            ("::ffff:10.1.2.3", "10.1.2.3", true), ("2001:db8::1", "2001:db8::2:3", true),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "127.0.0.1", false),
        ]
    )
    func networks(first: String, second: String, areSame: Bool) throws {
        let networks = try [first, second].map {
            try SocketAddress.resolve(host: $0, port: 80)[0].network
        }
        #expect((networks[0] == networks[1]) == areSame)
        #expect(SocketAddress(path: "/a")?.network == nil)
    }

    @Test(
        "the address of a Unix socket is its path",
        arguments: ["a", String(repeating: "é", count: 53)]
    )
    func paths(path: String) {
        let address = SocketAddress(path: path)
        #expect(address?.path == path)
        #expect(address?.description == "unix:\(path)")
        #expect(address?.port == 0)
        #expect(SocketAddress(path: path + String(repeating: "a", count: 108)) == nil)
    }

    @Test("a connection is taken, then nobody waits")
    func accepts() throws {
        let listener = try listener(on: "127.0.0.1")
        let nobodyYet = outcome(of: listener.accept())
        #expect(nobodyYet == "nobody")
        let client = try client(of: try listener.address)
        let isWaiting = try listener.descriptor.wait(
            for: .reading,
            until: .now.advanced(by: .seconds(10))
        )
        #expect(isWaiting)
        guard case .connection(let connection) = listener.accept() else {
            Issue.record("nobody was taken")
            return
        }
        let flags = Glibc.fcntl(connection.rawValue, F_GETFL)
        #expect(flags & O_NONBLOCK != 0)
        #expect(Glibc.fcntl(connection.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try client.send([1, 2].span, [3].span) == .bytes(3))
        let nobodyLeft = outcome(of: listener.accept())
        #expect(nobodyLeft == "nobody")
    }

    @Test("the IPv6 wildcard takes IPv4 as well")
    func dualStack() throws {
        let listener = try listener(on: "::")
        for host in ["127.0.0.1", "::1"] {
            _ = try client(of: try listener.address, host: host)
            let isWaiting = try listener.descriptor.wait(
                for: .reading,
                until: .now.advanced(by: .seconds(10))
            )
            #expect(isWaiting)
            let taken = outcome(of: listener.accept())
            #expect(taken == "connection", "\(host)")
        }
    }

    @Test("a port is refused while another listener has it, also one that shares it")
    func addressInUse() throws {
        let first = try listener(on: "127.0.0.1")
        let port = try first.address.port
        func expectInUse() throws {
            let error = #expect(throws: SystemError.self) {
                _ = try self.listener(on: "127.0.0.1", port: port)
            }
            #expect(error?.isAddressInUse == true)
            #expect(error?.reason == "Address already in use")
        }
        try expectInUse()
        let second = try first.sibling()
        #expect(try second.address.port == port)
        try expectInUse()
    }

    @Test("siblings are both given connections")
    func siblings() throws {
        let first = try listener(on: "127.0.0.1")
        let second = try first.sibling()
        let address = try first.address
        var taken = (first: 0, second: 0)
        for _ in 0..<64 { _ = try client(of: address) }
        while outcome(of: first.accept()) == "connection" { taken.first += 1 }
        while outcome(of: second.accept()) == "connection" { taken.second += 1 }
        #expect(taken.first + taken.second == 64)
        // Each is chosen by a hash of the client's port: 64 on one side is one run in 2^63.
        #expect(taken.first > 0)
        #expect(taken.second > 0)
    }

    @Test("a port is free again at once when its listener has gone, whatever its connections do")
    func rebinding() throws {
        // A test that listens on every address may be given the port meanwhile: hardly three times.
        var attempts = 0
        while true {
            attempts += 1
            let port = try usedPort()
            do {
                let again = try listener(on: Self.ownHost, port: port)
                #expect(try again.address.port == port)
                return
            } catch  where attempts == 3 {
                throw error
            } catch {}
        }
    }

    /// An address that no other test uses.
    private static let ownHost = "127.0.7.1"

    /// A port whose listener has gone with a connection in TIME_WAIT.
    private func usedPort() throws -> UInt16 {
        let listener = try listener(on: Self.ownHost)
        let client = try client(of: try listener.address)
        guard case .connection(let connection) = listener.accept() else {
            Issue.record("no connection was taken")
            return 0
        }
        // The side that ends first keeps the address in TIME_WAIT.
        try connection.endOutput()
        _ = consume connection
        _ = consume client
        return try listener.address.port
    }

    @Test("running out of descriptors is told apart from nobody waiting")
    func exhaustion() async {
        await #expect(processExitsWith: .success) {
            let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
            let listener = try Listener(address)
            _ = try FileDescriptor.connected(
                to: listener.address,
                until: .now.advanced(by: .seconds(10))
            )
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            unsafe getrlimit(descriptors, &limit)
            let usual = limit.rlim_cur
            limit.rlim_cur = 3
            unsafe setrlimit(descriptors, &limit)
            let outcome = listener.accept()
            // What looks for leaks at the end opens files.
            limit.rlim_cur = usual
            unsafe setrlimit(descriptors, &limit)
            guard case .impossible(let error) = outcome, error.code == EMFILE else { exit(1) }
            exit(0)
        }
    }
}

@Suite("Socket addresses")
struct SocketAddressTests {
    @Test(
        "hosts are resolved",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), ("::", "::"),
            ("0:0:0:0:0:0:0:1", "::1"),
        ]
    )
    func resolves(host: String, numbers: String) throws {
        let addresses = try SocketAddress.resolve(host: host, port: 8_080)
        #expect(addresses.map(\.host) == [numbers])
        #expect(addresses[0].port == 8_080)
        #expect(addresses[0].isIPv6 == numbers.contains(":"))
    }

    @Test("localhost is a loopback address, none twice")
    func localhost() throws {
        let hosts = try SocketAddress.resolve(host: "localhost", port: 1).map(\.host)
        #expect(Set(hosts).count == hosts.count)
        #expect(Set(hosts).isSubset(of: ["127.0.0.1", "::1"]))
    }

    @Test(
        "what is no host is refused",
        arguments: ["", "no such host", "256.1.1.1", "::1\0x", "[::1]"]
    )
    func refuses(host: String) {
        #expect(throws: AddressError.unknownHost(host)) {
            try SocketAddress.resolve(host: host, port: 1)
        }
    }
}

/// What became of an attempt to take a connection, for comparing; the connection is closed.
private func outcome(of accepted: consuming Listener.Accepted) -> String {
    switch consume accepted {
    case .connection: "connection"
    case .nobody: "nobody"
    case .goneAlready: "goneAlready"
    case .impossible: "impossible"
    }
}
