import Locks
import RemoteLists
import System
import Testing

@Suite("What is told of requests")
struct LogTests {
    @Test(
        "secrets of a query are masked",
        arguments: [
            ("http://a/?access_token=x&b=1", "http://a/?access_token=***&b=1"),
            ("http://a/?API_KEY=x%20y", "http://a/?API_KEY=***"),
            ("http://a/?sig=x&signature=y&code=z", "http://a/?sig=***&signature=***&code=***"),
            ("http://a/?password=a=b&&c", "http://a/?password=***&&c"),
            ("http://a/?q=token&page=2", "http://a/?q=token&page=2"),
            ("http://a/token/x", "http://a/token/x"),
        ]
    )
    func queryIsMasked(address: String, masked: String) throws {
        #expect(try RemoteAddress(address).masked == masked)
    }

    @Test("a request reads as a command for curl, without its secrets")
    func curl() throws {
        var request = RemoteRequest(
            address: try RemoteAddress("https://a/b'c?token=s3cret&q=1"),
            fields: [
                try RemoteField("Accept", "it's"),
                try RemoteField("Authorization", "Bearer s3cret"),
                try RemoteField("Cookie", "s3cret"),
                try RemoteField("X-Api-Key", "s3cret"),
                try RemoteField("X-Whatever", "s3cret"),
            ]
        )
        #expect(
            request.curl
                == "curl -H 'Accept: it'\\''s' -H 'Authorization: ***' -H 'Cookie: ***' "
                + "-H 'X-Api-Key: ***' -H 'X-Whatever: ***' 'https://a/b'\\''c?token=***&q=1'"
        )
        request.method = .post
        request.body = Array("{\"password\":\"s3cret\"}".utf8)
        #expect(request.curl.hasPrefix("curl -X 'POST'"))
        #expect(request.curl.contains("--data-binary '(21 bytes)'"))
        #expect(!request.curl.contains("s3cret"))
    }

    @Test(
        "each level tells what it says",
        arguments: [(RemoteLog.Level.off, 0), (.failures, 1), (.summary, 2), (.curl, 3)]
    )
    func levels(level: RemoteLog.Level, lines: Int) async throws {
        let told = Locked<[String]>([])
        var configuration = try Cities.stubbed(.status(404))
        configuration.address = try RemoteAddress("http://stub.invalid/?token=s3cret")
        configuration.log = RemoteLog(level) { line in told.withLock { $0.append(line) } }
        _ = await Cities.source(configuration).error()
        let text = told.withLock { $0 }
        #expect(text.count == lines)
        if let last = text.last { #expect(last == "http://stub.invalid/?token=***: status 404") }
        if let request = text.dropLast().last {
            #expect(request.hasPrefix("GET http://stub.invalid/?token=***: 404, 0 bytes, "))
        }
        #expect(!text.joined().contains("s3cret"))
    }
}
