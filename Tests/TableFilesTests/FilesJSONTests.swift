import JSON
import Listings
import TableFiles
import TestSupport
import Testing

@Suite("JSON and NDJSON files (RFC 8259)")
struct FilesJSONTests {
    private static let goodFiles: [ReadableFile] = [
        ReadableFile("[]", [], []),
        ReadableFile(" \n[ \t]\r\n", [], []),
        ReadableFile("[{}]", [], [[]]),
        ReadableFile("\u{FEFF}[{\"a\":1}]", ["a"], [["1"]]),
        ReadableFile(
            "[{\"a\":1,\"b\":\"x\"},{\"b\":\"y\",\"a\":2}]",
            ["a", "b"],
            [["1", "x"], ["2", "y"]]
        ),
        ReadableFile(
            "[{\"a\":1},{\"c\":true,\"a\":null},{\"b\":false}]",
            ["a", "c", "b"],
            [["1", nil, nil], [nil, "true", nil], [nil, nil, "false"]]
        ),
        ReadableFile("[{\"a\":\"\"}]", ["a"], [[""]]),
        ReadableFile(
            "[{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u6F22\\ud83d\\uDE00\"}]",
            ["a"],
            [["\"\\/\u{8}\u{C}\n\r\té漢😀"]]
        ),
        ReadableFile("[{\"\\u0061\":1},{\"a\":2}]", ["a"], [["1"], ["2"]]),
        ReadableFile(
            "[{\"a\":-0,\"b\":0.5,\"c\":1e5,\"d\":1E-05,\"e\":-12.50}]",
            ["a", "b", "c", "d", "e"],
            [["-0", "0.5", "1e5", "1E-05", "-12.50"]]
        ),
        ReadableFile(
            "[{\"a\":123456789012345678901234567890}]",
            ["a"],
            [["123456789012345678901234567890"]]
        ),
        ReadableFile(
            "[{\"a\": [ 1 , { \"b\" : \"x \\n\" , \"c\" : [ ] } , null, true ],\"d\":{ }}]",
            ["a", "d"],
            [["[1,{\"b\":\"x \\n\",\"c\":[]},null,true]", "{}"]]
        ),
        ReadableFile("{\"a\":1}\n{\"a\":2}\n", ["a"], [["1"], ["2"]], format: .ndjson),
        ReadableFile(
            "{\"a\":1}\r\n{\"b\":2}",
            ["a", "b"],
            [["1", nil], [nil, "2"]],
            format: .ndjson
        ),
    ]

    @Test("well-formed files give their records", arguments: goodFiles)
    func good(file: ReadableFile) { file.expectRead(as: .json) }

    private static func byte(
        _ character: Unicode.Scalar,
        _ expected: JSONExpectation
    ) -> FileError.Reason {
        .unexpectedByte(UInt8(ascii: character), expected: expected)
    }

    private static let structure: [RefusedFile] = [
        RefusedFile("", 1, 1, .emptyFile),
        RefusedFile(" \n", 1, 1, .emptyFile),
        RefusedFile("{\"a\":1}", 1, 1, byte("{", .arrayOfObjects)),
        RefusedFile("nul", 1, 1, byte("n", .arrayOfObjects)),
        RefusedFile("[1]", 1, 2, byte("1", .objectOrEndOfArray)),
        RefusedFile("[{},]", 1, 5, byte("]", .object)),
        RefusedFile("[{} {}]", 1, 5, byte("{", .commaOrEndOfArray)),
        RefusedFile("[{}] x", 1, 6, byte("x", .endOfFile)),
        RefusedFile("[{}\n", 2, 1, .unexpectedEnd(expected: .commaOrEndOfArray)),
        RefusedFile("[{a:1}]", 1, 3, byte("a", .nameOrEndOfObject)),
        RefusedFile("[{\"a\":1,}]", 1, 9, byte("}", .name)),
        RefusedFile("[{\"a\" 1}]", 1, 7, byte("1", .colon)),
        RefusedFile("[{\"a\":}]", 1, 7, byte("}", .value)),
        RefusedFile("[{\"a\":'x'}]", 1, 7, byte("'", .value)),
        RefusedFile("[{\"a\":1 \"b\":2}]", 1, 9, byte("\"", .commaOrEndOfObject)),
        RefusedFile("[{\"a\":1]", 1, 8, byte("]", .commaOrEndOfObject)),
        RefusedFile("[{\"a\":[1}]", 1, 9, byte("}", .commaOrEndOfArray)),
        RefusedFile("[{\"a\":[1,]}]", 1, 10, byte("]", .value)),
        RefusedFile("[{\"a\":[,]}]", 1, 8, byte(",", .valueOrEndOfArray)),
        RefusedFile("[{\"a\":1", 1, 8, .unexpectedEnd(expected: .commaOrEndOfObject)),
        RefusedFile("[{\"a\":-", 1, 8, .unexpectedEnd(expected: .digit)),
        RefusedFile("[{\"a\":\"é", 1, 9, .unexpectedEnd(expected: .endOfString)),
        RefusedFile("[{\"a\":tru", 1, 10, .unexpectedEnd(expected: .literal)),
        RefusedFile("[{\"a\":truth}]", 1, 10, byte("t", .literal)),
        RefusedFile("[{\"a\":1,\n \"a\":2}]", 2, 2, .duplicateMember("a")),
        RefusedFile("[{\"a\":{\"b\":1,\"\\u0062\":2}}]", 1, 14, .duplicateMember("b")),
        RefusedFile("[] \u{FEFF}", 1, 4, .unexpectedByte(0xEF, expected: .endOfFile)),
        RefusedFile(" \u{FEFF}[]", 1, 2, .unexpectedByte(0xEF, expected: .arrayOfObjects)),
    ]

