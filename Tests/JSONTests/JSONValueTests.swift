import JSON
import TestSupport
import Testing

@Suite("JSON is read strictly (RFC 8259)")
struct JSONValueTests {
    private static func byte(
        _ character: Unicode.Scalar,
        _ expected: JSONExpectation
    ) -> JSONSyntaxError.Reason {
        .unexpectedByte(UInt8(ascii: character), expected: expected)
    }

    private static func end(_ expected: JSONExpectation) -> JSONSyntaxError.Reason {
        .unexpectedEnd(expected: expected)
    }

    private static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test(
        "documents are read",
        arguments: [
            ("null", .null), (" true\n", .boolean(true)), ("\tfalse", .boolean(false)),
            ("0", .number("0")), ("-0.5e+3", .number("-0.5e+3")), ("12E9", .number("12E9")),
            (#""""#, .text("")), (#""a\"\\\/\b\f\n\r\t""#, .text("a\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u00e9\ud83d\ude00é😀""#, .text("é😀é😀")), (#""\u0000""#, .text("\0")),
            ("[]", .array([], text: "[]")),
            (
                "[1, [ ] ,null]",
                .array(
                    [.number("1"), .array([], text: "[ ]"), .null],
                    text: "[1, [ ] ,null]"
                )
            ),
            ("{}", .object([:], text: "{}")),
            (
                #"{ "a" : 1 , "b" : { } }"#,
                .object(
                    ["a": .number("1"), "b": .object([:], text: "{ }")],
                    text: #"{ "a" : 1 , "b" : { } }"#
                )
            ),
        ] as [(String, JSONValue)]
    )
    func documents(text: String, value: JSONValue) throws {
        #expect(try Self.parse(text) == value)
    }

    @Test(
        "what is no document is refused where it stops being one",
        arguments: [
            ("", end(.value), 0), (" ", end(.value), 1), ("nul", end(.literal), 3),
            ("nulx", byte("x", .literal), 3), ("null null", byte("n", .endOfFile), 5),
            ("01", byte("1", .endOfFile), 1), ("-", end(.digit), 1), ("+1", byte("+", .value), 0),
            ("1.", end(.digit), 2), (".5", byte(".", .value), 0), ("1e", end(.digit), 2),
            ("1.x", .invalidNumber, 2), ("-a", .invalidNumber, 1),
            ("0x1", byte("x", .endOfFile), 1), ("NaN", byte("N", .value), 0),
            ("[1,]", byte("]", .value), 3), ("[1", end(.commaOrEndOfArray), 2),
            ("[1 2]", byte("2", .commaOrEndOfArray), 3), ("[}", byte("}", .valueOrEndOfArray), 1),
            ("[1}", byte("}", .commaOrEndOfArray), 2), ("{]", byte("]", .nameOrEndOfObject), 1),
            ("{\"a\":1]", byte("]", .commaOrEndOfObject), 6),
            ("{\"a\":1,}", byte("}", .name), 7), ("{a:1}", byte("a", .nameOrEndOfObject), 1),
            ("{\"a\" 1}", byte("1", .colon), 5), ("{\"a\":}", byte("}", .value), 5),
            (#"{"a":1,"\u0061":2}"#, .repeatedName("a"), 7),
            ("\"a", end(.endOfString), 2), ("\"a\\u00", end(.endOfString), 6),
            ("\"a\nb\"", .controlCharacter, 2),
            (#""\x""#, .invalidEscape, 2), (#""\u12g4""#, .invalidEscape, 5),
            (#""\ud800""#, .missingSurrogate, 7), (#""\ud800\n""#, .missingSurrogate, 8),
            (#""\ud800\u0041""#, .loneSurrogate, 3), (#""\udc00""#, .loneSurrogate, 3),
            ("\u{FEFF}{}", .unexpectedByte(0xEF, expected: .value), 0),
            (String(repeating: "[", count: 17), .tooDeep(limit: 16), 16),
            ("/*x*/1", byte("/", .value), 0), ("'a'", byte("'", .value), 0),
        ] as [(String, JSONSyntaxError.Reason, Int)]
    )
    func refusals(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
        #expect(throws: JSONSyntaxError(reason, at: offset), "\(text)") {
            try Self.parse(text)
        }
    }

    @Test("bytes that are not UTF-8 are refused")
    func encoding() {
        #expect(throws: JSONSyntaxError(.invalidUTF8, at: 1)) {
            try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22])
        }
    }

    @Test("no cut and no changed byte of a document does more than throw")
    func anyBytes() {
        var random = SeededGenerator(seed: 11)
        let text = #"{"ids":["1","a\u00e9\ud83d\ude00"],"all":true,"to":[0,-1.5e3],"x":{"y":null}}"#
        let document = Array(text.utf8)
        for count in 0..<document.count {
            let cut = Array(document[..<count])
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: cut) }
        }
        for _ in 0..<2_000 {
            var bytes = document
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] = UInt8.random(in: 0...255, using: &random)
            // Most of them are refused; none may trap.
            _ = try? JSONValue(parsing: bytes)
        }
    }

    @Test(
        "JSON text loses its white space and nothing else",
        arguments: [
            (#" { "a" : [ 1 , 2.50 , "x y" ] } "#, #"{"a":[1,2.50,"x y"]}"#), ("[]", "[]"),
            (#"{"a":{"b":null,"c":[true,false]}}"#, #"{"a":{"b":null,"c":[true,false]}}"#),
        ]
    )
    func json(_ text: String, _ compact: String) { #expect(JSONText.compact(text) == compact) }

    @Test(
        "what is no array or object is no JSON value",
        arguments: ["1", "", "{", "[1,]", "{a:1}", "[01]", #"["\x"]"#, "[] []", #"["\ud800"]"#]
    )
    func refusedJSON(_ text: String) { #expect(JSONText.compact(text) == nil) }

    @Test(
        "numbers are told from what is none",
        arguments: [
            ("0", true), ("-0.5e+3", true), ("12E9", true), ("1.25", true), ("10", true),
            ("", false), ("-", false), ("01", false), ("1.", false), (".5", false), ("1e", false),
            ("+1", false), ("1.2.3", false), ("1e5e", false), ("1 ", false),
        ]
    )
    func numbers(text: String, isNumber: Bool) {
        #expect(JSONNumber.isNumber(text.utf8.span) == isNumber)
    }
}
