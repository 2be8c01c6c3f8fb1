import Bytes
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("A folder of public files")
struct PublicFolderTests {
    @Test("files are found with their folders; hidden ones and links out of it are left out")
    func reading() throws {
        let folder = try ScratchFolder()
        try folder.write(Array("a{}".utf8), to: "style.css")
        try folder.write(Array("<svg/>".utf8), to: "icons/small/a.svg")
        try folder.write([], to: "empty")
        try folder.write([1], to: ".hidden")
        try folder.write([1], to: ".git/config")
        try folder.link("outside", to: "/etc/passwd")
        try folder.link("icons/inside", to: "../style.css")
        let read = try PublicFolder(folder.path)
        let paths = [["empty"], ["icons", "inside"], ["icons", "small", "a.svg"], ["style.css"]]
        #expect(read.files.map(\.path) == paths)
        #expect(read.skipped == ["outside"])
        #expect(read.files.map(\.source.count) == [0, 3, 6, 3])
        #expect(Set(read.files.map(\.hash)).count == 3)
        #expect(read.files.allSatisfy { $0.lastModified != nil })
    }

    @Test("a folder laid out as a ConfigMap of Kubernetes is read through its links")
    func configMap() throws {
        let folder = try ScratchFolder()
        try folder.write(Array("a{}".utf8), to: "..2026_01_02/style.css")
        try folder.write(Array("<svg/>".utf8), to: "..2026_01_02/icons/a.svg")
        try folder.link("..data", to: "..2026_01_02")
        try folder.link("style.css", to: "..data/style.css")
        try folder.link("icons", to: "..data/icons")
        let read = try PublicFolder(folder.path)
        #expect(read.files.map(\.path) == [["icons", "a.svg"], ["style.css"]])
        #expect(read.skipped.isEmpty)
    }

    @Test("links are refused that lead outside, nowhere, or around in a circle")
    func links() throws {
        let outside = try ScratchFolder()
        try outside.write([1], to: "secret")
        let folder = try ScratchFolder()
        let name = folder.path.split(separator: "/").last ?? ""
        try folder.write([1], to: "a")
        try folder.write([1], to: "sub/b")
        let links = [
            "absolute": outside.path + "/secret", "absolute-folder": outside.path,
            "own-absolute": folder.path + "/a", "up": "../\(name)/a", "nowhere": "nothing",
            "self": "self", "here": ".", "sub/above": "..", "sub/two-up": "../../\(name)/a",
        ]
        for (link, target) in links { try folder.link(link, to: target) }
        let read = try PublicFolder(folder.path)
        #expect(read.files.map(\.path) == [["a"], ["sub", "b"]])
        #expect(read.skipped.sorted() == links.keys.sorted())
    }

    @Test("a folder that is not there, is a file, or passes a bound is refused")
    func refusals() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b", "c"] { try folder.write([1, 2, 3], to: name) }
        #expect(throws: PublicFolderError.self) { try PublicFolder(folder.path + "/nothing") }
        #expect(throws: PublicFolderError.self) { try PublicFolder(folder.path + "/a") }
        var limits = PublicFolder.Limits()
        limits.files = 2
        #expect(throws: PublicFolderError.tooManyFiles(path: folder.path, limit: 2)) {
            try PublicFolder(folder.path, limits: limits)
        }
        limits.files = 3
        limits.bytesInMemory = 2
        limits.openFiles = 2
        #expect(throws: PublicFolderError.tooManyLargeFiles(path: folder.path, limit: 2)) {
            try PublicFolder(folder.path, limits: limits)
        }
        limits.openFiles = 3
        #expect(try PublicFolder(folder.path, limits: limits).files.count == 3)
    }

    /// Serves the only file of a folder.
    private func server(_ folder: ScratchFolder) throws -> TestServer {
        let files = try PublicFolder(folder.path).files
        let file = try #require(files.first)
        let content = StaticContent(
            file.source,
            mediaType: MediaType(fileName: file.path[0]),
            hash: file.hash,
            lastModified: file.lastModified
        )
        let now = try #require(HTTPDate(secondsSince1970: 4_000_000_000))
        return try TestServer { request, response in
            _ = content.respond(request, cacheControl: "no-cache", now: now, with: &response)
        }
    }

    private static let large = (0..<3_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }

    @Test("a large file leaves whole, in parts, and to several requests in a row")
    func largeFile() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.large, to: "large.bin")
        let server = try server(folder)
        let client = try server.connect()
        let get = "GET / HTTP/1.1\r\nHost: a\r\n"
        try client.send(
            "\(get)\r\n\(get)Range: bytes=1000000-1999999\r\n\r\n\(get)Range: bytes=-5\r\n\r\n"
                + "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n\(get)\r\n"
        )
        let whole = try client.receiveResponse()
        #expect(whole.status == 200)
        #expect(whole.body == Self.large)
        let part = try client.receiveResponse()
        #expect(part.status == 206)
        #expect(part.field("Content-Range") == "bytes 1000000-1999999/3000000")
        #expect(part.body == Array(Self.large[1_000_000..<2_000_000]))
        let end = try client.receiveResponse()
        #expect(end.body == Array(Self.large.suffix(5)))
        let head = try client.receiveResponse(to: "HEAD")
        #expect(head.field("Content-Length") == "3000000")
        #expect(head.field("ETag") == whole.field("ETag"))
        #expect(try client.receiveResponse().body == Self.large)
    }

    @Test("a client that leaves in the middle of a large file harms nobody")
    func vanishing() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.large, to: "large.bin")
        let server = try server(folder)
        for _ in 0..<20 {
            let client = try server.connect()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try client.receive(count: 1000)
            try client.resetWhenReleased()
        }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=0-2\r\n\r\n")
        #expect(try client.receiveResponse().body == Array(Self.large.prefix(3)))
    }

    @Test("a file that became shorter is cut off so that nobody takes it for whole")
    func truncated() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.large, to: "large.bin")
        let server = try server(folder)
        try folder.truncate("large.bin")
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = try client.receiveAll()
        #expect(try RawResponse.parse(received, isEnded: true) == nil)
    }
}
