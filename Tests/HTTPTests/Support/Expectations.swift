import Testing

@testable import HTTP

struct ParsedHead: Equatable {
    var request: String
    var fields: [String]
    var head: RequestHead
    var consumed: Int
}

enum HeadOutcome: Equatable {
    case parsed(ParsedHead)
    case needsMoreBytes
    case refused(ParseError)
}

func readHead(_ chunks: [[UInt8]], limits: HTTPLimits = HTTPLimits()) -> HeadOutcome {
    var parser = RequestParser()
    var request = HTTPRequest()
    var bytes: [UInt8] = []
    do {
        for chunk in chunks {
            bytes += chunk
            let parsed = try parser.parse(bytes.span, into: &request, limits: limits)
            guard case .complete(let head, let consumed) = parsed else { continue }
            let fields = request.fields.map {
                request.text(of: $0.name).lowercased() + "=" + request.text(of: $0.value)
            }
            let line = "\(request.method) \(request.path.segments) \(request.query ?? "-")"
            let parsedHead = ParsedHead(
                request: "\(line) \(request.version)",
                fields: fields,
                head: head,
                consumed: consumed
            )
            return .parsed(parsedHead)
        }
        return .needsMoreBytes
    } catch {
        return .refused(error)
    }
}

func readHead(_ text: String, limits: HTTPLimits = HTTPLimits()) -> HeadOutcome {
    readHead([Array(text.utf8)], limits: limits)
}

func expectRefused(
    _ text: String,
    _ error: ParseError,
    limits: HTTPLimits = HTTPLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectRefused(Array(text.utf8), error, limits: limits, sourceLocation: sourceLocation)
}

/// Expects that a head is refused, which need not be a text.
func expectRefused(
    _ bytes: [UInt8],
    _ error: ParseError,
    limits: HTTPLimits = HTTPLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let text = String(decoding: bytes, as: UTF8.self)
    let outcome = readHead([bytes], limits: limits)
    #expect(
        outcome == .refused(error),
        "\(text.prefix(80).debugDescription)",
        sourceLocation: sourceLocation
    )
}

func expectParsed(
    _ text: String,
    limits: HTTPLimits = HTTPLimits(),
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ParsedHead {
    let outcome = readHead(text, limits: limits)
    guard case .parsed(let parsed) = outcome else {
        Issue.record(
            "\(text.prefix(80).debugDescription): \(outcome)",
            sourceLocation: sourceLocation
        )
        throw UnexpectedOutcome()
    }
    return parsed
}

/// Ends a test whose expectation has failed and been recorded.
struct UnexpectedOutcome: Error {}
