import Foundation
import HTTPServer
import System
import TestSupport
import Testing

@Suite("A server at a Unix socket")
struct UnixSocketTests {
    private static let get = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"

    private func start(
        _ path: String,
        loops: Int = 1
    ) throws(ServerError) -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        configuration.host = "unix:\(path)"
        configuration.loops = loops
        configuration.handlesSignals = false
        return try HTTPServer(configuration) { _ in SampleHandler() }
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(
        "answers as at a port, on every loop, and removes its file at the end",
        arguments: [1, 3]
    )
    func serves(loops: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/server.sock"
        let server = try TestServer.sample {
            $0.host = "unix:\(path)"
            $0.loops = loops
        }
        #expect(server.server.addresses.map(\.description) == ["unix:\(path)"])
        let clients = try (0..<20).map { _ in try RawConnection(path: path) }
        for client in clients {
            try client.send(Self.get + Self.get)
            #expect(try client.receiveResponse().text == "hello\n")
            #expect(try client.receiveResponse().text == "hello\n")
        }
        #expect(try server.stop() == .drained)
        #expect(!exists(path))
        for client in clients { #expect(try client.isEndedByServer()) }
    }

    @Test("has a file with the rights that the umask leaves")
    func rights() throws {
        let folder = try ScratchFolder()
        let server = try start(folder.path + "/a")
        let mask = umask(0)
        umask(mask)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/a")
        #expect(attributes[.posixPermissions] as? Int == 0o777 & ~Int(mask))
        #expect(attributes[.type] as? FileAttributeType == .typeSocket)
        _ = server
    }

    @Test("replaces the file of a dead server, and no other")
    func files() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/a"
        let alive = try start(path)
        #expect(throws: ServerError.socketInUse(path: path)) { _ = try start(path) }
        _ = alive
        // A server that was killed leaves its file.
        let dead = folder.path + "/dead"
        do { _ = try SocketFile.listener(at: dead) }
        #expect(exists(dead))
        let server = try TestServer.sample { $0.host = "unix:\(dead)" }
        let client = try RawConnection(path: dead)
        try client.send(Self.get)
        #expect(try client.receiveResponse().status == 200)
        try server.stop()
        try folder.write([1, 2, 3], to: "file")
        let file = folder.path + "/file"
        #expect(throws: ServerError.socketOccupied(path: file)) { _ = try start(file) }
        #expect(try Data(contentsOf: URL(filePath: file)).count == 3)
    }

    @Test("leaves the file of its successor alone")
    func successor() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/a"
        let old = try TestServer.sample { $0.host = "unix:\(path)" }
        try FileManager.default.removeItem(atPath: path)
        let new = try TestServer.sample { $0.host = "unix:\(path)" }
        try old.stop()
        #expect(exists(path))
        let client = try RawConnection(path: path)
        try client.send(Self.get)
        #expect(try client.receiveResponse().status == 200)
        try new.stop()
        #expect(!exists(path))
    }

    @Test("needs a path that fits, in a folder that is there")
    func paths() {
        let long = "/tmp/" + String(repeating: "a", count: 103)
        for path in ["", long] {
            #expect(throws: ServerError.invalidSocketPath(path: path, longest: 107)) {
                _ = try start(path)
            }
        }
        let missing = "/nowhere/at/all/a.sock"
        #expect(throws: ServerError.socketUnusable(path: missing, code: ENOENT)) {
            _ = try start(missing)
        }
    }
}
