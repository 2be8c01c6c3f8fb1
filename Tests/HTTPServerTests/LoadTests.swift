import Glibc
import HTTP
import HTTPServer
import Locks
import System
import TestSupport
import Testing

@Suite("Many clients")
struct LoadTests {
    private static let request = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("five hundred connections are open at once and answered again and again")
    func manyConnections() throws {
        let server = try TestServer.sample { $0.loops = 2 }
        let clients = try (0..<500).map { _ in try server.connect() }
        for _ in 0..<3 {
            for client in clients { try client.send(Self.request) }
            for client in clients { #expect(try client.receiveResponse().text == "hello\n") }
        }
        #expect(try server.stop() == .drained)
    }

    @Test("over the cap clients are served in turn, and idle connections make room")
    func connectionCap() throws {
        let server = try TestServer.sample { $0.limits.maximumConnections = 4 }
        var clients = try (0..<60).map { _ in try server.connect() }
        for client in clients { try client.send(Self.request) }
        while !clients.isEmpty {
            let client = clients.removeFirst()
            #expect(try client.receiveResponse().text == "hello\n")
        }
    }

    @Test("over the cap clients that do not hang up after their answer do not keep others out")
    func lingeringClients() throws {
        let server = try TestServer.sample {
            $0.limits.maximumConnections = 3
            $0.limits.lingerTimeout = .seconds(60)
        }
        let clients = try (0..<4).map { _ in try server.connect() }
        for client in clients {
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        }
        // Three of them linger; without the fourth they would for longer than a test waits.
        for client in clients { #expect(try client.receiveResponse().text == "hello\n") }
    }

    @Test("at the cap the connection that is idle longest makes room, the others stay")
    func longestIdle() throws {
        let server = try TestServer.sample { $0.limits.maximumConnections = 3 }
        func answer(_ client: RawConnection) throws {
            try client.send(Self.request)
            #expect(try client.receiveResponse().text == "hello\n")
        }
        let clients = try (0..<3).map { _ in
            let client = try server.connect()
            try answer(client)
            return client
        }
        // Now the second has waited longest.
        try answer(clients[0])
        try answer(try server.connect())
        #expect(try clients[1].isEndedByServer())
        try answer(clients[0])
        try answer(clients[2])
    }

    @Test("silent clients do not keep others out")
    func silentClients() throws {
        let server = try TestServer.sample { $0.limits.maximumConnections = 3 }
        let silent = try (0..<3).map { _ in try server.connect() }
        let client = try server.connect()
        try client.send(Self.request)
        #expect(try client.receiveResponse().text == "hello\n")
        #expect(try silent[0].isEndedByServer())
    }

    @Test("clients that send the head of a request byte by byte do not keep others out")
    func halfHeads() throws {
        let server = try TestServer.sample {
            $0.limits.maximumConnections = 3
            $0.limits.headTimeout = .seconds(600)
        }
        let slow = try (0..<3).map { _ in
            let client = try server.connect()
            try client.send("GET /hello HTTP/1.1\r\nHost: h\r\nx: ")
            return client
        }
        // A request that has begun behind an answer is no better.
        let client = try server.connect()
        try client.send(Self.request)
        #expect(try client.receiveResponse().text == "hello\n")
        #expect(try slow[0].isEndedByServer())
        try client.send("GET /hello HTTP/1.1\r\n")
        for _ in 0..<3 {
            let other = try server.connect()
            try other.send(Self.request)
            #expect(try other.receiveResponse().text == "hello\n")
            withExtendedLifetime(other) {}
        }
    }

    @Test("hundreds that stop within a head, a body or an answer keep nobody else waiting")
    func slowClients() throws {
        let server = try TestServer.sample {
            $0.loops = 2
            $0.limits.headTimeout = .seconds(600)
            $0.limits.bodyTimeout = .seconds(600)
            $0.limits.writeTimeout = .seconds(600)
        }
        let slow = try (0..<300).map { index in
            let client = try server.connect()
            switch index % 3 {
            case 0: try client.send("GET /hello HTTP/1.1\r\nHost: h\r\nx: ")
            case 1: try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na")
            default: try client.send("GET /stream?10000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            }
            return client
        }
        for _ in 0..<10 {
            let client = try server.connect()
            for _ in 0..<10 {
                try client.send(Self.request)
                #expect(try client.receiveResponse().text == "hello\n")
            }
        }
        // They were not thrown out for it: whoever goes on is answered.
        try slow[0].send("y\r\n\r\n")
        #expect(try slow[0].receiveResponse().status == 200)
        try slow[1].send("bcdefghi")
        #expect(try slow[1].receiveResponse().text == "abcdefghi")
    }

    @Test("clients are served in turn while the process has no descriptor left")
    func descriptorsExhausted() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Self.serveWithoutDescriptors()
        }
    }

    @Test("clients that read late are not turned away while the process has no descriptor left")
    func lateReaders() async {
        await #expect(processExitsWith: .exitCode(0)) {
            // No connection ends before the last client has its answer.
            try Self.serveWithoutDescriptors(lastReadsFirst: true)
        }
    }

    private static func serveWithoutDescriptors(lastReadsFirst: Bool = false) throws -> Never {
        let pauses = Locked(0)
        let probe = Probe()
        var clients: [RawConnection] = []
        let server = try TestServer(
            configure: { configuration in
                configuration.eventLog = { event in
                    if case .acceptingPaused(EMFILE) = event { pauses.withLock { $0 += 1 } }
                }
            },
            beforeRunning: { port in
                // The clients are in this process as well and need their descriptors first.
                for _ in 0..<40 { clients.append(try RawConnection(port: port)) }
                for client in clients { try client.send(request) }
                // The loop takes two, for epoll and the spare, and the test runner may take some.
                // The others are left for connections.
                try leaveDescriptors(10)
            },
            makeHandler: { _ in SampleHandler(probe) }
        )
        while !clients.isEmpty {
            // Each ends when it has its answer, which makes room for the next.
            let client = clients.remove(at: lastReadsFirst ? clients.count - 1 : 0)
            do {
                guard try client.receiveResponse().text == "hello\n" else { terminate(1) }
            } catch RawConnectionError.timedOut {
                terminate(4)
            } catch RawConnectionError.ended {
                terminate(5)
            }
        }
        guard pauses.withLock({ $0 }) > 0 else { terminate(2) }
        terminate(try server.stop() == .drained ? 0 : 3)
    }

    @Test("descriptors are given back, however their connections ended")
    func leaks() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let before = try FileDescriptor.spare().rawValue
            do {
                let server = try TestServer.sample { $0.loops = 2 }
                for index in 0..<500 {
                    let client = try server.connect()
                    if index % 3 > 0 { try client.send("GET /hello HTTP/1.1\r\nHost: h\r\n") }
                    if index % 3 > 1 {
                        try client.send("\r\n")
                        guard try client.receiveResponse().status == 200 else { terminate(1) }
                    }
                    if index % 5 == 0 { try client.resetWhenReleased() }
                }
                try server.stop()
            }
            let after = try FileDescriptor.spare().rawValue
            // Whoever runs the tests may have opened some meanwhile, but not hundreds.
            terminate(after < before + 20 ? 0 : 2)
        }
    }
}
