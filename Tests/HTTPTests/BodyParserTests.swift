import Testing

@testable import HTTP

@Suite("Chunked body (RFC 9112 §7.1)")
struct BodyParserTests {
    enum Outcome: Equatable {
        case complete(body: String, rest: String)
        case needsMoreBytes
        case refused(ParseError)
    }

    /// Reads a body from chunks as a connection does: what was not consumed is seen again.
    static func read(
        _ pieces: [[UInt8]],
        framing: BodyFraming = .chunked,
        keepsData: Bool = true,
        limits: HTTPLimits = HTTPLimits()
    ) -> Outcome {
        var parser = BodyParser(framing: framing, keepsData: keepsData)
        var body: [UInt8] = []
        var bytes: [UInt8] = []
        var isComplete = false
        do {
            for piece in pieces {
                bytes += piece
                if isComplete { continue }
                let progress = try parser.parse(bytes.span, into: &body, limits: limits)
                bytes.removeFirst(progress.consumed)
                isComplete = progress.isComplete
            }
        } catch {
            return .refused(error)
        }
        guard isComplete else { return .needsMoreBytes }
        return .complete(
            body: String(decoding: body, as: UTF8.self),
            rest: String(decoding: bytes, as: UTF8.self)
        )
    }

    static func read(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Outcome {
        read([Array(text.utf8)], limits: limits)
    }

    static let accepted: [(String, String)] = [
        ("0\r\n\r\n", ""),
        ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"),
        ("0005\r\nhello\r\n000\r\n\r\n", "hello"),
        ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ("1;a\r\nx\r\n0;b\r\n\r\n", "x"),
        ("1;a=b\r\nx\r\n0\r\n\r\n", "x"),
        ("1;a=bc;d=ef\r\nx\r\n0\r\n\r\n", "x"),
        ("1;a=\"b c;\\\"\"\r\nx\r\n0\r\n\r\n", "x"),
        ("1 ; a = b ;c\r\nx\r\n0\r\n\r\n", "x"),
        ("1\t;\ta\t=\t\"\"\r\nx\r\n0\r\n\r\n", "x"),
        ("0\r\nx: y\r\nTransfer-Encoding: gzip\r\n\r\n", ""),
        ("000000000000000\r\n\r\n", ""),
    ]

    @Test("chunks are joined, extensions and trailers dropped", arguments: accepted)
    func accepts(text: String, body: String) {
        #expect(Self.read(text + "GET") == .complete(body: body, rest: "GET"))
    }

    static let refused: [(String, ParseError)] = [
        ("\r\n", .malformedChunk), ("+5\r\n", .malformedChunk), ("-5\r\n", .malformedChunk),
        ("0x5\r\n", .malformedChunk), ("5_0\r\n", .malformedChunk), ("g\r\n", .malformedChunk),
        (" 5\r\n", .malformedChunk), ("5 \r\n", .malformedChunk), ("5\t\r\n", .malformedChunk),
        ("5 5\r\n", .malformedChunk), (";a\r\n", .malformedChunk), ("5,\r\n", .malformedChunk),
        ("0000000000000005\r\n", .malformedChunk), ("FFFFFFFFFFFFFFFFF\r\n", .malformedChunk),
        ("5;\r\n", .malformedChunk), ("5;;a\r\n", .malformedChunk), ("5;=a\r\n", .malformedChunk),
        ("5;a=\r\n", .malformedChunk), ("5;a= \r\n", .malformedChunk),
        ("5;a=b \r\n", .malformedChunk), ("5;a b\r\n", .malformedChunk),
        ("5;a=b c\r\n", .malformedChunk), ("5;a=\"b\r\n", .malformedChunk),
        ("5;a=\"b\"c\r\n", .malformedChunk), ("5;a=\"\\\r\n", .malformedChunk),
        ("5;a=\"\u{1}\"\r\n", .malformedChunk), ("5;\u{0}\r\n", .malformedChunk),
        ("5;a=\"\u{7F}\"\r\n", .malformedChunk), ("5;a[\r\n", .malformedChunk),
        ("5\n", .bareLineFeed), ("5;a\n", .bareLineFeed), ("5;a=\"\n", .bareLineFeed),
        ("5\rx", .bareCarriageReturn), ("5;a\rx", .bareCarriageReturn),
        ("1\r\nx\n", .malformedChunk), ("1\r\nxy\r\n", .malformedChunk),
        ("1\r\nx\rz", .malformedChunk), ("1\r\nx0\r\n\r\n", .malformedChunk),
        ("0\r\n\n", .bareLineFeed), ("0\r\n\rx", .bareCarriageReturn),
        ("0\r\nx: y\n\r\n", .bareLineFeed), ("0\r\n x: y\r\n\r\n", .foldedField),
        ("0\r\nGET / HTTP/1.1\r\n\r\n", .malformedFieldName),
        ("0\r\nx : y\r\n\r\n", .malformedFieldName),
    ]

    @Test("anything else is refused", arguments: refused)
    func refuses(text: String, error: ParseError) {
        #expect(Self.read(text) == .refused(error))
        #expect(error.status == .badRequest)
    }

    @Test(
        "every cut of a chunked body reads alike",
        arguments: accepted.map(\.0) + refused.map(\.0)
    )
    func everyCut(text: String) {
        let bytes = Array(text.utf8)
        let whole = Self.read([bytes])
        for chunks in chunkings(of: bytes) {
            #expect(Self.read(chunks) == whole, "\(chunks)")
        }
    }

    @Test("a body stays incomplete up to its last byte")
    func incomplete() {
        let bytes = Array("5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n".utf8)
        for end in bytes.indices {
            #expect(Self.read([Array(bytes[..<end])]) == .needsMoreBytes)
        }
    }

    @Test("data is counted against the limit before it is read")
    func bodyLimit() {
        var limits = HTTPLimits()
        limits.maximumBodyBytes = 8
        let fits = "5\r\nhello\r\n3\r\nabc\r\n0\r\n\r\n"
        #expect(Self.read(fits, limits: limits) == .complete(body: "helloabc", rest: ""))
        let over = "5\r\nhello\r\n4\r\n"
        #expect(Self.read(over, limits: limits) == .refused(.bodyTooLarge(limit: 8)))
        let huge = "fffffffffffffff\r\n"
        #expect(Self.read(huge, limits: limits) == .refused(.bodyTooLarge(limit: 8)))
    }

    @Test("long lines, many extensions and large trailers are refused")
    func overhead() {
        let limits = HTTPLimits()
        let line = "1;" + String(repeating: "a", count: 254)
        #expect(Self.read(line + "\r\n", limits: limits) == .needsMoreBytes)
        #expect(Self.read(line + "a") == .refused(.chunkLineTooLong(limit: 256)))
        let chunk = line + "\r\nx\r\n"
        let sixteen = String(repeating: chunk, count: 16)
        #expect(Self.read(sixteen) == .needsMoreBytes)
        #expect(Self.read(sixteen + chunk) == .refused(.chunkExtensionsTooLarge(limit: 4096)))
        let trailer = "x: " + String(repeating: "y", count: 2043) + "\r\n"
        let four = "0\r\n" + String(repeating: trailer, count: 4)
        #expect(Self.read(four + "\r\n") == .complete(body: "", rest: ""))
        #expect(Self.read(four + "x:\r\n") == .refused(.fieldSectionTooLarge(limit: 8192)))
        let many = "0\r\n" + String(repeating: "x:\r\n", count: 32)
        #expect(Self.read(many + "\r\n") == .complete(body: "", rest: ""))
        #expect(Self.read(many + "x:\r\n") == .refused(.tooManyFields(limit: 32)))
    }

    @Test("a body of a length ends at its last byte, whatever follows")
    func length() {
        let pieces = [Array("hel".utf8), Array("loGET".utf8)]
        #expect(Self.read(pieces, framing: .length(5)) == .complete(body: "hello", rest: "GET"))
        #expect(Self.read([pieces[0]], framing: .length(5)) == .needsMoreBytes)
        let dropped = Self.read(pieces, framing: .length(5), keepsData: false)
        #expect(dropped == .complete(body: "", rest: "GET"))
    }
}
