import HTTP
import TestSupport
import Testing

@testable import ListAPI

@Suite("The content of requests is read strictly (RFC 8259)")
struct ContentTests {
    @Test(
        "preferences that are not known are ignored, and the first of two counts",
        arguments: [
            ("return=minimal", true, false), ("RETURN=Minimal", true, false),
            ("return=\"minimal\"", true, false),
            ("respond-async, return = minimal;x=1", true, false),
            ("return=representation, return=minimal", false, false),
            ("handling=lenient,return=minimal", true, true), ("handling=strict", false, false),
            ("return", false, false), ("", false, false),
        ]
    )
    func preferences(field: String, isMinimal: Bool, isLenient: Bool) throws {
        let preferences = Preferences(try HTTPRequest(.post, "/", fields: [("Prefer", field)]))
        #expect(preferences.wantsMinimal == isMinimal)
        #expect(preferences.isLenient == isLenient)
    }
}
