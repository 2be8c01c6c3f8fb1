/// Reads one request head from the bytes of a connection as they arrive.
struct RequestParser: Sendable {
    mutating func parse(
        _ bytes: borrowing Span<UInt8>,
        into request: inout HTTPRequest,
        limits: HTTPLimits
    ) throws(ParseError) -> Parsed<Bool> { .needsMoreBytes }
}
