import HTTP
import TestSupport
import Testing

@testable import Roster

@Suite("The content of requests is read strictly (RFC 8259)")
struct ContentTests {
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
            ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("nul", .unexpectedEnd, 3),
            ("nulx", .unexpectedByte, 3), ("null null", .unexpectedByte, 5),
            ("01", .unexpectedByte, 1), ("-", .unexpectedEnd, 1), ("+1", .unexpectedByte, 0),
            ("1.", .unexpectedEnd, 2), (".5", .unexpectedByte, 0), ("1e", .unexpectedEnd, 2),
            ("0x1", .unexpectedByte, 1), ("NaN", .unexpectedByte, 0),
            ("[1,]", .unexpectedByte, 3), ("[1", .unexpectedEnd, 2), ("[1 2]", .unexpectedByte, 3),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{a:1}", .unexpectedByte, 1),
            ("{\"a\" 1}", .unexpectedByte, 5), ("{\"a\":}", .unexpectedByte, 5),
            (#"{"a":1,"\u0061":2}"#, .repeatedName("a"), 7),
            ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .malformedText, 2),
            (#""\x""#, .malformedText, 2), (#""\u12g4""#, .malformedText, 5),
            (#""\ud800""#, .unexpectedByte, 7), (#""\ud800\u0041""#, .malformedText, 3),
            (#""\udc00""#, .malformedText, 3), ("\u{FEFF}{}", .unexpectedByte, 0),
            (String(repeating: "[", count: 17), .tooDeep(limit: 16), 16),
            ("/*x*/1", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0),
        ] as [(String, JSONSyntaxError.Reason, Int)]
    )
    func refusals(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
        #expect(throws: JSONSyntaxError(reason: reason, offset: offset), "\(text)") {
            try Self.parse(text)
        }
    }

    @Test("bytes that are not UTF-8 are refused")
    func encoding() {
        #expect(throws: JSONSyntaxError(reason: .malformedText, offset: 1)) {
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
