import HTTP
import ListAPI
import ListAPITestSupport
import Listings
import TestSupport
import Testing

@Suite("Public files")
struct AssetLibraryTests {
    private func middleware(_ folder: ScratchFolder? = nil) throws -> Middleware {
        let assets = try folder.map { try AssetLibrary(folder: $0.path) } ?? AssetLibrary()
        let lists = [try ListDefinition.sampleUsers()]
        return Middleware(try APIHandler(lists, assets: assets, isDraining: { false }))
    }

    private func stylesheet(_ middleware: Middleware) throws -> String {
        let page = try MiddlewareTests.ask(middleware, "/users.html").text
        let match = try #require(page.firstMatch(of: /\/-\/assets\/style\.[0-9a-f]+\.css/))
        return String(match.output)
    }

    @Test("what pages link to may be kept for ever, and comes compressed")
    func builtIn() throws {
        let middleware = try middleware()
        let address = try stylesheet(middleware)
        let plain = try MiddlewareTests.ask(middleware, address)
        #expect(plain.status == 200)
        #expect(plain.fields["content-type"] == "text/css; charset=utf-8")
        #expect(plain.fields["cache-control"] == "public, max-age=31536000, immutable")
        #expect(plain.fields["vary"] == "Accept-Encoding")
        let tag = try #require(plain.fields["etag"])
        #expect(tag.hasPrefix("\""))
        let coded = try MiddlewareTests.ask(middleware, address, [(.acceptEncoding, "gzip")])
        #expect(coded.fields["content-encoding"] == "gzip")
        #expect(coded.fields["etag"] == "\(tag.dropLast())-gzip\"")
        #expect(try Gunzip.read(coded.body) == plain.body)
        let known = try MiddlewareTests.ask(middleware, address, [(.ifNoneMatch, tag)])
        #expect(known.status == 304)
        #expect(known.fields["etag"] == tag)
        let part = try MiddlewareTests.ask(middleware, address, [(.range, "bytes=0-9")])
        #expect(part.status == 206)
        #expect(part.body == Array(plain.body.prefix(10)))
    }

    @Test("refusals are problems")
    func refusals() throws {
        let middleware = try middleware()
        let address = try stylesheet(middleware)
        let outside = try MiddlewareTests.ask(middleware, address, [(.range, "bytes=99999999-")])
        #expect(outside.status == 416)
        #expect(outside.fields["content-range"]?.hasPrefix("bytes */") == true)
        #expect(outside.fields["content-type"] == "application/problem+json")
        #expect(try MiddlewareTests.ask(middleware, address, [(.ifMatch, "\"x\"")]).status == 412)
        let refusing = [(FieldName.acceptEncoding, "identity;q=0")]
        #expect(try MiddlewareTests.ask(middleware, address, refusing).status == 406)
    }

    @Test(
        "without a hash, and with the hash of other content, it must be asked for again",
        arguments: ["style.css", "style.0123abcd.css"]
    )
    func revalidated(name: String) throws {
        let middleware = try middleware()
        let seen = try MiddlewareTests.ask(middleware, "/-/assets/\(name)")
        #expect(seen.status == 200)
        #expect(seen.fields["cache-control"] == "public, no-cache")
    }

    @Test("a folder replaces what is carried and adds to it, and pages follow")
    func folder() throws {
        let folder = try ScratchFolder()
        try folder.write(Array("own{}".utf8), to: "style.css")
        try folder.write(Array("logo".utf8), to: "img/logo.png")
        let own = try middleware(folder)
        let address = try stylesheet(own)
        #expect(address != (try stylesheet(middleware())))
        #expect(try MiddlewareTests.ask(own, address).text == "own{}")
        let logo = try MiddlewareTests.ask(own, "/-/assets/img/logo.png")
        #expect(logo.text == "logo")
        #expect(logo.fields["content-type"] == "image/png")
        #expect(logo.fields["last-modified"] != nil)
        #expect(try MiddlewareTests.ask(own, "/-/assets/favicon.svg").status == 200)
        // Pages are other pages now.
        let tags = try [own, middleware()].map {
            try MiddlewareTests.ask($0, "/users.html").fields["etag"]?.split(separator: "-").last
        }
        #expect(tags[0] != tags[1])
    }

    @Test(
        "nothing outside is ever found",
        arguments: [
            "/-/assets/", "/-/assets/..%2fPackage.swift", "/-/assets/img", "/-/assets/img/",
            "/-/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/-/assets/img%2flogo.png",
            "/-/assets//etc/passwd", "/-/assets/img/../../../../../etc/passwd",
            "/-/assets/link", "/-/assets/style.css/", "/-/assets/STYLE.CSS",
            "/-/assets/style.css%00", "/-/assets/style..css", "/-/assets/.css",
        ]
    )
    func traversal(target: String) throws {
        let folder = try ScratchFolder()
        try folder.write(Array("logo".utf8), to: "img/logo.png")
        try folder.link("link", to: "/etc/passwd")
        let server = try TestServer { [assets = try AssetLibrary(folder: folder.path)] _ in
            Middleware(
                try APIHandler(
                    [try ListDefinition.sampleUsers()],
                    assets: assets,
                    isDraining: { false }
                )
            )
        }
        let client = try server.connect()
        try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect([400, 404].contains(try client.receiveResponse().status), "\(target)")
    }
}
