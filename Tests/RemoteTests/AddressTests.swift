import RemoteLists
import Testing

@Suite("Addresses of other services (RFC 3986)")
struct AddressTests {
    @Test(
        "an absolute address is read, and written one way",
        arguments: [
            ("http://a", "http://a/"),
            ("HTTPS://Example.ORG:443/x", "https://example.org/x"),
            ("http://a:80?q=1", "http://a/?q=1"),
            ("http://a:8080/b/../c/./d", "http://a:8080/c/d"),
            ("http://a/../../b", "http://a/b"),
            ("http://[::1]:81/", "http://[::1]:81/"),
            ("http://a/b#part", "http://a/b"),
            ("http://a/ä?f[x]=ü", "http://a/%C3%A4?f%5Bx%5D=%C3%BC"),
            ("http://a/%41?b=%20", "http://a/%41?b=%20"),
            ("http://a/b?x=/?:@", "http://a/b?x=/?:@"),
        ]
    )
    func isRead(text: String, written: String) throws {
        #expect(try RemoteAddress(text).description == written)
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "users.json", "//a/b", "ftp://a/", "file:///etc/passwd", "http:/a", "http://",
            "http://:80/", "http://a:0/", "http://a:65536/", "http://a:+1/", "http://a:x/",
            "http://user@a/", "http://user:word@a/", "http://a b/", "http://a/b c", "http://a/\n",
            "http://a/%", "http://a/%4", "http://a/%zz", "http://ä.org/", "http://[::1/",
            "http://[a]/", "http://a/\u{7F}", "http://a\\b/",
        ]
    )
    func isRefused(text: String) {
        #expect(throws: RemoteError.invalidAddress(text)) { try RemoteAddress(text) }
    }

    @Test(
        "a reference is resolved as RFC 3986 §5.4 does",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("https://h:1/x", "https://h:1/x"), ("/x:y", "http://a/x:y"),
        ]
    )
    func isResolved(reference: String, expected: String) throws {
        let base = try RemoteAddress("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).description == expected)
    }

    @Test(
        "a reference out of the web is refused",
        arguments: [
            "file:///etc/passwd", "javascript:alert(1)", "gopher://a/", "mailto:a@b", "a b",
        ]
    )
    func foreignReferenceIsRefused(reference: String) throws {
        let base = try RemoteAddress("http://a/")
        #expect(throws: RemoteError.invalidAddress(reference)) { try base.resolving(reference) }
    }
}
