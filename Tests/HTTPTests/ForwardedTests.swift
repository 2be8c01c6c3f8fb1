import Bytes
import HTTP
import Testing

@Suite("What proxies say of a request (RFC 7239, base paths)")
struct ForwardedTests {
    private func hop(_ node: String?, host: String? = nil, scheme: String? = nil) -> ForwardedHop {
        var hop = ForwardedHop(node: node)
        hop.host = host
        hop.scheme = scheme
        return hop
    }

    @Test("elements are read in order, names in any case, values quoted or not")
    func elements() {
        #expect(ForwardedHop.read("for=192.0.2.60") == [hop("192.0.2.60")])
        #expect(
            ForwardedHop.read("For=\"[2001:db8::1]:47\";proto=HTTPS;Host=\"a.example:8443\"")
                == [hop("[2001:db8::1]:47", host: "a.example:8443", scheme: "https")]
        )
        #expect(
            ForwardedHop.read("for=_hidden, for=unknown;by=203.0.113.43 ,proto=http")
                == [hop("_hidden"), hop("unknown"), hop(nil, scheme: "http")]
        )
        #expect(ForwardedHop.read("host=\"a\\\"b,;c\";x=y") == [hop(nil, host: "a\"b,;c")])
        #expect(ForwardedHop.read("for=a;, ,;for=b") == [hop("a"), hop("b")])
        #expect(ForwardedHop.read("") == [])
    }

    @Test(
        "a value that breaks the grammar is refused as a whole",
        arguments: [
            "for", "for=", "for =a", "for= a", "for=\"a", "for=a;for=b", "for=[::1]", "for=a b",
            "for=a:80", "=a", "for=\"a\"b", "for=a;host", "for=a,for=\"", "for=\"\\",
        ]
    )
    func refused(field: String) { #expect(ForwardedHop.read(field) == nil) }

    @Test("a base path is kept as it is written, without a slash at its end")
    func basePaths() {
        #expect(BasePath("/")?.isRoot == true)
        #expect(BasePath("/")?.text == "")
        #expect(BasePath("/lists")?.text == "/lists")
        #expect(BasePath("/lists/")?.text == "/lists")
        #expect(BasePath("/a.b/-_~/%c3%A4")?.text == "/a.b/-_~/%c3%A4")
        #expect(BasePath("/%6Cists/x")?.firstSegment == "lists")
    }

    @Test(
        "a base path that a browser would read otherwise, or that had to be escaped, is refused",
        arguments: [
            "", "lists", "//", "//lists", "/a//b", "/lists//", "/.", "/..", "/a/../b", "/a/.",
            "/%2e%2E/a", "/a/%2e", "/a?b", "/a#b", "/a b", "/a\"b", "/a<b", "/a&b", "/a'b", "/a;b",
            "/a\\b", "/a%", "/a%2", "/a%00", "/a%ff", "/ä", "http://a/", "/a,/b",
        ]
    )
    func refusedBasePath(text: String) { #expect(BasePath(text) == nil) }

    @Test("a path below the base path loses it, however it is spelled; every other stays")
    func stripping() throws {
        func segments(_ target: String, below base: String) throws -> [String] {
            var external = ExternalAddress()
            external.basePath = try #require(BasePath(base))
            external.isInPath = true
            let request = try HTTPRequest(.get, target).addressed(at: external)
            #expect(request.path.rawPath == target)
            return request.path.segments
        }
        #expect(try segments("/lists/users/1", below: "/lists") == ["users", "1"])
        #expect(try segments("/%6cists/us%2Fers", below: "/lists") == ["us/ers"])
        #expect(try segments("/x/../lists/users", below: "/lists") == ["users"])
        #expect(try segments("/lists/", below: "/lists") == [""])
        #expect(try segments("/lists", below: "/lists") == [""])
        #expect(try segments("/a/b/c", below: "/a/b") == ["c"])
        #expect(try segments("/a", below: "/a/b") == ["a"])
        #expect(try segments("/listsx", below: "/lists") == ["listsx"])
        #expect(try segments("/lists%2Fusers", below: "/lists") == ["lists/users"])
        #expect(try segments("/users", below: "/lists") == ["users"])
        #expect(try segments("/lists", below: "/") == ["lists"])
    }

    @Test("a request of a proxy is for the host that the client asked for, and has no number")
    func authority() throws {
        var external = ExternalAddress()
        external.authority = "a.example:8443"
        let request = try HTTPRequest(.get, "http://b.example/", fields: [(.host, "c.example")])
            .addressed(at: external)
        #expect(request.authority == "a.example:8443")
        var spelled = ByteBuffer()
        spelled.append("a.example:8443")
        let isSame = request.isAuthority(spelled)
        spelled.append("0")
        let isOther = !request.isAuthority(spelled)
        #expect(isSame && isOther)
        #expect(request.headNumber == nil)
        #expect(ExternalAddress.isAuthority("[::1]:80"))
        #expect(!ExternalAddress.isAuthority("a.example/b"))
    }
}
