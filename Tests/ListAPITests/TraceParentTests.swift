import HTTP
import Testing

@testable import ListAPI

@Suite("traceparent (W3C Trace Context)")
struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let rest = "00f067aa0ba902b7-01"

    @Test(
        "a valid field names its trace",
        arguments: ["00-\(trace)-\(rest)", "cc-\(trace)-\(rest)", "01-\(trace)-\(rest)-what-comes"]
    )
    func valid(value: String) throws {
        let request = try HTTPRequest(.get, "/", fields: [("Traceparent", value)])
        #expect(TraceParent(request)?.traceID == Self.trace)
    }

    @Test(
        "one that is not valid is ignored",
        arguments: [
            "", "00", "00-\(trace)-\(rest)-", "00-\(trace)-\(rest)-more", "01-\(trace)-\(rest)more",
            "ff-\(trace)-\(rest)", "0-\(trace)-\(rest)", "00_\(trace)-\(rest)",
            "0G-\(trace)-\(rest)",
            "00-\(trace.uppercased())-\(rest)", "00-\(trace.dropLast())-\(rest)0",
            "00-00000000000000000000000000000000-\(rest)", "00-\(trace)-0000000000000000-01",
            "00-\(trace)-00F067aa0ba902b7-01", "00-\(trace)-00f067aa0ba902b7-0x",
            "00-\(trace)-00f067aa0ba902b7",
        ]
    )
    func invalid(value: String) {
        #expect(TraceParent(value) == nil)
    }

    @Test("a field that stands twice is ignored")
    func twice() throws {
        let field = (FieldName("traceparent"), "00-\(Self.trace)-\(Self.rest)")
        let request = try HTTPRequest(.get, "/", fields: [field, field])
        #expect(TraceParent(request) == nil)
    }
}
