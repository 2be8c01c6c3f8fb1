import JSON
import Listings
import TableFiles
import Testing

@Suite("JSON and NDJSON files (RFC 8259)")
struct FilesJSONTests {
    struct Good: Sendable {
        let text: String
        let columns: [String]
        let records: [[String?]]
        var format = FileFormat.json
    }

    private static let goodFiles: [Good] = [
        Good(text: "[]", columns: [], records: []),
        Good(text: " \n[ \t]\r\n", columns: [], records: []),
        Good(text: "[{}]", columns: [], records: [[]]),
        Good(text: "\u{FEFF}[{\"a\":1}]", columns: ["a"], records: [["1"]]),
        Good(
            text: "[{\"a\":1,\"b\":\"x\"},{\"b\":\"y\",\"a\":2}]",
            columns: ["a", "b"],
            records: [["1", "x"], ["2", "y"]]
        ),
        Good(
            text: "[{\"a\":1},{\"c\":true,\"a\":null},{\"b\":false}]",
            columns: ["a", "c", "b"],
            records: [["1", nil, nil], [nil, "true", nil], [nil, nil, "false"]]
        ),
        Good(text: "[{\"a\":\"\"}]", columns: ["a"], records: [[""]]),
        Good(
            text: "[{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u6F22\\ud83d\\uDE00\"}]",
            columns: ["a"],
            records: [["\"\\/\u{8}\u{C}\n\r\té漢😀"]]
        ),
        Good(text: "[{\"\\u0061\":1},{\"a\":2}]", columns: ["a"], records: [["1"], ["2"]]),
        Good(
            text: "[{\"a\":-0,\"b\":0.5,\"c\":1e5,\"d\":1E-05,\"e\":-12.50}]",
            columns: ["a", "b", "c", "d", "e"],
            records: [["-0", "0.5", "1e5", "1E-05", "-12.50"]]
        ),
        Good(
            text: "[{\"a\":123456789012345678901234567890}]",
            columns: ["a"],
            records: [["123456789012345678901234567890"]]
        ),
        Good(
            text: "[{\"a\": [ 1 , { \"b\" : \"x \\n\" , \"c\" : [ ] } , null, true ],\"d\":{ }}]",
            columns: ["a", "d"],
            records: [["[1,{\"b\":\"x \\n\",\"c\":[]},null,true]", "{}"]]
        ),
        Good(
            text: "{\"a\":1}\n{\"a\":2}\n",
            columns: ["a"],
            records: [["1"], ["2"]],
            format: .ndjson
        ),
        Good(
            text: "{\"a\":1}\r\n{\"b\":2}",
            columns: ["a", "b"],
            records: [["1", nil], [nil, "2"]],
            format: .ndjson
        ),
    ]

    @Test("well-formed files give their records", arguments: goodFiles)
    func good(file: Good) {
        let contents = read(file.text, file.format)
        #expect(contents.error == nil)
        #expect(contents.columns == file.columns)
        #expect(contents.records == file.records)
    }

    struct Bad: Sendable {
        let bytes: [UInt8]
        let line: Int
        let column: Int
        let reason: FileError.Reason
        let format: FileFormat

        init(
            _ text: String,
            _ line: Int,
            _ column: Int,
            _ reason: FileError.Reason,
            tail: [UInt8] = [],
            format: FileFormat = .json
        ) {
            bytes = Array(text.utf8) + tail
            self.line = line
            self.column = column
            self.reason = reason
            self.format = format
        }
    }

    private static func byte(
        _ character: Unicode.Scalar,
        _ expected: JSONExpectation
    ) -> FileError.Reason {
        .unexpectedByte(UInt8(ascii: character), expected: expected)
    }

    private static let structure: [Bad] = [
        Bad("", 1, 1, .emptyFile),
        Bad(" \n", 1, 1, .emptyFile),
        Bad("{\"a\":1}", 1, 1, byte("{", .arrayOfObjects)),
        Bad("nul", 1, 1, byte("n", .arrayOfObjects)),
        Bad("[1]", 1, 2, byte("1", .objectOrEndOfArray)),
        Bad("[{},]", 1, 5, byte("]", .object)),
        Bad("[{} {}]", 1, 5, byte("{", .commaOrEndOfArray)),
        Bad("[{}] x", 1, 6, byte("x", .endOfFile)),
        Bad("[{}\n", 2, 1, .unexpectedEnd(expected: .commaOrEndOfArray)),
        Bad("[{a:1}]", 1, 3, byte("a", .nameOrEndOfObject)),
        Bad("[{\"a\":1,}]", 1, 9, byte("}", .name)),
        Bad("[{\"a\" 1}]", 1, 7, byte("1", .colon)),
        Bad("[{\"a\":}]", 1, 7, byte("}", .value)),
        Bad("[{\"a\":'x'}]", 1, 7, byte("'", .value)),
        Bad("[{\"a\":1 \"b\":2}]", 1, 9, byte("\"", .commaOrEndOfObject)),
        Bad("[{\"a\":1]", 1, 8, byte("]", .commaOrEndOfObject)),
        Bad("[{\"a\":[1}]", 1, 9, byte("}", .commaOrEndOfArray)),
        Bad("[{\"a\":[1,]}]", 1, 10, byte("]", .value)),
        Bad("[{\"a\":[,]}]", 1, 8, byte(",", .valueOrEndOfArray)),
        Bad("[{\"a\":1", 1, 8, .unexpectedEnd(expected: .commaOrEndOfObject)),
        Bad("[{\"a\":-", 1, 8, .unexpectedEnd(expected: .digit)),
        Bad("[{\"a\":\"é", 1, 9, .unexpectedEnd(expected: .endOfString)),
        Bad("[{\"a\":tru", 1, 10, .unexpectedEnd(expected: .literal)),
        Bad("[{\"a\":truth}]", 1, 10, byte("t", .literal)),
        Bad("[{\"a\":1,\n \"a\":2}]", 2, 2, .duplicateMember("a")),
        Bad("[{\"a\":{\"b\":1,\"\\u0062\":2}}]", 1, 14, .duplicateMember("b")),
        Bad("[{\"\":1}]", 1, 3, .emptyColumnName),
        Bad("[{\"a\\nb\":1}]", 1, 3, .controlCharacterInColumnName),
        Bad("[] \u{FEFF}", 1, 4, .unexpectedByte(0xEF, expected: .endOfFile)),
        Bad(" \u{FEFF}[]", 1, 2, .unexpectedByte(0xEF, expected: .arrayOfObjects)),
    ]