    private static let values: [RefusedFile] = [
        RefusedFile("[{\"a\":01}]", 1, 7, .invalidNumber),
        RefusedFile("[{\"a\":1.}]", 1, 7, .invalidNumber),
        RefusedFile("[{\"a\":1e+}]", 1, 7, .invalidNumber),
        RefusedFile("[{\"a\":--1}]", 1, 7, .invalidNumber),
        RefusedFile("[{\"a\":1.2.3}]", 1, 7, .invalidNumber),
        RefusedFile("[{\"a\":+1}]", 1, 7, byte("+", .value)),
        RefusedFile("[{\"a\":.5}]", 1, 7, byte(".", .value)),
        RefusedFile("[{\"a\":NaX}]", 1, 9, byte("X", .literal)),
        RefusedFile("[{\"a\":nan}]", 1, 8, byte("a", .literal)),
        RefusedFile("[{\"a\":-Inf}]", 1, 11, byte("}", .literal)),
        RefusedFile("[{\"a\":1Infinity}]", 1, 8, byte("I", .commaOrEndOfObject)),
        RefusedFile("[{\"a\":+Infinity}]", 1, 7, byte("+", .value)),
        RefusedFile("[NaN]", 1, 2, byte("N", .objectOrEndOfArray)),
        RefusedFile("[{\"a\":1e400}]", 1, 7, .numberTooLarge),
        RefusedFile("[{\"a\":[-1e400]}]", 1, 8, .numberTooLarge),
        RefusedFile("[{\"a\":1\(String(repeating: "0", count: 309))}]", 1, 7, .numberTooLarge),
        RefusedFile("[{\"a\":\"x\ny\"}]", 1, 9, .controlCharacterInString),
        RefusedFile("[{\"a\":\"\\x\"}]", 1, 8, .invalidEscape),
        RefusedFile("[{\"a\":\"\\u00g0\"}]", 1, 8, .invalidEscape),
        RefusedFile("[{\"a\":\"é", 1, 9, .invalidUTF8, tail: [0xFF]),
        RefusedFile("[{\"", 1, 4, .invalidUTF8, tail: [0xC3, 0x22]),
        RefusedFile("[{\"a\":[\"é", 1, 10, .invalidUTF8, tail: [0xE2]),
        RefusedFile("[", 1, 2, .unexpectedByte(0xFF, expected: .objectOrEndOfArray), tail: [0xFF]),
        RefusedFile(
            "[{\"a\":\(String(repeating: "[", count: 65))",
            1,
            71,
            .tooDeep(limit: FileLimits.maximumDepth)
        ),
    ]

    private static let replaced = "\u{FFFD}"
    private static let irregularFiles: [RepairedFile] = [
        RepairedFile(#"[{"a":"\uD800"}]"#, ["a"], [[replaced]], ["loneSurrogate 1 1:7"]),
        RepairedFile(#"[{"a":"\uD800x"}]"#, ["a"], [[replaced + "x"]], ["loneSurrogate 1 1:7"]),
        RepairedFile(#"[{"a":"\uD800\n"}]"#, ["a"], [[replaced + "\n"]], ["loneSurrogate 1 1:7"]),
        RepairedFile(
            #"[{"a":"\uD800\uD83D\uDE00"}]"#,
            ["a"],
            [[replaced + "\u{1F600}"]],
            ["loneSurrogate 1 1:7"]
        ),
        RepairedFile(#"[{"a":"\uDC00"}]"#, ["a"], [[replaced]], ["loneSurrogate 1 1:7"]),
        RepairedFile(#"[{"\uDC00":1}]"#, [replaced], [["1"]], ["loneSurrogate 1 1:3"]),
        RepairedFile(
            #"[{"a":["\uDC00","\ud83d\ude00","\\ud800",{"\u0000":1}]}]"#,
            ["a"],
            [[#"["\ufffd","\ud83d\ude00","\\ud800",{"\ufffd":1}]"#]],
            ["loneSurrogate 1 1:8", "nulCharacter 1 1:43"]
        ),
        RepairedFile(#"[{"a":"x\u0000"}]"#, ["a"], [["x" + replaced]], ["nulCharacter 1 1:7"]),
        RepairedFile(
            "[{\"a\":1},\n{\"a\":NaN}]",
            ["a"],
            [["1"], [nil]],
            ["nonFinite 1 2:6"]
        ),
        RepairedFile(
            #"[{"a":-Infinity,"b":[NaN,{"c":-Infinity},"NaN"],"d":Infinity,"e":-1}]"#,
            ["a", "b", "d", "e"],
            [[nil, #"[null,{"c":null},"NaN"]"#, nil, "-1"]],
            ["nonFinite 4 1:7"]
        ),
    ]

    @Test("values that no text or number holds are replaced and counted", arguments: irregularFiles)
    func replacements(file: RepairedFile) { file.expectRead(as: .json) }

    @Test(
        "members of nested objects are columns, as deep as they are uniform",
        arguments: [
            (
                #"[{"a":{"x":1,"y":{"z":2}},"b":3},{"b":4,"a":{"y":{"z":5},"x":6}}]"#,
                ["a.x", "a.y.z", "b"], [["1", "2", "3"], ["6", "5", "4"]]
            ),
            (#"[{"a":{"x":1}},{"a":null},{"a":{}},{}]"#, ["a.x"], [["1"], [nil], [nil], [nil]]),
            (#"[{"a":{"x":1}},{"a":NaN}]"#, ["a.x"], [["1"], [nil]]),
            (#"[{"a":{"x":1}},{"a":7}]"#, ["a"], [[#"{"x":1}"#], ["7"]]),
            (
                #"[{"a":{"k1":1}},{"a":{"k2":1}},{"a":{"k3":1}}]"#, ["a"],
                [[#"{"k1":1}"#], [#"{"k2":1}"#], [#"{"k3":1}"#]]
            ),
            (
                #"[{"a":{"type":"Point","coordinates":[1,2]},"b":{"type":"x"}}]"#, ["a", "b.type"],
                [[#"{"type":"Point","coordinates":[1,2]}"#, "x"]]
            ),
            (#"[{"a":{"b":{"c":{"d":{"e":1}}}}}]"#, ["a.b.c.d"], [[#"{"e":1}"#]]),
            (#"[{"a":{"x":[{"y":1}]}}]"#, ["a.x"], [[#"[{"y":1}]"#]]),
            (#"[{"a":{"x":1},"a.x":2}]"#, ["a", "a.x"], [[#"{"x":1}"#, "2"]]),
            (#"[{"a":{}},{"a":{}}]"#, ["a"], [["{}"], ["{}"]]),
        ] as [(String, [String], [[String?]])]
    )
    func nested(text: String, columns: [String], records: [[String?]]) {
        let bytes = Array(text.utf8)
        for cuts in [[], Array(1..<bytes.count)] {
            let nested = NestedColumns(in: bytes.span, .array)
            let contents = read(bytes, JSONReader(.array, nested: nested), cuts)
            #expect(contents.error == nil)
            #expect(contents.columns == columns)
            #expect(contents.records == records)
        }
    }

    @Test("a value in the place of an object further down has a column of its own")
    func mixedObjects() {
        let text = #"[{"a":{"x":1}},{"a":{"x":2}},{"a":"s"},{"a":{"x":[1],"new":true}}]"#
        let nested = NestedColumns(["a"])
        let contents = read(Array(text.utf8), JSONReader(.array, nested: nested), [])
        #expect(contents.columns == ["a.x", "a", "a.new"])
        #expect(
            contents.records == [
                ["1", nil, nil], ["2", nil, nil], [nil, "s", nil], ["[1]", nil, "true"],
            ]
        )
        let twice = read(
            Array(#"[{"a":{"x":1},"a":{"x":2}}]"#.utf8),
            JSONReader(.array, nested: nested),
            []
        )
        #expect(twice.error?.reason == .duplicateMember("a.x"))
    }

    @Test("blank lines of NDJSON are skipped and counted, and odd names are made readable")
    func irregular() {
        RepairedFile(
            "{\"a\":1}\n\n \r\n{\"a\":2}",
            ["a"],
            [["1"], ["2"]],
            ["blankLine 2 2:1"],
            format: .ndjson
        )
        .expectRead(as: .ndjson)
        RepairedFile(
            "[{\"\":1},{\"\":2,\"a\\nb\":3}]",
            ["column_1", "a b"],
            [["1", nil], ["2", "3"]]
        )
        .expectRead(as: .json)
    }

    private static let lines: [RefusedFile] = [
        RefusedFile("[{\"a\":1}]", 1, 1, byte("[", .objectOnLine), format: .ndjson),
        RefusedFile("{\"a\":1} {\"a\":2}", 1, 9, byte("{", .lineBreak), format: .ndjson),
        RefusedFile("{\"a\":1},\n", 1, 8, byte(",", .lineBreak), format: .ndjson),
        RefusedFile("{\"a\":\n1}\n", 1, 6, .lineBreakInObject, format: .ndjson),
        RefusedFile(
            "{\"a\":1}\n{\"a\":2",
            2,
            7,
            .unexpectedEnd(expected: .commaOrEndOfObject),
            format: .ndjson
        ),
        RefusedFile(
            "{\"a\":\"é",
            1,
            9,
            .unexpectedEnd(expected: .endOfString),
            tail: [0xC3],
            format: .ndjson
        ),
    ]

    @Test(
        "malformed files are refused at the place of the fault",
        arguments: structure + values + lines
    )
    func bad(file: RefusedFile) { file.expectRefused(as: .json) }

    @Test("nesting up to the limit is kept as it stands")
    func deepest() {
        let value = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(read("[{\"a\":\(value)}]", .json).records == [[value]])
    }

    @Test("a text of exactly the limit is read and a longer one refused, nested or not")
    func largestText() {
        let limit = FileLimits.maximumFieldBytes
        let text = String(repeating: "x", count: limit)
        let error = FileError(.fieldTooLarge(limit: limit), at: FileLocation(line: 1, column: 7))
        #expect(read("[{\"a\":\"\(text)\"}]", .json).records == [[text]])
        #expect(read("[{\"a\":\"\(text)x\"}]", .json).error == error)
        #expect(read("[{\"a\":[\"\(text)\"]}]", .json).error == error)
        #expect(read("[{\"a\":\"\\n\(text)\"}]", .json).error == error)
    }

    @Test("the columns of all objects together are bounded")
    func mostColumns() {
        let members = { (count: Int) in (0..<count).map { "\"c\($0)\":1" }.joined(separator: ",") }
        #expect(read("[{\(members(1000))}]", .json).columns.count == 1000)
        let error = read("[{\(members(1000))},\n{\"d\":1}]", .json).error
        let location = FileLocation(line: 2, column: 2)
        #expect(error == FileError(.tooManyColumns(limit: 1000), at: location))
    }

    @Test(
        "one table has the same values in CSV, JSON and NDJSON",
        arguments: 0..<100 as Range<UInt64>
    )
    func sameTable(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let kinds: [[String]] = [
            ["1", "-20", "0"], ["0.5", "3", "-1e3"], ["true", "false"],
            ["1999-12-31", "2000-02-29"],
            ["a@example.org"], ["https://example.org/?a=1"], ["Zoë", "O'Neil", "a,b", "1"],
        ]
        var records: [[String?]] = []
        for _ in 0..<Int.random(in: 1...8, using: &numbers) {
            records.append(
                kinds.map { kind in
                    Bool.random(using: &numbers) ? nil : kind.randomElement(using: &numbers)
                }
            )
        }
        let names = kinds.indices.map { "c\($0)" }
        let csv = ([names] + records).map { record in
            record.map { value in value.map { "\"\($0)\"" } ?? "" }.joined(separator: ",") + "\n"
        }
        let json = records.map { record in
            let members = zip(names, record).map { name, value in
                let isBare = Bool.random(using: &numbers) && isBareValue(value)
                return "\"\(name)\": " + (value.map { isBare ? $0 : "\"\($0)\"" } ?? "null")
            }
            return "{" + members.joined(separator: ", ") + "}"
        }
        let lines = read(csv.joined(), .csv)
        let array = read("[" + json.joined(separator: ",\n") + "]", .json)
        #expect(lines.error == nil)
        #expect(array.error == nil)
        #expect(array.columns == lines.columns)
        #expect(array.records == lines.records)
        #expect(array.records == records)
        #expect(read(json.joined(separator: "\n"), .ndjson).records == records)
    }

    /// Whether JSON can write a value without quotes.
    private func isBareValue(_ value: String?) -> Bool {
        guard let value else { return false }
        return JSONNumber.isNumber(value.utf8.span) || FieldValue.boolean(value.utf8.span) != nil
    }
}
