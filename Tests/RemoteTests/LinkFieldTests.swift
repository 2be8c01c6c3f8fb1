import Testing

@testable import RemoteLists

@Suite("Link fields (RFC 8288)")
struct LinkFieldTests {
    @Test(
        "the next page is found",
        arguments: [
            ("</b>; rel=\"next\"", "/b"),
            ("</b>;rel=next", "/b"),
            ("</a>; rel=\"prev\", </b>; rel=\"next\"", "/b"),
            (
                "</a>; rel=prev, </b?x=1,2;3>; title=\"a, \\\"b\\\"; rel=next\"; rel=\"NEXT last\"",
                "/b?x=1,2;3"
            ),
            (", ,</b>; REL = \"next\" ; crossorigin", "/b"),
            ("</a>; rel=prev; rel=next, </b>; rel=next", "/b"),
        ]
    )
    func nextIsFound(field: String, target: String) throws {
        #expect(try LinkField.next(in: field).get() == target)
    }

    @Test(
        "a field without it has none",
        arguments: ["", "</a>; rel=prev", "</a>", "</a>; title=\"next\"", "</a>; rel=\"nextish\""]
    )
    func nextIsAbsent(field: String) throws {
        #expect(try LinkField.next(in: field).get() == nil)
    }

    @Test(
        "a malformed field is refused",
        arguments: ["/b; rel=next", "</b; rel=next", "</b> rel=next", "</b>; rel=\"next", "<"]
    )
    func malformedIsRefused(field: String) {
        #expect(throws: LinkField.Malformed.self) { try LinkField.next(in: field).get() }
    }
}