    private static let values: [Bad] = [
        Bad("[{\"a\":01}]", 1, 7, .invalidNumber),
        Bad("[{\"a\":1.}]", 1, 7, .invalidNumber),
        Bad("[{\"a\":1e+}]", 1, 7, .invalidNumber),
        Bad("[{\"a\":--1}]", 1, 7, .invalidNumber),
        Bad("[{\"a\":1.2.3}]", 1, 7, .invalidNumber),
        Bad("[{\"a\":+1}]", 1, 7, byte("+", .value)),
        Bad("[{\"a\":.5}]", 1, 7, byte(".", .value)),
        Bad("[{\"a\":NaN}]", 1, 7, byte("N", .value)),
        Bad("[{\"a\":1e400}]", 1, 7, .numberTooLarge),
        Bad("[{\"a\":[-1e400]}]", 1, 8, .numberTooLarge),
        Bad("[{\"a\":1\(String(repeating: "0", count: 309))}]", 1, 7, .numberTooLarge),
        Bad("[{\"a\":\"x\ny\"}]", 1, 9, .controlCharacterInString),
        Bad("[{\"a\":\"\\x\"}]", 1, 8, .invalidEscape),
        Bad("[{\"a\":\"\\u00g0\"}]", 1, 8, .invalidEscape),
        Bad("[{\"a\":\"\\uD800\"}]", 1, 8, .loneSurrogate),
        Bad("[{\"a\":\"\\uD800x\"}]", 1, 8, .loneSurrogate),
        Bad("[{\"a\":\"\\uD800\\n\"}]", 1, 8, .loneSurrogate),
        Bad("[{\"a\":\"\\uD800\\uD800\"}]", 1, 8, .loneSurrogate),
        Bad("[{\"a\":\"\\uDC00\"}]", 1, 8, .loneSurrogate),
        Bad("[{\"a\":[\"\\uDC00\"]}]", 1, 9, .loneSurrogate),
        Bad("[{\"a\":\"\\u0000\"}]", 1, 8, .nulCharacter),
        Bad("[{\"a\":\"é", 1, 9, .invalidUTF8, tail: [0xFF]),
        Bad("[{\"", 1, 4, .invalidUTF8, tail: [0xC3, 0x22]),
        Bad("[{\"a\":[\"é", 1, 10, .invalidUTF8, tail: [0xE2]),
        Bad("[", 1, 2, .unexpectedByte(0xFF, expected: .objectOrEndOfArray), tail: [0xFF]),
        Bad(
            "[{\"a\":\(String(repeating: "[", count: 65))",
            1,
            71,
            .tooDeep(limit: FileLimits.maximumDepth)
        ),
    ]

    private static let lines: [Bad] = [
        Bad("[{\"a\":1}]", 1, 1, byte("[", .objectOnLine), format: .ndjson),
        Bad("{\"a\":1}\n\n{\"a\":2}", 2, 1, .blankLine, format: .ndjson),
        Bad("{\"a\":1}\n \r\n{\"a\":2}", 2, 1, .blankLine, format: .ndjson),
        Bad("{\"a\":1} {\"a\":2}", 1, 9, byte("{", .lineBreak), format: .ndjson),
        Bad("{\"a\":1},\n", 1, 8, byte(",", .lineBreak), format: .ndjson),
        Bad("{\"a\":\n1}\n", 1, 6, .lineBreakInObject, format: .ndjson),
        Bad(
            "{\"a\":1}\n{\"a\":2",
            2,
            7,
            .unexpectedEnd(expected: .commaOrEndOfObject),
            format: .ndjson
        ),
    ]

    @Test(
        "malformed files are refused at the place of the fault",
        arguments: structure + values + lines
    )
    func bad(file: Bad) {
        let contents = read(file.bytes, file.format)
        let place = FileLocation(line: file.line, column: file.column)
        #expect(contents.error == FileError(file.reason, at: place))
    }

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
        let place = FileLocation(line: 2, column: 2)
        #expect(error == FileError(.tooManyColumns(limit: 1000), at: place))
    }

    @Test(
        "one table has the same values in CSV, JSON and NDJSON",
        arguments: 0..<100 as Range<UInt64>
    )
    func sameTable(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
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
