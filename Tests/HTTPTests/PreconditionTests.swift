import HTTP
import Testing

@Suite("Conditions (RFC 9110 §13)")
struct PreconditionTests {
    private static let early = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let exact = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let late = "Sunday, 06-Nov-94 08:49:38 GMT"

    private func judge(
        _ fields: [(FieldName, String)],
        method: HTTPMethod = .get,
        tag: EntityTag? = EntityTag("a", isWeak: false)
    ) throws -> Preconditions.Outcome {
        let date = try #require(HTTPDate(secondsSince1970: 784_111_777))
        let now = try #require(HTTPDate(secondsSince1970: 1_700_000_000))
        return try Preconditions(of: HTTPRequest(method, "/", fields: fields))
            .judge(tag: tag, lastModified: date, now: now)
    }

    @Test(
        "If-Match compares strongly",
        arguments: [
            ("\"a\"", Preconditions.Outcome.proceed), ("\"b\", \"a\"", .proceed), ("*", .proceed),
            ("\"b\"", .failed), ("W/\"a\"", .failed), ("a", .failed), ("", .failed),
        ]
    )
    func ifMatch(value: String, outcome: Preconditions.Outcome) throws {
        #expect(try judge([(.ifMatch, value)]) == outcome)
        #expect(try judge([(.ifMatch, value)], method: .put) == outcome)
    }

    @Test(
        "If-None-Match compares weakly",
        arguments: [
            ("\"a\"", Preconditions.Outcome.notModified), ("W/\"a\"", .notModified),
            ("\"b\" , W/\"a\"", .notModified), ("*", .notModified), ("\"b\"", .proceed),
            ("a", .proceed), ("\"a", .proceed),
        ]
    )
    func ifNoneMatch(value: String, outcome: Preconditions.Outcome) throws {
        #expect(try judge([(.ifNoneMatch, value)]) == outcome)
        #expect(try judge([(.ifNoneMatch, value)], method: .head) == outcome)
        let written = outcome == .notModified ? Preconditions.Outcome.failed : outcome
        #expect(try judge([(.ifNoneMatch, value)], method: .put) == written)
    }

    @Test("dates are compared by the second, and those that cannot be read are ignored")
    func dates() throws {
        #expect(try judge([(.ifModifiedSince, Self.exact)]) == .notModified)
        #expect(try judge([(.ifModifiedSince, Self.late)]) == .notModified)
        #expect(try judge([(.ifModifiedSince, Self.early)]) == .proceed)
        #expect(try judge([(.ifModifiedSince, "yesterday")]) == .proceed)
        #expect(try judge([(.ifModifiedSince, Self.exact)], method: .post) == .proceed)
        #expect(try judge([(.ifUnmodifiedSince, Self.exact)]) == .proceed)
        #expect(try judge([(.ifUnmodifiedSince, Self.late)]) == .proceed)
        #expect(try judge([(.ifUnmodifiedSince, Self.early)]) == .failed)
        #expect(try judge([(.ifUnmodifiedSince, "yesterday")]) == .proceed)
    }

    @Test("tags come before dates, and writing before reading")
    func order() throws {
        #expect(
            try judge([(.ifNoneMatch, "\"b\""), (.ifModifiedSince, Self.exact)]) == .proceed
        )
        #expect(
            try judge([(.ifMatch, "\"a\""), (.ifUnmodifiedSince, Self.early)]) == .proceed
        )
        #expect(try judge([(.ifMatch, "\"b\""), (.ifNoneMatch, "\"a\"")]) == .failed)
        #expect(try judge([(.ifMatch, "\"a\""), (.ifNoneMatch, "\"a\"")]) == .notModified)
        #expect(
            try judge([(.ifUnmodifiedSince, Self.early), (.ifNoneMatch, "\"a\"")]) == .failed
        )
    }

    @Test("a state without a name is matched by * only")
    func unnamed() throws {
        #expect(try judge([(.ifMatch, "*")], tag: nil) == .proceed)
        #expect(try judge([(.ifMatch, "\"a\"")], tag: nil) == .failed)
        #expect(try judge([(.ifNoneMatch, "*")], tag: nil) == .notModified)
        #expect(try judge([(.ifNoneMatch, "\"a\"")], tag: nil) == .proceed)
    }
}
