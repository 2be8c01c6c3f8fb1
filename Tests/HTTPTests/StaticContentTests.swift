import Bytes
import HTTP
import Testing

@Suite("Content that stays as it is")
struct StaticContentTests {
    private static let text = Array("0123456789".utf8)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private struct Seen: Equatable {
        var outcome: StaticContent.Outcome
        var status = 200
        var body = ""
        var fields: [String: String] = [:]
    }

    private func ask(
        _ fields: [(FieldName, String)],
        method: HTTPMethod = .get,
        gzip: [UInt8]? = nil
    ) throws -> Seen {
        let content = StaticContent(
            .memory(Self.text),
            mediaType: .css,
            hash: "abc",
            gzip: gzip,
            lastModified: HTTPDate(secondsSince1970: 784_111_777)
        )
        var response = HTTPResponse()
        let now = try #require(HTTPDate(secondsSince1970: 1_700_000_000))
        let request = try HTTPRequest(method, "/", fields: fields)
        let outcome = content.respond(
            request,
            cacheControl: "no-cache",
            now: now,
            with: &response
        )
        var seen = Seen(outcome: outcome, status: response.status.code, body: response.body.text())
        let names: [FieldName] = [
            .etag, .lastModified, .contentRange, .contentEncoding, .vary, .acceptRanges,
            .contentType, .cacheControl,
        ]
        for name in names { seen.fields[name.name] = response.field(name) }
        return seen
    }

    @Test("the whole comes with everything a cache needs")
    func whole() throws {
        let seen = try ask([])
        #expect(seen.status == 200)
        #expect(seen.body == "0123456789")
        #expect(
            seen.fields == [
                "ETag": "\"abc\"", "Last-Modified": Self.date, "Accept-Ranges": "bytes",
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "no-cache",
            ]
        )
    }

    @Test("a part says where it belongs")
    func part() throws {
        let seen = try ask([(.range, "bytes=2-4")])
        #expect(seen.status == 206)
        #expect(seen.body == "234")
        #expect(seen.fields["Content-Range"] == "bytes 2-4/10")
        #expect(seen.fields["ETag"] == "\"abc\"")
        #expect(try ask([(.range, "bytes=2-4")], method: .head).status == 200)
    }

    @Test("a part outside is refused with the size")
    func outside() throws {
        let seen = try ask([(.range, "bytes=10-")])
        #expect(seen.outcome == .rangeNotSatisfiable)
        #expect(seen.fields["Content-Range"] == "bytes */10")
    }

    @Test(
        "If-Range takes a strong tag or the exact date",
        arguments: [
            ("\"abc\"", 206), ("Sun, 06 Nov 1994 08:49:37 GMT", 206), ("W/\"abc\"", 200),
            ("\"abd\"", 200), ("Sun, 06 Nov 1994 08:49:38 GMT", 200), ("*", 200), ("x", 200),
        ]
    )
    func ifRange(value: String, status: Int) throws {
        let seen = try ask([(.range, "bytes=2-4"), (.ifRange, value)])
        #expect(seen.status == status)
    }

    @Test("conditions come before ranges")
    func conditions() throws {
        let known = try ask([(.ifNoneMatch, "\"abc\""), (.range, "bytes=99-")])
        #expect(known.status == 304)
        #expect(known.outcome == .answered)
        #expect(known.body == "")
        #expect(known.fields["ETag"] == "\"abc\"")
        #expect(known.fields["Cache-Control"] == "no-cache")
        #expect(known.fields["Content-Type"] == nil)
        #expect(try ask([(.ifMatch, "\"x\"")]).outcome == .preconditionFailed)
        #expect(try ask([(.ifModifiedSince, Self.date)]).status == 304)
    }

    @Test("the compressed form has its own tag, and no parts")
    func compressed() throws {
        let gzip = Array("zip".utf8)
        let seen = try ask([(.acceptEncoding, "gzip")], gzip: gzip)
        #expect(seen.body == "zip")
        #expect(seen.fields["Content-Encoding"] == "gzip")
        #expect(seen.fields["ETag"] == "\"abc-gzip\"")
        #expect(seen.fields["Vary"] == "Accept-Encoding")
        let plain = try ask([], gzip: gzip)
        #expect(plain.body == "0123456789")
        #expect(plain.fields["Vary"] == "Accept-Encoding")
        #expect(plain.fields["ETag"] == "\"abc\"")
        let part = try ask([(.acceptEncoding, "gzip"), (.range, "bytes=0-1")], gzip: gzip)
        #expect(part.status == 206)
        #expect(part.body == "01")
        let refusing = [(FieldName.acceptEncoding, "identity;q=0")]
        #expect(try ask(refusing, gzip: gzip).outcome == .notAcceptable)
        let onlyGzip = [(FieldName.acceptEncoding, "gzip, identity;q=0"), (.range, "bytes=0-1")]
        #expect(try ask(onlyGzip, gzip: gzip).body == "zip")
        let known = [(FieldName.acceptEncoding, "gzip"), (.ifNoneMatch, "\"abc\"")]
        #expect(try ask(known, gzip: gzip).status == 200)
    }

    @Test(
        "types are told by the ending of the name",
        arguments: [
            ("a.css", "text/css; charset=utf-8"), ("A.PNG", "image/png"),
            ("list.min.js", "text/javascript; charset=utf-8"), ("icon.svg", "image/svg+xml"),
            ("README", "application/octet-stream"), (".css", "text/css; charset=utf-8"),
            ("a.", "application/octet-stream"), ("a.tar.gz", "application/gzip"),
        ]
    )
    func mediaTypes(name: String, value: String) {
        #expect(MediaType(fileName: name).value == value)
    }
}
